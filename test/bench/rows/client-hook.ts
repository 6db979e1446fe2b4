// How long a push waits for the hook of the clone: the hook as git starts it, for an ordinary branch, which must cost next to
// nothing, and for a mission's work branch, whose difference is judged by the rule of the kernel.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { CLI_MAIN } from '../cli-main.ts';
import { inRounds, median, quantile, timedMs } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const clientHook: Row = { name: 'client hook', run };

const PUSHES_PER_ROUND = 5;
const TEMPLATES = new URL('../../../templates/', import.meta.url).pathname;

async function run(bench: Bench): Promise<readonly Line[]> {
  bench.say('setting up a clone with hooks and a mission’s work branch');
  const { folder, commit, branch } = workBranch(bench.path('hooks'));
  const all: Record<'ordinary' | 'work', number[]> = { ordinary: [], work: [] };
  const pushes = (name: keyof typeof all, ref: string) => async (): Promise<number> => {
    const each: number[] = [];
    for (let i = 0; i < PUSHES_PER_ROUND; i++) each.push(await timedMs(() => prePush(folder, ref, commit)));
    all[name].push(...each);
    return median(each);
  };
  const ordinary = pushes('ordinary', 'refs/heads/fix');
  const work = pushes('work', `refs/heads/${branch}`);
  // The first look verifies the ledgers, and keeps what it found out.
  const firstMs = await timedMs(() => prePush(folder, `refs/heads/${branch}`, commit));
  const took = await inRounds(bench.sizes.rounds, { ordinary, work });
  const line = (what: string, name: keyof typeof all, more = ''): Line => ({
    what,
    unit: 'ms',
    values: took[name],
    budget: { atMost: 120 },
    beside: `p95 ${quantile(all[name], 0.95).toFixed(0)} ms, n = ${all[name].length}${more}`,
  });
  return [
    line('push of an ordinary branch, p50', 'ordinary'),
    line(
      'push of a work branch, its paths checked, p50',
      'work',
      `; the first look, which verifies both ledgers, ${firstMs.toFixed(0)} ms`,
    ),
  ];
}

/** As git tells it: a line for each reference on standard input. */
async function prePush(cwd: string, ref: string, commit: string): Promise<void> {
  const hook = spawn(join(cwd, '.git/hooks/pre-push'), ['origin', 'https://forge.example/team/app.git'], {
    cwd,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  hook.stdin.end(`${ref} ${commit} ${ref} ${'0'.repeat(40)}\n`);
  const code = await new Promise((resolve) => hook.once('close', resolve));
  if (code !== 0) throw new Error(`the hook refused ${ref}`);
}

function workBranch(root: string): { readonly folder: string; readonly commit: string; readonly branch: string } {
  const [folder, home] = [join(root, 'project'), join(root, 'home')];
  for (const made of [folder, home]) mkdirSync(made, { recursive: true });
  const env = { PATH: process.env['PATH'], HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const start = (program: string, args: readonly string[]): string =>
    execFileSync(program, args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  const git = (...args: readonly string[]): string =>
    start('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid', ...args]);
  const lazarus = (...args: readonly string[]): string => start(process.execPath, [CLI_MAIN, ...args]);
  cpSync(join(TEMPLATES, 'example'), folder, { recursive: true });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'begin');
  lazarus('init', '--name', 'ana', '--unprotected', '--commit');
  const { mission } = JSON.parse(lazarus('propose', join(TEMPLATES, 'mission.yaml'), '--json')) as { mission: string };
  lazarus('init', '--hooks');
  chmodSync(join(folder, 'src/greet.sh'), 0o755);
  git('commit', '-q', '-a', '-m', 'work');
  return { folder, commit: git('rev-parse', 'HEAD'), branch: `lazarus-work/${mission}/1` };
}
