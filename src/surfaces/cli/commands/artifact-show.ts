// `lazarus artifact show`: the content of one artifact, after its digest was checked. What a cell printed is opened with the
// keys that are here.
import { openArtifact } from '../../../app/artifacts/open.ts';
import { parsePrinted, PRINTED_MEDIA_TYPE } from '../../../app/printed/document.ts';
import { openPrinted } from '../../../app/printed/open.ts';
import { Failure } from '../../../failure.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { openingOf, withWorkbench } from '../workspace.ts';
import { printContent, writeContent } from './artifact-content.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  const { artifact, content } = await withWorkbench(ctx, options, async ({ app, bench }) => {
    const ref = await bench.find(args.need('ledger'));
    const found = await openArtifact(bench, await app.artifacts(), ref, args.need('digest'), { signal: ctx.signal });
    if (found.artifact.media_type !== PRINTED_MEDIA_TYPE || options.flag('sealed')) return found;
    const printed = parsePrinted(found.content);
    if (printed === undefined) throw new Failure('printed_altered', { because: 'no document of what was printed' });
    return { ...found, content: await openPrinted(openingOf(app, options), printed) };
  });
  const { digest, media_type, index } = artifact;
  const file = options.text('output');
  if (file !== undefined) {
    await writeContent(ctx, file, content);
    ctx.out.emit(`${file}: ${content.length} bytes of ${media_type}, ${digest}`, {
      digest,
      media_type,
      index,
      bytes: content.length,
      file,
    });
  } else if (ctx.out.json) {
    const content_base64 = Buffer.from(content).toString('base64');
    ctx.out.emit([], { digest, media_type, index, bytes: content.length, content_base64 });
  } else {
    printContent(content, { raw: options.flag('raw') });
  }
}
