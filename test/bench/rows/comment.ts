// What a comment that is no command costs: the whole process of the built action, against Node doing nothing at all.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Bench } from '../bench.ts';
import { ACTION_MAIN } from '../cli-main.ts';
import { inRounds, median, quantile, ratios, timedMs } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const plainComment: Row = { name: 'comment without a command', run };

const STARTS_PER_ROUND = 7;
const execute = promisify(execFile);

async function run(bench: Bench): Promise<readonly Line[]> {
  const payload = bench.path('comment.json');
  writeFileSync(payload, JSON.stringify(COMMENT));
  const env = {
    PATH: process.env['PATH'],
    INPUT_JOB: 'gate',
    'INPUT_EVENT-NAME': 'issue_comment',
    INPUT_GENESIS: `sha256:${'5a'.repeat(32)}`,
    GITHUB_SERVER_URL: 'http://127.0.0.1:1',
    GITHUB_REPOSITORY: 'ana/m1',
    GITHUB_EVENT_PATH: payload,
  };
  const all: number[] = [];
  bench.say('starting the action');
  const took = await inRounds(bench.sizes.rounds, {
    action: async () => {
      const each = await times(async () => {
        const { stdout } = await execute(process.execPath, [ACTION_MAIN], { env });
        if (!stdout.includes('ignored_not_command')) throw new Error(`the action said: ${stdout}`);
      });
      all.push(...each);
      return median(each);
    },
    node: async () => median(await times(() => execute(process.execPath, ['-e', '0']))),
  });
  return [
    {
      what: 'p50, whole process',
      unit: 'ms',
      values: took.action,
      budget: { atMost: 300 },
      beside: `p95 ${quantile(all, 0.95).toFixed(0)} ms, n = ${all.length}`,
    },
    {
      what: 'of node -e 0',
      unit: '×',
      values: ratios(took.action, took.node),
      beside: `node alone ${median(took.node).toFixed(0)} ms`,
    },
  ];
}

async function times(work: () => Promise<unknown>): Promise<number[]> {
  const each: number[] = [];
  for (let i = 0; i < STARTS_PER_ROUND; i++) each.push(await timedMs(work));
  return each;
}

const USER = { id: 2, login: 'ben', email: 'ben@example.invalid' };

const COMMENT = {
  action: 'created',
  issue: {
    number: 1,
    user: { id: 1 },
    title: 'A question',
    body: 'How does this work?',
    state: 'open',
    updated_at: '2026-11-18T10:00:00Z',
    pull_request: null,
  },
  comment: { id: 7, user: USER, body: 'Thanks, that helped.\n\nI shall read on.' },
  repository: { id: 1, full_name: 'ana/m1' },
  sender: USER,
  is_pull: false,
};
