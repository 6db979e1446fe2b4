// Builds the action as a few files that need nothing beside them: the same sources give the same bytes, so that a commit
// pins it. What only some jobs need lies in files of their own, because reading a program takes longer than its answer.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build } from 'esbuild';

const here = (name) => new URL(name, import.meta.url);
const { version } = JSON.parse(readFileSync(here('../../../package.json'), 'utf8'));
const out = here('../../../dist/action/');
mkdirSync(out, { recursive: true });

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

const { outputFiles } = await build({
  write: false,
  entryPoints: { main: here('start.ts').pathname },
  outdir: out.pathname,
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
    js: `/* lazarus action ${version}, Apache-2.0 */ import { createRequire as __lazarusRequire } from 'node:module'; const require = __lazarusRequire(import.meta.url);`,
  },
});

// Files that did not change are left alone: a job may be reading them.
const built = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
built.set('action.yml', readFileSync(here('../../../action.yml')));
for (const [name, bytes] of built) {
  const file = new URL(name, out);
  if (!existsSync(file) || !readFileSync(file).equals(bytes)) writeFileSync(file, bytes);
}
for (const name of readdirSync(out)) if (!built.has(name)) rmSync(new URL(name, out), { recursive: true });
