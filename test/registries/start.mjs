// Starts the try at live registries: bundles it for any supported Node, and runs it. Reaches nobody itself.
import { spawnSync } from 'node:child_process';
import { bundled } from '../support/bundled.mjs';

const OUT = new URL('../.build/registries/main.mjs', import.meta.url).pathname;

await bundled({
  entryPoints: [new URL('main.ts', import.meta.url).pathname],
  outfile: OUT,
});
const { status } = spawnSync(process.execPath, [OUT, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exit(status ?? 1);
