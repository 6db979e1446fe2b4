// Starts the bench: builds the program as a user would run it, bundles the bench for any supported Node, and runs it.
// Measures nothing itself.
import { spawn } from 'node:child_process';
import { bundled } from '../support/bundled.mjs';

const ROOT = new URL('../../', import.meta.url);
const OUT = new URL('test/.build/bench/', ROOT);

await run('npx', ['tsc', '-p', 'tsconfig.json']);
await run('node', ['src/surfaces/action/build.mjs']);
await run('node', ['src/surfaces/hook/build.mjs']);
await run('node', ['src/surfaces/cli/build.mjs']);
await run('npm', ['run', '--silent', 'build:bin']);
await bundled({
  entryPoints: ['main.ts', 'processes/server.ts', 'processes/contender.ts', 'processes/supervisor.ts'].map(
    (name) => new URL(name, import.meta.url).pathname,
  ),
  outdir: OUT.pathname,
  outbase: new URL('.', import.meta.url).pathname,
  outExtension: { '.js': '.mjs' },
});
await run(process.execPath, ['--expose-gc', new URL('main.mjs', OUT).pathname, ...process.argv.slice(2)]);

async function run(program, args) {
  const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit' });
  // The bench cleans up after itself: what ends it is for it to hear, not for us.
  const pass = (signal) => child.kill(signal);
  process.on('SIGINT', pass).on('SIGTERM', pass);
  const code = await new Promise((resolve) => child.once('close', (status) => resolve(status ?? 1)));
  process.off('SIGINT', pass).off('SIGTERM', pass);
  if (code !== 0) process.exit(code);
}
