// `lazarus/verify` as a program uses it: the built package, in a process that cannot reach any git.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { verifyLedger } from '../../../src/app/verify/verify-ledger.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import { bytesOf } from '../../support/given.ts';
import {
  bundleOf,
  MISSION,
  missionMaterial,
  noteBy,
  store,
  stranger,
  world,
  type World,
} from '../../support/bundles.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';

const DIST = new URL('../../../dist/verify.js', import.meta.url).href;
const REF = missionRef(MISSION);
const NAME = REF.slice('refs/heads/lazarus/'.length);

let w: World;
beforeAll(() => {
  w = world();
});

/** Runs a program against the built entry with an empty PATH; it prints one JSON value. */
async function withoutGit(program: string): Promise<unknown> {
  const folder = scratch('nogit');
  const script = join(folder, 'program.mjs');
  const lines = [`import fs from 'node:fs';`, `import { checkBundle, verifyRepository } from ${JSON.stringify(DIST)};`];
  writeFileSync(script, `${lines.join('\n')}\n${program}`);
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env: { PATH: folder }, cwd: folder });
  return JSON.parse(stdout);
}

const report = (options: object): Promise<unknown> =>
  withoutGit(`const { report } = await verifyRepository({ fs, ...${JSON.stringify(options)} });
    const { integrity, trust, events, transactions, head, name } = report;
    console.log(JSON.stringify({ integrity, trust, events, transactions, head, name }));`);

async function throughGit(folder: string): Promise<unknown> {
  const reader = await openRepository(folder);
  const { report } = await verifyLedger({ crypto: nodeCrypto, reader, ref: REF, mode: 'full' });
  await reader.close();
  const { integrity, events, transactions, head, name } = report;
  return JSON.parse(JSON.stringify({ integrity, events, transactions, head, name }));
}

async function storedIn(own: World): Promise<string> {
  const folder = scratchRepository();
  const repository = await openRepository(folder);
  await store(own, repository);
  await repository.close();
  return folder;
}

describe('verifying through the library, with no git to be found', () => {
  it('accepts a good ledger and says the same as git does', async () => {
    const dir = await storedIn(w);
    git(dir, ['gc', '-q', '--prune=now']);
    const found = await report({ dir, ledger: NAME, genesis: w.project.tip.state!.project_genesis });
    expect(found).toMatchObject((await throughGit(dir)) as object);
    expect(found).toMatchObject({ integrity: { is: 'ok' }, trust: { is: 'confirmed' }, events: w.mission.tip.size });
    expect(await report({ dir })).toMatchObject({
      name: 'project',
      integrity: { is: 'ok' },
      trust: { is: 'unpinned' },
    });
  });

  it('refuses a forged one at the same index for the same reason', async () => {
    const own = world();
    const index = own.mission.tip.size;
    own.mission.lie(stranger, [bytesOf(noteBy(stranger, 90))]);
    const dir = await storedIn(own);
    const found = await report({ dir, ledger: NAME });
    expect(found).toMatchObject({ integrity: { is: 'refused', index, code: 'signer_unknown' } });
    expect(found).toMatchObject((await throughGit(dir)) as object);
  });

  it('refuses an altered event, and a repository that lacks one', async () => {
    const dir = await storedIn(w);
    git(dir, ['repack', '-adq']);
    const victim = git(dir, ['rev-parse', `${REF}:hot-000000/000000003.json`]);
    const evil = git(
      dir,
      ['hash-object', '-w', '--stdin'],
      git(dir, ['cat-file', 'blob', victim]).replace('"bytes":1', '"bytes":2') + '\n',
    );
    const entries = git(dir, ['ls-tree', `${REF}:hot-000000`]).replace(victim, evil);
    const hot = git(dir, ['mktree'], `${entries}\n`);
    const top = git(
      dir,
      ['mktree'],
      `${git(dir, ['ls-tree', `${REF}^{tree}`]).replace(/ tree [0-9a-f]{40}\thot/, ` tree ${hot}\thot`)}\n`,
    );
    const commit = git(dir, ['cat-file', 'commit', REF]).replace(/^tree .*/, `tree ${top}`);
    git(dir, ['update-ref', REF, git(dir, ['hash-object', '-w', '-t', 'commit', '--stdin'], `${commit}\n`)]);
    const found = await report({ dir, ledger: NAME });
    expect(found).toMatchObject({ integrity: { is: 'refused' } });
    expect(found).toMatchObject((await throughGit(dir)) as object);
  });

  it('checks a proof bundle', async () => {
    const text = JSON.stringify(new TextDecoder().decode(bundleOf(missionMaterial(w, 4))));
    const program = `console.log(JSON.stringify(checkBundle(new TextEncoder().encode(${text}))));`;
    expect(await withoutGit(program)).toMatchObject({
      is: 'accepted',
      value: { claim: { index: 4 }, trust: { is: 'unpinned' } },
    });
  });
});
