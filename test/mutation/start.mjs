// Starts mutation testing: bundles its two halves for any supported Node, the command and the test runner that StrykerJS
// loads, and runs the command. Mutates nothing itself.
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';

const OUT = new URL('../../.mutation/', import.meta.url);

await build({
  entryPoints: ['main.ts', 'test-runner.ts'].map((name) => new URL(name, import.meta.url).pathname),
  outdir: OUT.pathname,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  logLevel: 'warning',
});
const { status } = spawnSync(process.execPath, [new URL('main.mjs', OUT).pathname, ...process.argv.slice(2)], {
  cwd: new URL('../../', import.meta.url),
  stdio: 'inherit',
});
process.exit(status ?? 1);
