// Makes one program of many sources, for what has to start quickly or to stand alone: the same sources give the same bytes.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { octokitRoutes } from './octokit-routes.mjs';
import { reasonsAsText } from './reasons-as-text.mjs';

export const SOURCES = new URL('../', import.meta.url).pathname;

/** Asked for by name, zod comes whole, with what is wrong in fifty languages; as a namespace only what is used of it does. */
const wholeZod = /^import \{ z(?:, type \w+)? \} from 'zod';$/m;
const partsOfZod = "import * as z from 'zod';";

/** The same parser twice: as CommonJS, which a bundle has to keep whole, and as modules, of which it keeps what is used. */
const yaml = fileURLToPath(new URL('browser/dist/index.js', import.meta.resolve('yaml/package.json')));

/** What a source of ours imports of ours when it needs it. */
export const lazyImport = /\bimport\('(\.[^']+)'\)/g;

/**
 * Every lazy import would begin a file of its own, and what two of them share another one: a hundred files, for which a
 * program asks one after the other. Only those of `apart` do; of the rest nothing is run until it is asked for, but it lies
 * in the file of whoever asks. `lazarus status` takes 27 ms less of processor time for that, and 85 less than unbundled.
 */
export function lazily(apart) {
  return {
    asks: (asked) => (apart.test(asked) ? `import('${asked}')` : `Promise.resolve().then(() => require('${asked}'))`),
    adds: () => undefined,
  };
}

const rewritten = ({ asks, adds }) => ({
  name: 'rewritten',
  setup: (bundler) => {
    adds(bundler);
    bundler.onLoad({ filter: /\.ts$/, namespace: 'file' }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replace(wholeZod, partsOfZod)
        .replace(lazyImport, (_, asked) => asks(asked, { by: path })),
    }));
  },
});

/** `entries`: sources by the names of the files that begin with them. `isRead`: by people too, in what an error says. */
export async function bundle(name, { entries, folder, lazies, extension = '.mjs', isRead = false }) {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { outputFiles } = await build({
    write: false,
    entryPoints: Object.fromEntries(Object.entries(entries).map(([file, { pathname }]) => [file, pathname])),
    outdir: folder.pathname,
    outExtension: { '.js': extension },
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: !isRead,
    charset: 'ascii',
    legalComments: 'none',
    plugins: [reasonsAsText, octokitRoutes, rewritten(lazies)],
    alias: { yaml },
    // Some dependencies are CommonJS and ask for Node's own modules by `require`. No `node:`, which no old Node could read.
    banner: {
      js: `/* lazarus ${name} ${version}, Apache-2.0 */ import { createRequire as __lazarusRequire } from 'module'; const require = __lazarusRequire(import.meta.url);`,
    },
  });
  return outputFiles;
}
