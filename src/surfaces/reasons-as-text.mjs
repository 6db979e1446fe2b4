// The table of all reasons as a text that is parsed when the program begins: as source it takes six times as long to read,
// and nearly every process reads it. The same table.
import { build } from 'esbuild';

/** A plugin of esbuild's. */
export const reasonsAsText = {
  name: 'reasons-as-text',
  setup: (bundler) =>
    bundler.onLoad({ filter: /\/src\/reasons\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await build({ entryPoints: [path], bundle: true, write: false, format: 'esm' });
      const { REASONS } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
      return { contents: `export const REASONS = JSON.parse(${JSON.stringify(JSON.stringify(REASONS))});` };
    }),
};
