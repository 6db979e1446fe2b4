// Starts `npm run gitea`: bundles it for any supported Node and runs it. Does nothing else.
import { build } from 'esbuild';

const out = new URL('../../.build/gitea/main.mjs', import.meta.url);
await build({
  entryPoints: [new URL('main.ts', import.meta.url).pathname],
  outfile: out.pathname,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
await import(out.href);
