// The files of a set-up on the branch: those of an earlier version are brought up to date, what people changed is left and
// shown, and a workflow that could do harm is named with what it could do.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { nodeCrypto } from '../../../../src/adapters/system/node-crypto.ts';
import { branchFilesItem, changedFilesItem, type FilesWanted } from '../../../../src/app/init/forge/branch-files.ts';
import { fileRemovals } from '../../../../src/app/init/forge/remove-files.ts';
import { MARKED_PATHS, setUpFiles } from '../../../../src/app/init/forge/set-up-files.ts';
import type { ForgeWorld } from '../../../../src/app/init/forge/world.ts';
import { setUp, type ItemResult } from '../../../../src/app/init/items.ts';
import { POLICY_PATH } from '../../../../src/app/init/policy-files.ts';
import { fromUtf8, utf8 } from '../../../../src/format/bytes.ts';
import { FORM_PATH } from '../../../../src/forge-text/form-fields.ts';
import { marked, unmarked } from '../../../../src/forge-text/mark.ts';
import { WORKFLOW_PATHS } from '../../../../src/forge-text/workflows.ts';
import type { ProjectState } from '../../../../src/kernel/state.ts';
import { VERSION } from '../../../../src/version.ts';
import { openDirectoryForge } from '../../../support/directory-forge/directory-forge.ts';
import { member, roster, testKey } from '../../../support/people.ts';
import { scratch } from '../../../support/repos.ts';

const PIN = {
  address: 'https://forge.example/ana/lazarus-action',
  commit: createHash('sha1').update('built').digest('hex'),
};
const STATE = {
  roster: roster('9b2f3d52-8f1c-4a4e-9a53-6f5f0c1f6c11', [member(testKey('ana'))]),
  project_genesis: `sha256:${'e'.repeat(64)}`,
} as unknown as ProjectState;
const NAME = { owner: 'ana', name: 'app' };
const GATE = WORKFLOW_PATHS.gate;

const by =
  (version: string, change: (lines: string) => string = (lines) => lines) =>
  (text: string): string =>
    marked(nodeCrypto, version, change(unmarked(text)));
const olderPin = (lines: string): string => lines.replace(PIN.commit, 'a'.repeat(40));

/** A branch as a set-up leaves it, with some files changed. */
async function branchWith(changes: Readonly<Record<string, (text: string) => string>>) {
  const forge = openDirectoryForge(scratch('forge'), 'ana', nodeCrypto);
  const facts = await forge.createRepository(NAME, { isPrivate: false });
  const repository = forge.repository(NAME);
  const texts = { policy: utf8('policy\n'), sacred: utf8('sacred\n') };
  const wanted = setUpFiles(nodeCrypto, STATE, { pin: PIN, texts });
  const files = wanted.map(({ path, content }) => ({
    path,
    content: utf8((changes[path] ?? ((text: string) => text))(fromUtf8(content))),
  }));
  await repository.commitFiles({ branch: 'main', message: 'set up\n', files });
  const near = { parts: { crypto: nodeCrypto } };
  const world = {
    forge,
    name: NAME,
    repository,
    near,
    facts: { ...facts, defaultBranch: 'main' },
  } as unknown as ForgeWorld;
  const unsafe: string[] = [];
  const take = async (options: { isDryRun?: boolean; overwrite?: readonly string[] } = {}) => {
    const given: FilesWanted = {
      files: async () => wanted,
      overwrite: options.overwrite ?? [],
      onWaiting: () => undefined,
      onUnsafe: (path) => void unsafe.push(path),
    };
    const items = [branchFilesItem(world, given), changedFilesItem(world, given)];
    const [ours, theirs] = await setUp(items, { isDryRun: options.isDryRun ?? false });
    return { ours: ours!, theirs: theirs! };
  };
  const remove = async (): Promise<readonly ItemResult[]> =>
    setUp(await fileRemovals(world, wanted, () => undefined), { isDryRun: false });
  const at = async (path: string): Promise<string | undefined> => {
    const found = await repository.readFile(path);
    return found && fromUtf8(found);
  };
  const written = (path: string): string => fromUtf8(wanted.find((one) => one.path === path)!.content);
  return { take, remove, at, written, unsafe };
}

it('of an earlier version are brought up to date, and a dry run says so before', async () => {
  const { take, at, written } = await branchWith({ [GATE]: by('0.0.9', olderPin), [FORM_PATH]: by('0.0.9') });
  const says = `${FORM_PATH}, ${GATE}; up to now by lazarus 0.0.9`;
  expect((await take({ isDryRun: true })).ours).toMatchObject({ is: 'would', says });
  expect(await at(GATE)).not.toBe(written(GATE));
  const { ours, theirs } = await take();
  expect({ ours, theirs }).toMatchObject({ ours: { is: 'done', says }, theirs: { is: 'already there' } });
  for (const path of MARKED_PATHS) expect(await at(path)).toBe(written(path));
  expect((await take()).ours).toMatchObject({ is: 'already there' });
});

