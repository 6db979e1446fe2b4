// Starts the bench's own side processes and makes sure that each of them, and no other, is ended.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Bench } from '../bench.ts';

export type Spawned = {
  /** Its next line of output; rejects when it ended instead. */
  readonly line: () => Promise<string>;
  readonly say: (line: string) => void;
  readonly end: () => Promise<void>;
  readonly pid: number;
};

export function spawnBeside(
  bench: Bench,
  script: 'server' | 'contender' | 'supervisor',
  args: readonly string[],
): Spawned {
  const path = new URL(`processes/${script}.mjs`, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const end = (): Promise<void> => endOf(child);
  bench.atEnd(end);
  if (!process.listeners('exit').includes(killAll)) process.on('exit', killAll);
  running.add(child);
  child.once('close', () => running.delete(child));
  return {
    line: async () => {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the ${script} process ended early`);
      return value;
    },
    say: (line) => void child.stdin.write(`${line}\n`),
    end,
    pid: child.pid!,
  };
}

/** One listener for all of them: they are many, and each would count as a leak. */
const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) child.kill();
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.stdin?.end();
  await closed;
}
