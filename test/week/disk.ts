// The disk of the machines that run jobs, which may be full: then no file of what runs there grows beyond a few pages, which
// programs meet as they meet a full disk. For anybody, anywhere: it takes no rights, and no file system of its own.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type Disk = {
  /** Where machines look for programs. */
  readonly path: string;
  /** What Node is told there besides. */
  readonly options: string;
  fill(): void;
  /** Room again. */
  clear(): void;
  remove(): void;
};

/** Enough for what a job looks at, and not for a cell. */
const BYTES_LEFT = 128 * 1024;
/** A file of the project that finds no room then, and that packs well. */
export const LARGE_FILE = 'Here be dragons.\n'.repeat(60_000);

export function diskOfMachines(): Disk {
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-disk-'));
  const [bin, full] = [join(folder, 'bin'), join(folder, 'full')];
  mkdirSync(bin);
  // Whoever is over the limit is told by a signal, and dies of it unless it wants to hear the error; Node does.
  const git = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  writeFileSync(join(bin, 'git'), `#!/bin/sh\ntrap '' XFSZ\nexec '${git}' "$@"\n`, { mode: 0o755 });
  // Used by the user as whom jobs run.
  for (const one of [folder, bin]) chmodSync(one, 0o755);
  const preload = `import{existsSync}from"node:fs";import{execFileSync}from"node:child_process";
if(existsSync(${JSON.stringify(full)}))execFileSync("prlimit",["--pid",String(process.pid),"--fsize=${BYTES_LEFT}"]);`;
  return {
    path: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    options: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
    fill: () => writeFileSync(full, ''),
    clear: () => rmSync(full, { force: true }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
