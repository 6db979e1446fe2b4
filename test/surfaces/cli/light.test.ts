// What people wait for most often does without the libraries that take long to load: a machine on which they cannot be
// loaded answers all the same.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { without } from '../../support/too-heavy.ts';
import { ok, workshop, type Workshop } from '../../support/workshop.ts';

const BUNDLE = new URL('../../../dist/surfaces/cli/', import.meta.url);

let at: Workshop;
let mission: string;
beforeAll(async () => {
  at = await workshop();
  ({ mission } = await at.propose());
});
afterAll(() => at.remove());

/** By a word that stands in it and nowhere else: the command line is bundled, and no library is loaded by its name. */
const WORDS = {
  execa: 'execaCoreAsync',
  'simple-git': 'GitPluginError',
  '@octokit/rest': 'restEndpointMethods',
  openpgp: 'SymEncryptedIntegrityProtectedDataPacket',
};
const env = without(WORDS);

it.each([
  ['--help', () => ['--help']],
  ['status', () => ['status', mission]],
  ['why', () => ['why', mission]],
  ['list', () => ['list']],
  ['verify', () => ['verify']],
] as const)('lazarus %s loads none of them', async (_, args) => {
  await ok(at.run([...args()], { env }));
});

it.each(Object.entries(WORDS))('%s is in the command line, under the word it is known by here', (_, word) => {
  const parts = readdirSync(BUNDLE).filter((name) => name.endsWith('.js'));
  expect(parts.some((name) => readFileSync(new URL(name, BUNDLE), 'utf8').includes(word))).toBe(true);
});

it('would be seen to load one: a look at the files of a work tree does', async () => {
  const { code, stderr } = await at.run(['policy', 'show'], { env });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/too heavy: (execa|simple-git)/)]);
});
