// `lazarus artifact add`: a file beside the mission, named in its ledger by a salted digest.
import { addArtifact } from '../../../app/artifacts/add.ts';
import { knownProject } from '../../../app/project-fold.ts';
import { Failure } from '../../../failure.ts';
import { ARTIFACT_BYTES_MAX } from '../../../kernel/limits.ts';
import { MediaType } from '../../../kernel/values.ts';
import { ledgerName } from '../../../ledger/names.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { signerOf, unwrap, withWorkbench } from '../workspace.ts';
import { isPlainText, readContent } from './artifact-content.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  const content = await readContent(ctx, args.need('file'), ARTIFACT_BYTES_MAX);
  const mediaType = mediaTypeOf(options.text('type'), content);
  await withWorkbench(ctx, options, async ({ app, bench }) => {
    const ref = await bench.find(args.need('ledger'));
    const view = await knownProject(bench);
    const signer = await signerOf(app, options, view.tip.state!.roster);
    const session = bench.session(ref, signer, view);
    const { digest, bytes, landed } = unwrap(
      await addArtifact(bench, session, await app.artifacts(), {
        content,
        mediaType,
        isEncrypted: options.flag('encrypt'),
        isNote: options.flag('note'),
        task: options.text('task'),
      }),
    );
    const encrypted = options.flag('encrypt');
    ctx.out.emit(
      [
        `recorded ${digest}`,
        `  ${mediaType}, ${bytes} bytes stored${encrypted ? ', encrypted: only who has its key can read it' : ''}`,
        `  head  ${landed.head.oid} (size ${landed.head.size})`,
        ...(encrypted
          ? [`  next: lazarus artifact key export ${ledgerName(ref)} ${digest.slice(0, 19)} -o <file>`]
          : []),
      ],
      { digest, media_type: mediaType, bytes, encrypted, index: landed.from, head: landed.head },
    );
  });
}

function mediaTypeOf(named: string | undefined, content: Uint8Array): string {
  const type = named ?? (isPlainText(content) ? 'text/plain' : 'application/octet-stream');
  if (!MediaType.safeParse(type).success)
    throw new Failure('usage', { option: 'type', expected: 'type/subtype in lower case', found: type });
  return type;
}
