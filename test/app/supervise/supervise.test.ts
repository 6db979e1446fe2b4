// Who is answered what by a supervisor, without any mission: turns in the order in which they were asked for, and none for
// somebody who left meanwhile.
import { expect, it } from 'vitest';
import { supervisor, type TurnAsked } from '../../../src/app/supervise/supervise.ts';
import { askedLine, parseTold } from '../../../src/app/supervise/wire.ts';
import type { Turn } from '../../../src/app/gate/going.ts';
import { Failure } from '../../../src/failure.ts';
import type { Caller } from '../../../src/ports/door.ts';

const PROJECT = { serverUrl: 'http://x', owner: 'ana', repository: 'm1', genesis: `sha256:${'0'.repeat(64)}` };
const TOKEN = 'a-token-of-one-job-0123456789abcdef';
const GOOD: Turn = {
  outcome: {
    decision: 'continue',
    reasonCode: 'work_handed_over',
    next: 'writer',
    mission: 'm-0123456789ab',
    digest: null,
    seq: 7,
    receipts: [],
    wake: [],
  },
  view: null,
};

function setting(atOnce = 1) {
  const begun: TurnAsked[] = [];
  const ends: ((turn: Turn | Error) => void)[] = [];
  const log: string[] = [];
  const closing = new AbortController();
  const turn = (asked: TurnAsked): Promise<Turn> => {
    begun.push(asked);
    return new Promise((resolve, reject) => {
      ends.push((end) => (end instanceof Error ? reject(end) : resolve(end)));
    });
  };
  const answer = supervisor({
    projects: [PROJECT],
    atOnce,
    turn,
    log: (line) => void log.push(line),
    closing: closing.signal,
  });
  const knock = (mission: string, changes: object = {}) => {
    const leaving = new AbortController();
    const said: ReturnType<typeof parseTold>[] = [];
    const about = { server_url: 'http://x', owner: 'ana', repository: 'm1', mission, token: TOKEN, ...changes };
    const caller: Caller = {
      asked: Promise.resolve(askedLine(about)),
      leaving: leaving.signal,
      tell: (line) => void said.push(parseTold(line)),
      end: async (line) => void said.push(parseTold(line)),
    };
    return { said, leaving, answered: answer(caller) };
  };
  return { begun, ends, log, closing, knock };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('lends a turn the token of its job and the genesis of its own list', async () => {
  const { begun, ends, knock, log } = setting();
  const { said, answered } = knock('m-0123456789ab');
  await settled();
  expect(begun).toMatchObject([{ project: PROJECT, mission: 'm-0123456789ab', token: TOKEN }]);
  begun[0]!.told('on the way');
  ends[0]!(GOOD);
  await answered;
  expect(said).toMatchObject(['on the way', { outcome: GOOD.outcome, exit: 0 }]);
  expect(log.join()).not.toContain(TOKEN);
});

it('runs no more at once than it may, the others in order, and nobody who left before', async () => {
  const { begun, ends, knock } = setting(1);
  const first = knock('m-000000000001');
  await settled();
  const second = knock('m-000000000002');
  const third = knock('m-000000000003');
  await settled();
  expect(begun).toHaveLength(1);
  second.leaving.abort();
  await second.answered;
  expect(second.said.at(-1)).toMatchObject({ outcome: { reasonCode: 'interrupted' }, exit: 130 });
  ends[0]!(GOOD);
  await first.answered;
  await settled();
  expect(begun.map(({ mission }) => mission)).toEqual(['m-000000000001', 'm-000000000003']);
  ends[1]!(GOOD);
  await third.answered;
});

it('tells a turn that its job leaves, and that the supervisor does', async () => {
  const { begun, ends, knock, closing } = setting(2);
  const one = knock('m-000000000001');
  const other = knock('m-000000000002');
  await settled();
  one.leaving.abort();
  expect(begun.map(({ leaving }) => leaving.aborted)).toEqual([true, false]);
  closing.abort();
  expect(begun.map(({ leaving }) => leaving.aborted)).toEqual([true, true]);
  ends.forEach((end) => end(new Failure('interrupted')));
  await Promise.all([one.answered, other.answered]);
});

it('gives its place on after a turn that broke, and tells a job nothing of a bug but its name', async () => {
  const { ends, knock, log } = setting();
  const first = knock('m-000000000001');
  await settled();
  ends[0]!(new Error('at /var/lib/lazarus/secret'));
  await first.answered;
  expect(JSON.stringify(first.said)).not.toContain('/var/lib');
  expect(first.said).toMatchObject([{ outcome: { decision: 'failure', reasonCode: 'internal' }, exit: 1 }]);
  expect(log.join()).toContain('at /var/lib/lazarus/secret');
  const second = knock('m-000000000002');
  await settled();
  ends[1]!(GOOD);
  await second.answered;
  expect(second.said).toMatchObject([{ exit: 0 }]);
});

it('compares the whole address of a project', async () => {
  const { begun, knock } = setting();
  for (const changes of [{ owner: 'Ana' }, { repository: 'm1.git' }, { server_url: 'http://x/' }]) {
    const { said, answered } = knock('m-0123456789ab', changes);
    await answered;
    expect(said).toMatchObject([{ outcome: { reasonCode: 'project_unlisted' }, exit: 3 }]);
  }
  expect(begun).toEqual([]);
});
