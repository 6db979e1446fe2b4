// Starts `npm run week`: bundles it for any supported Node, and runs it. Does nothing else.
import { spawn } from 'node:child_process';
import { bundled } from '../support/bundled.mjs';

const OUT = new URL('../.build/week/main.mjs', import.meta.url).pathname;

await bundled({
  entryPoints: [new URL('main.ts', import.meta.url).pathname],
  outfile: OUT,
});
const child = spawn(process.execPath, [OUT, ...process.argv.slice(2)], { stdio: 'inherit' });
process.on('SIGINT', () => {}).on('SIGTERM', () => {});
child.once('close', (status) => process.exit(status ?? 1));
