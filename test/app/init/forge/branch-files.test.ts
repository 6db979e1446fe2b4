// Workflow files on the branch: what a set-up says of one that somebody changed, and that it brings it back.
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { nodeCrypto } from '../../../../src/adapters/system/node-crypto.ts';
import { branchFilesItem } from '../../../../src/app/init/forge/branch-files.ts';
import { workflowFiles } from '../../../../src/app/init/forge/workflow-files.ts';
import type { ForgeWorld } from '../../../../src/app/init/forge/world.ts';
import { setUp, type ItemResult } from '../../../../src/app/init/items.ts';
import { fromUtf8, utf8 } from '../../../../src/format/bytes.ts';
import { WORKFLOW_PATHS } from '../../../../src/forge-text/workflows.ts';
import { openDirectoryForge } from '../../../support/directory-forge/directory-forge.ts';
import { scratch } from '../../../support/repos.ts';

const PIN = {
  address: 'https://forge.example/ana/lazarus-action',
  commit: createHash('sha1').update('built').digest('hex'),
  genesis: `sha256:${'e'.repeat(64)}`,
};
const NAME = { owner: 'ana', name: 'app' };
const GATE = WORKFLOW_PATHS.gate;

/** A branch with the files of lazarus, the gate's changed by `change`. */
async function branchWith(change: (text: string) => string) {
  const forge = openDirectoryForge(scratch('forge'), 'ana', nodeCrypto);
  const facts = await forge.createRepository(NAME, { isPrivate: false });
  const repository = forge.repository(NAME);
  const wanted = workflowFiles(PIN);
  const files = wanted.map(({ path, content }) => ({
    path,
    content: path === GATE ? utf8(change(fromUtf8(content))) : content,
  }));
  await repository.commitFiles({ branch: 'main', message: 'set up\n', files });
  const world = { repository, facts: { ...facts, defaultBranch: 'main' } } as unknown as ForgeWorld;
  const item = branchFilesItem(
    world,
    async () => wanted,
    () => undefined,
  );
  const take = async (isDryRun: boolean): Promise<ItemResult> => (await setUp([item], { isDryRun }))[0]!;
  const gate = async (): Promise<string> => fromUtf8((await repository.readFile(GATE))!);
  return { take, gate, written: fromUtf8(wanted.find(({ path }) => path === GATE)!.content) };
}

const EXPRESSION = (text: string): string =>
  text.replace('    steps:\n', '    steps:\n      - run: echo ${{ inputs.event-name }}\n');
const FOUND = /^\.gitea\/workflows\/lazarus-gate\.yaml line \d+: a script holds an expression/;

it('a dry run names file, line and rule of a workflow that was changed into something unsafe, and changes nothing', async () => {
  const { take, gate, written } = await branchWith(EXPRESSION);
  expect(await take(true)).toMatchObject({
    is: 'differs',
    says: expect.stringMatching(FOUND),
    next: expect.stringContaining('without --dry-run'),
  });
  expect(await gate()).toBe(EXPRESSION(written));
});

it('a set-up brings it back, and says what it had been', async () => {
  const { take, gate, written } = await branchWith(EXPRESSION);
  const done = await take(false);
  expect(done).toMatchObject({ is: 'done', says: expect.stringContaining('a script holds an expression') });
  expect(await gate()).toBe(written);
  expect(await take(false)).toMatchObject({ is: 'already there' });
});

it('a file of an earlier version is only out of date: a dry run names the first line that is another', async () => {
  const { take } = await branchWith((text) => text.replace(PIN.commit, 'a'.repeat(40)));
  const told = await take(true);
  expect(told).toMatchObject({ is: 'would', says: expect.stringContaining(`${GATE} line `) });
  expect(told.says).not.toMatch(FOUND);
});

it('files as they should be are already there', async () => {
  const { take } = await branchWith((text) => text);
  expect(await take(true)).toMatchObject({ is: 'already there' });
});
