// What people decide about a project in an ordinary clone of it, typed without naming a remote: it lands where the project lives.
// Written into the clone alone it would stand beside what others write there meanwhile.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { git } from '../../support/repos.ts';
import { json, ok, workshop, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
let server: string;
let clone: string;
const type = (...args: readonly string[]) => at.run(args, { cwd: clone });
const there = (): string => git(at.folder, ['ls-remote', server, 'refs/heads/lazarus/project']);

beforeAll(async () => {
  at = await workshop();
  server = join(at.home, 'server.git');
  clone = join(at.home, 'clone');
  git(at.folder, ['init', '-q', '--bare', '-b', 'main', server]);
  git(at.folder, ['push', '-q', server, 'main']);
  await ok(at.run(['ledger', 'push', server]));
  git(at.folder, ['clone', '-q', server, clone]);
});
afterAll(() => at.remove());

it('nothing is written anywhere before the clone was introduced', async () => {
  const before = there();
  for (const args of [
    ['stop', '--key', 'ana'],
    ['roster', 'threshold', '1', '--yes', '--key', 'ana'],
  ])
    expect(await type(...args)).toMatchObject({ code: 3, stderr: expect.stringMatching(/^genesis_unconfirmed: /) });
  expect(there()).toBe(before);
  const { genesis } = await json<{ genesis: string }>(at.run(['init', '--name', 'ana', '--json']));
  await ok(type('verify', 'project', '--genesis', genesis));
});

it.each([
  ['a stop', ['stop', '--key', 'ana']],
  ['its end', ['unstop', '--key', 'ana']],
  ['a change of the roster', ['roster', 'set', 'ana', '--person', 'ana.a', '--yes', '--key', 'ana']],
])('%s is there before it is said to be done', async (_, args) => {
  const before = there();
  await ok(type(...args));
  expect(there()).not.toBe(before);
  // Others can go on from it at once.
  expect(there().split('\t')[0]).toBe(git(clone, ['rev-parse', 'refs/heads/lazarus/project']));
});

it('and without the server nothing is said to be done, and nothing is written here', async () => {
  const [before, here] = [there(), git(clone, ['rev-parse', 'refs/heads/lazarus/project'])];
  git(clone, ['remote', 'set-url', 'origin', join(at.home, 'gone.git')]);
  expect((await type('stop', '--key', 'ana')).code).not.toBe(0);
  expect([there(), git(clone, ['rev-parse', 'refs/heads/lazarus/project'])]).toEqual([before, here]);
});
