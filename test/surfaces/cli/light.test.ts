// What people wait for most often does without the libraries that take long to load: a machine on which they cannot be
// loaded answers all the same.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ok, workshop, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
let mission: string;
beforeAll(async () => {
  at = await workshop();
  ({ mission } = await at.propose());
});
afterAll(() => at.remove());

const HOOKS = `export const resolve = (name, context, next) => {
  if (['execa', 'simple-git', '@octokit/rest', 'isomorphic-git', 'openpgp'].includes(name)) throw new Error('too heavy: ' + name);
  return next(name, context);
};`;
const SETUP = `import { register } from 'node:module'; register(${JSON.stringify(asModule(HOOKS))});`;
const env = { NODE_OPTIONS: `--import=${asModule(SETUP)}` };

function asModule(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

it.each([
  ['--help', () => ['--help']],
  ['status', () => ['status', mission]],
  ['why', () => ['why', mission]],
  ['list', () => ['list']],
  ['verify', () => ['verify']],
] as const)('lazarus %s loads none of them', async (_, args) => {
  await ok(at.run([...args()], { env }));
});

it('would be seen to load one: a look at the files of a work tree does', async () => {
  const { code, stderr } = await at.run(['policy', 'show'], { env });
  expect([code, stderr]).toEqual([1, expect.stringContaining('too heavy: simple-git')]);
});