it('from before files had marks are brought up to date as well', async () => {
  const before = (name: string) => () =>
    readFileSync(new URL(`unmarked/${name}.txt`, import.meta.url), 'utf8').replace('0'.repeat(40), 'c'.repeat(40));
  const { take, at, written } = await branchWith({ [GATE]: before('lazarus-gate'), [FORM_PATH]: before('mission') });
  expect(await take()).toMatchObject({
    ours: { is: 'done', says: expect.stringContaining('from before files named it') },
    theirs: { is: 'already there' },
  });
  for (const path of MARKED_PATHS) expect(await at(path)).toBe(written(path));
});

it('that people changed stay, are shown with the difference, and go by the line that is shown', async () => {
  const theirs = (text: string): string => text.replace('Mission proposal', 'Ask the robot');
  const { take, at, written } = await branchWith({
    [FORM_PATH]: theirs,
    [GATE]: by('0.0.9', olderPin),
    [POLICY_PATH]: () => 'our own policy\n',
  });
  for (const isDryRun of [true, false]) {
    const told = await take({ isDryRun });
    expect(told.theirs).toMatchObject({
      is: 'differs',
      says: `left alone: ${FORM_PATH}`,
      next: expect.stringMatching(
        /^lazarus init --forge \S+ --repo ana\/app --overwrite \.gitea\/ISSUE_TEMPLATE\/\S+$/,
      ),
    });
    expect(told.theirs.difference).toEqual([
      `${FORM_PATH}, as it is (-) and as lazarus ${VERSION} writes it (+)`,
      expect.stringMatching(/^ #/),
      '-name: "Ask the robot"',
      '+name: "Mission proposal"',
      expect.stringMatching(/^ about/),
    ]);
  }
  expect(await at(FORM_PATH)).toBe(theirs(written(FORM_PATH)));
  expect(await at(GATE)).toBe(written(GATE));

  expect(await take({ overwrite: [FORM_PATH] })).toMatchObject({
    ours: { is: 'done', says: FORM_PATH },
    theirs: { is: 'already there' },
  });
  expect(await at(FORM_PATH)).toBe(written(FORM_PATH));
  expect(await at(POLICY_PATH)).toBe('our own policy\n');
});

it('of a newer version stay, all of them: they call each other', async () => {
  const { take, at, written } = await branchWith({ [GATE]: by('99.0.0'), [FORM_PATH]: by('0.0.9') });
  for (const isDryRun of [true, false])
    expect((await take({ isDryRun })).ours).toMatchObject({
      is: 'differs',
      says: expect.stringContaining('lazarus 99.0.0 wrote them'),
      next: expect.stringContaining('install lazarus 99.0.0'),
    });
  expect(await at(FORM_PATH)).not.toBe(written(FORM_PATH));
});

const UNSAFE = (text: string): string =>
  text.replace('    steps:\n', '    steps:\n      - run: echo ${{ inputs.event-name }}\n');
const FOUND = /\.gitea\/workflows\/lazarus-gate\.yaml line \d+: a script holds an expression/;

it('that somebody changed into something unsafe are named with file, line and rule, and no key goes to such a branch', async () => {
  const { take, at, written, unsafe } = await branchWith({ [GATE]: UNSAFE });
  for (const isDryRun of [true, false])
    expect((await take({ isDryRun })).theirs).toMatchObject({
      is: 'differs',
      says: expect.stringMatching(FOUND),
      next: expect.stringMatching(/^find out who changed it and what ran since; then: .*--overwrite .*gate/),
    });
  expect(await at(GATE)).toBe(UNSAFE(written(GATE)));
  expect(new Set(unsafe)).toEqual(new Set([GATE]));
  expect((await take({ overwrite: [GATE] })).ours).toMatchObject({ is: 'done', says: expect.stringMatching(FOUND) });
  expect(await at(GATE)).toBe(written(GATE));
});

it('whose mark somebody forged above something unsafe are brought back, and what they had been is said', async () => {
  const { take, at, written } = await branchWith({ [GATE]: by('0.0.9', UNSAFE) });
  expect((await take({ isDryRun: true })).ours).toMatchObject({
    is: 'differs',
    says: expect.stringMatching(FOUND),
    next: expect.stringContaining('without --dry-run'),
  });
  expect((await take()).ours).toMatchObject({ is: 'done', says: expect.stringMatching(FOUND) });
  expect(await at(GATE)).toBe(written(GATE));
});

it('go with the set-up, whichever version wrote them; what people changed stays, with its line', async () => {
  const { remove, at, written } = await branchWith({
    [GATE]: by('0.0.9', olderPin),
    [FORM_PATH]: (text) => `${text}# ours\n`,
  });
  const line = written(FORM_PATH).split('\n').length;
  const [removed, ...left] = await remove();
  expect(removed).toMatchObject({ is: 'done', says: expect.stringContaining(GATE) });
  expect(left).toMatchObject([
    { title: FORM_PATH, is: 'differs', says: `left alone: somebody changed it (line ${line})` },
  ]);
  expect(await at(GATE)).toBeUndefined();
});
