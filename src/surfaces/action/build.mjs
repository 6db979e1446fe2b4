// Builds the action as one file with nothing beside it: the same sources give the same bytes, so that a commit pins it.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';

const here = (name) => new URL(name, import.meta.url);
const { version } = JSON.parse(readFileSync(here('../../../package.json'), 'utf8'));
const out = here('../../../dist/action/');
mkdirSync(out, { recursive: true });

await build({
  entryPoints: [here('start.ts').pathname],
  outfile: new URL('main.mjs', out).pathname,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minify: true,
  charset: 'ascii',
  legalComments: 'none',
  // Some dependencies are CommonJS and ask for Node's own modules by `require`.
  banner: {
    js: `/* lazarus action ${version}, Apache-2.0 */ import { createRequire as __lazarusRequire } from 'node:module'; const require = __lazarusRequire(import.meta.url);`,
  },
});
copyFileSync(here('../../../action.yml'), new URL('action.yml', out));
