// `lazarus inbox` in a clone of a forge's repository: it asks for what the forge's jobs say is open, and for nothing that is
// over, however much of that there has been.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WORKFLOW_PATHS } from '../../../src/forge-text/workflows.ts';
import { git } from '../../support/repos.ts';
import { json, ok, workshop, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
let server: string;
let clone: string;
let missions: readonly string[];
const inbox = async (): Promise<readonly string[]> => {
  const found = await json<{ waiting: readonly { mission: string }[] }>(
    at.run(['inbox', '--all', '--json'], { cwd: clone }),
  );
  return found.waiting.map(({ mission }) => mission);
};
const broughtHere = (): string =>
  git(clone, ['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/heads/lazarus/m-*']);

beforeAll(async () => {
  at = await workshop();
  // By which a clone knows that jobs of a forge run its missions.
  mkdirSync(join(at.folder, '.gitea/workflows'), { recursive: true });
  writeFileSync(join(at.folder, WORKFLOW_PATHS.caller), '# for nobody to run\n');
  git(at.folder, ['add', '.gitea']);
  git(at.folder, ['commit', '-qm', 'a workflow']);
  missions = [(await at.propose()).mission, (await at.propose()).mission];
  server = join(at.home, 'server.git');
  clone = join(at.home, 'clone');
  git(at.folder, ['init', '-q', '--bare', '-b', 'main', server]);
  git(at.folder, ['push', '-q', '--mirror', server]);
  git(server, ['update-ref', `refs/lazarus/open/${missions[0]}`, 'main']);
  git(at.folder, ['clone', '-q', server, clone]);
  const { genesis } = await json<{ genesis: string }>(at.run(['init', '--name', 'ana', '--json']));
  await ok(at.run(['verify', 'project', '--genesis', genesis], { cwd: clone }));
});
afterAll(() => at.remove());

it('brings and shows what has a pointer', async () => {
  expect(await inbox()).toEqual([missions[0]]);
  expect(broughtHere()).toBe(missions[0]);
});

it('shows one that cannot be had by its reason, and the others all the same', async () => {
  git(server, ['update-ref', `refs/lazarus/open/${missions[1]}`, 'main']);
  git(server, ['update-ref', `refs/heads/lazarus/${missions[1]}`, 'main']);
  const { waiting } = await json<{ waiting: readonly { mission: string; state: string }[] }>(
    at.run(['inbox', '--all', '--json'], { cwd: clone }),
  );
  expect(new Set(waiting.map(({ mission }) => mission))).toEqual(new Set(missions));
  expect(waiting.find(({ mission }) => mission === missions[0])!.state).toBe('awaiting approval');
  expect(waiting.find(({ mission }) => mission === missions[1])!.state).not.toBe('awaiting approval');
});
