// `lazarus artifact key`: hands the key of an encrypted artifact to a colleague, and takes one. Through files and
// standard input: an argument could be read by every process of the machine.
import { openArtifact, takeKey } from '../../../app/artifacts/open.ts';
import { encodeArtifactKey, parseArtifactKey } from '../../../format/artifact.ts';
import { fromUtf8, utf8 } from '../../../format/bytes.ts';
import { Failure } from '../../../failure.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';
import { readContent, writeContent } from './artifact-content.ts';

const KEY_FILE_BYTES_MAX = 4096;

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  return args.need('action') === 'export' ? exportKey(ctx, args, options) : importKey(ctx, args, options);
}

async function exportKey(ctx: Context, args: Values, options: Values): Promise<void> {
  const file = options.text('output');
  // A terminal keeps what it shows, and so does whoever looks over a shoulder.
  if (file === undefined && process.stdout.isTTY)
    throw new Failure('usage', { expected: '--output <file>, or a pipe to write the key to' });
  const { digest, text } = await withWorkbench(ctx, options, async ({ app, bench }) => {
    const kit = await app.artifacts();
    const ref = await bench.find(args.need('ledger'));
    // Opened first: a key that does not open its artifact is not worth handing over.
    const { artifact } = await openArtifact(bench, kit, ref, args.need('what'), { signal: ctx.signal });
    const key = await kit.keys.read(artifact.digest);
    if (key === undefined)
      throw new Failure('artifact_key_absent', { digest: artifact.digest, encryption: artifact.encryption });
    return { digest: artifact.digest, text: encodeArtifactKey({ digest: artifact.digest, key }) };
  });
  if (file === undefined) return void process.stdout.write(text);
  await writeContent(ctx, file, utf8(text));
  ctx.out.emit([`${file}: the key of ${digest}. Whoever has it can read the artifact; send it on a way you trust.`], {
    digest,
    file,
  });
}

async function importKey(ctx: Context, args: Values, options: Values): Promise<void> {
  const name = args.need('what');
  const given = parseArtifactKey(textOf(await readContent(ctx, name, KEY_FILE_BYTES_MAX)));
  if (given === undefined) throw new Failure('artifact_key_malformed', { file: name });
  await withWorkbench(ctx, options, async ({ app, bench }) => {
    const ref = await bench.find(args.need('ledger'));
    const { isTried } = await takeKey(bench, await app.artifacts(), ref, given);
    const how = isTried ? 'it opens the artifact' : 'not tried: the bytes are not here';
    ctx.out.emit(`key of ${given.digest} taken (${how})`, { digest: given.digest, tried: isTried });
  });
}

function textOf(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch {
    return '';
  }
}
