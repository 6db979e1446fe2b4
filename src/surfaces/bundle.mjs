// Makes one program of many sources, for what has to start quickly or to stand alone: the same sources give the same bytes.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

/** Asked for by name, zod comes whole, with what is wrong in fifty languages; as a namespace only what is used of it does. */
const partsOfZod = {
  name: 'parts-of-zod',
  setup: (bundler) =>
    bundler.onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replace(
        /^import \{ z(?:, type \w+)? \} from 'zod';$/m,
        "import * as z from 'zod';",
      ),
    })),
};

/** What is imported when it is needed lies in files of its own, because reading a program takes longer than its answer. */
export async function bundle(name, { entry, folder }) {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { outputFiles } = await build({
    write: false,
    entryPoints: { main: entry.pathname },
    outdir: folder.pathname,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    charset: 'ascii',
    legalComments: 'none',
    plugins: [partsOfZod],
    // Some dependencies are CommonJS and ask for Node's own modules by `require`.
    banner: {
      js: `/* lazarus ${name} ${version}, Apache-2.0 */ import { createRequire as __lazarusRequire } from 'node:module'; const require = __lazarusRequire(import.meta.url);`,
    },
  });
  return outputFiles;
}
