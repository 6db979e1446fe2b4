// Starts `npm run week`: bundles it for any supported Node, and runs it. Does nothing else.
import { spawn } from 'node:child_process';
import { build } from 'esbuild';

const OUT = new URL('../.build/week/main.mjs', import.meta.url).pathname;

// Test support names the test runner for its clean-up; here nothing of it is used, so nothing of it may be loaded.
const withoutTestRunner = {
  name: 'without-test-runner',
  setup: (bundler) =>
    bundler.onResolve({ filter: /^vitest$/ }, () => ({ path: 'vitest', external: true, sideEffects: false })),
};

await build({
  entryPoints: [new URL('main.ts', import.meta.url).pathname],
  outfile: OUT,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  plugins: [withoutTestRunner],
  logLevel: 'warning',
});
const child = spawn(process.execPath, [OUT, ...process.argv.slice(2)], { stdio: 'inherit' });
process.on('SIGINT', () => {}).on('SIGTERM', () => {});
child.once('close', (status) => process.exit(status ?? 1));
