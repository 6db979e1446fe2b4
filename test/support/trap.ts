// A program that leaves a mark when it runs: what a prepared repository would like to have run.
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './repos.ts';

export type Trap = {
  readonly program: string;
  readonly hasRun: () => boolean;
  readonly forget: () => void;
  /** Puts the same program where git looks for a hook. */
  readonly asHook: (folder: string, name: string) => void;
};

export function trap(): Trap {
  const folder = scratch('trap');
  const [program, mark] = [join(folder, 'trap'), join(folder, 'mark')];
  const script = `#!/bin/sh\necho "$0 $*" >> '${mark}'\nexit 1\n`;
  const write = (path: string): void => {
    writeFileSync(path, script);
    chmodSync(path, 0o755);
  };
  write(program);
  return {
    program,
    hasRun: () => existsSync(mark),
    forget: () => rmSync(mark, { force: true }),
    asHook: (hooks, name) => write(join(hooks, name)),
  };
}
