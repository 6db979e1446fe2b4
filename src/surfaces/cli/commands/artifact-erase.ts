// `lazarus artifact erase`: the bytes go, the ledger says so, and the command says what it could not reach.
import { eraseArtifact, type Erased } from '../../../app/artifacts/erase.ts';
import { findRecorded, knownArtifacts, type Recorded } from '../../../app/artifacts/recorded.ts';
import { knownProject } from '../../../app/project-fold.ts';
import { Failure } from '../../../failure.ts';
import { ReasonWord } from '../../../kernel/values.ts';
import { ledgerName } from '../../../ledger/names.ts';
import { agree } from '../ask.ts';
import type { Context } from '../command.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';
import { signerOf, unwrap, withWorkbench } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  const because = options.need('because');
  if (!ReasonWord.safeParse(because).success)
    throw new Failure('usage', {
      option: 'because',
      expected: 'one lower_snake word, such as personal_data',
      found: because,
    });
  const everywhere = options.flag('everywhere') && options.text('remote') === undefined;
  await withWorkbench(ctx, everywhere ? options.with('remote', 'origin') : options, async ({ app, bench }) => {
    const ref = await bench.find(args.need('ledger'));
    const project = await knownProject(bench);
    const { artifacts, tip } = await knownArtifacts(bench, ref, { project });
    const artifact = findRecorded(artifacts, args.need('digest'), ref);
    await agree(ctx, [`${artifact.digest} (${artifact.media_type}, ${artifact.bytes} bytes)`], 'Erase it for ever?');
    const session = async () =>
      bench.session(ref, await signerOf(app, options, project.tip.state!.roster), project, tip);
    const erased = unwrap(await eraseArtifact(bench, session, await app.artifacts(), { ref, artifact, because }));
    const remote = bench.parts.remote?.displayUrl;
    ctx.out.emit(tell(ref, artifact, erased, { because, remote }), {
      ledger: ledgerName(ref),
      digest: artifact.digest,
      index: erased.landed?.from ?? artifact.erased?.index ?? null,
      head: erased.landed?.head ?? null,
      bytes_found: erased.wasHere,
      still_packed: erased.isPacked,
      key_destroyed: erased.isKeyDestroyed,
      remote: remote ?? null,
    });
  });
}

type Asked = { readonly because: string; readonly remote: string | undefined };

const PRUNE = '            git reflog expire --expire=now --all && git gc --prune=now';

/** What was reached, and for every copy that was not, the command that reaches it. */
function tell(ref: string, artifact: Recorded, erased: Erased, { because, remote }: Asked): Line[] {
  const { digest, encryption } = artifact;
  const { landed, wasHere, isPacked, isKeyDestroyed } = erased;
  const index = landed?.from ?? artifact.erased!.index;
  const again = `lazarus artifact erase ${ledgerName(ref)} ${digest.slice(0, 19)} --because ${because}`;
  const lines: Line[] = [`${digest}: erased at index ${index}${landed === undefined ? ', before this' : ''}`];
  if (isKeyDestroyed)
    lines.push('  key     destroyed: what copies there are can be read by those you gave the key, nobody else');
  else if (encryption !== 'none') lines.push('  key     not on this machine: whoever has it can still read any copy');
  if (isPacked) lines.push('  here    off the artifact reference; git keeps a packed copy until:', PRUNE);
  else lines.push(wasHere ? '  here    deleted' : '  here    no copy found');
  if (remote === undefined)
    lines.push('  remote  not asked; if the bytes were pushed there:', `            ${again} --everywhere`);
  else
    lines.push(
      `  remote  off the artifact reference at ${remote}`,
      '  forge   keeps what no reference reaches until, in the repository on the server:',
      PRUNE,
    );
  return [
    ...lines,
    '  clones  whoever fetched the bytes has them, until in that clone:',
    `            lazarus ledger pull && ${again}`,
  ];
}
