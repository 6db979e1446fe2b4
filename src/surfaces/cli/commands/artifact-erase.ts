// `lazarus artifact erase`: the bytes go, the ledger says so, and the command says what it could not reach.
import { eraseArtifact, type Erased } from '../../../app/artifacts/erase.ts';
import { findRecorded, recordedArtifacts, type Recorded } from '../../../app/artifacts/recorded.ts';
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
    const artifact = findRecorded(await recordedArtifacts(bench, ref), args.need('digest'), ref);
    await agree(ctx, [`${artifact.digest} (${artifact.media_type}, ${artifact.bytes} bytes)`], 'Erase it for ever?');
    const session = async () => {
      const view = await bench.project();
      return bench.session(ref, await signerOf(app, options, view.tip.state!.roster), view);
    };
    const erased = unwrap(await eraseArtifact(bench, session, await app.artifacts(), { ref, artifact, because }));
    const remote = bench.parts.remote?.displayUrl;
    ctx.out.emit(tell(ref, artifact, erased, remote), {
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

function tell(ref: string, artifact: Recorded, erased: Erased, remote: string | undefined): Line[] {
  const { digest, encryption } = artifact;
  const { landed, wasHere, isPacked, isKeyDestroyed } = erased;
  const said =
    landed === undefined
      ? `recorded as erased before, at index ${artifact.erased!.index}`
      : `erased at index ${landed.from}`;
  const again = `lazarus artifact erase ${ledgerName(ref)} ${digest.slice(0, 19)} --because ${artifact.erased?.because ?? '<word>'}`;
  const lines: Line[] = [`${digest}: ${said}`];
  if (isKeyDestroyed) lines.push('  key     destroyed: no copy of the bytes can be read with it any more');
  else if (encryption !== 'none')
    lines.push('  key     not on this machine: whoever was given it can still read any copy');
  lines.push(
    `  here    ${wasHere ? 'taken off the artifact reference and deleted' : 'no reference named the bytes any more'}`,
  );
  if (isPacked || !wasHere)
    lines.push(
      isPacked
        ? '  packed  git put a copy into a pack; only pruning removes it:'
        : '  packed  a copy that git packed would go with:',
      '            git reflog expire --expire=now --all && git gc --prune=now',
    );
  if (remote === undefined)
    lines.push(
      '  remote  not asked; the bytes stay where they were pushed to, until:',
      `            ${again} --everywhere`,
    );
  else
    lines.push(
      `  remote  taken off the reference at ${remote}`,
      '  forge   keeps unreachable bytes until it prunes; on the server, in the repository:',
      '            git reflog expire --expire=now --all && git gc --prune=now',
    );
  lines.push('  clones  whoever fetched them has them; in each clone:', `            lazarus ledger pull && ${again}`);
  return lines;
}
