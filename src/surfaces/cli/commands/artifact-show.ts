// `lazarus artifact show`: the content of one artifact, after its digest was checked.
import { openArtifact } from '../../../app/artifacts/open.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';
import { printContent, writeContent } from './artifact-content.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  const { artifact, content } = await withWorkbench(ctx, options, async ({ app, bench }) => {
    const ref = await bench.find(args.need('ledger'));
    return openArtifact(bench, await app.artifacts(), ref, args.need('digest'), { signal: ctx.signal });
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
