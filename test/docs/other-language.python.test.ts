// A verifier in another language, written from docs/ledger-format.md alone, and the program must agree on what is a
// ledger and on why something is none.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRepository } from '../../src/adapters/git/repository.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { verifyLedger } from '../../src/app/verify/verify-ledger.ts';
import { missionRef, PROJECT_REF } from '../../src/ledger/names.ts';
import { uuid } from '../support/events.ts';
import { ATTACKS } from '../ledger/forged/attacks/index.ts';
import type { Attack } from '../support/forge/attack.ts';
import { ledgerRepository, rebuiltGolden, thaw } from '../support/forge/frozen.ts';
import type { Golden } from '../support/forge/golden.ts';
import { git, scratch, scratchRepository } from '../support/repos.ts';
import { MISSION } from '../support/given.ts';
import { courseStory, deathStory } from './course-story.ts';
import {
  alteredEvent,
  alteredFrontier,
  removedEvent,
  repairOfRepair,
  repairOfValid,
  signedByStranger,
} from './forge.ts';
import { MISSION_ID, story, type Story } from './story.ts';
import { store } from './written.ts';

const VERIFIER = new URL('verifier', import.meta.url).pathname;
const MISSION_REF = missionRef(MISSION_ID);

/** Without Python the page is unproven: a machine that lacks it fails here instead of passing in silence. */
function inPython(repository: string, ref: string, genesis: string): string {
  const { error, status, stdout, stderr } = spawnSync('python3', ['-B', VERIFIER, repository, ref, genesis], {
    encoding: 'utf8',
  });
  if (error !== undefined || stderr !== '') throw new Error(`python3: ${error?.message ?? stderr}`);
  return `${status}: ${stdout.trim()}`;
}

/** The program's own verdict, in the words of the Python verifier. */
async function byLazarus(repository: string, ref: string, genesis: string): Promise<string> {
  const reader = await openRepository(repository, {});
  try {
    const { integrity, state, head } = (await verifyLedger({ crypto: nodeCrypto, reader, ref, genesis, mode: 'full' }))
      .report;
    return integrity.is === 'refused'
      ? `6: refused ${integrity.code} ${integrity.oid}`
      : `0: verified ${state!.kind} ${head!.size} ${head!.root} ${state!.project_genesis}`;
  } finally {
    await reader.close();
  }
}

describe('a Python verifier written from the page, and the program', () => {
  let told: Story;
  let genesis: string;

  beforeAll(() => {
    told = story();
    genesis = told.project.tip.state!.project_genesis;
  });

  function stored(): string {
    const repository = scratchRepository();
    store(repository, [...told.project.objects, ...told.mission.objects]);
    git(repository, ['update-ref', PROJECT_REF, told.project.tip.oid!]);
    git(repository, ['update-ref', MISSION_REF, told.mission.tip.oid!]);
    return repository;
  }

  async function expectBoth(repository: string, ref: string, pinned: string, verdict: string): Promise<void> {
    expect(inPython(repository, ref, pinned)).toBe(verdict);
    expect(await byLazarus(repository, ref, pinned)).toBe(verdict);
  }

  it('accept a project and a mission, with the same root', async () => {
    const repository = stored();
    const { project, mission } = told;
    const verified = `0: verified`;
    await expectBoth(
      repository,
      PROJECT_REF,
      genesis,
      `${verified} project ${project.tip.size} ${project.tip.root} ${genesis}`,
    );
    await expectBoth(
      repository,
      MISSION_REF,
      genesis,
      `${verified} mission ${mission.tip.size} ${mission.tip.root} ${genesis}`,
    );
  });

  it.each([
    ['its whole way', courseStory],
    ['to a cell that dies, and a second attempt', deathStory],
  ])('accept a mission that goes %s, with the same state', async (_, tell) => {
    const { project, mission } = tell();
    const repository = scratchRepository();
    store(repository, [...project.objects, ...mission.objects]);
    const ref = missionRef(MISSION);
    git(repository, ['update-ref', ref, mission.tip.oid!]);
    const genesisOf = project.tip.state!.project_genesis;
    const verdict = `0: verified mission ${mission.tip.size} ${mission.tip.root} ${genesisOf}`;
    await expectBoth(repository, ref, genesisOf, verdict);
  });

  it('refuse a project other than the pinned one', async () => {
    const verdict = `6: refused genesis_mismatch ${told.project.tip.oid}`;
    await expectBoth(stored(), PROJECT_REF, `sha256:${'0'.repeat(64)}`, verdict);
  });

  it.each([
    { attack: 'an event altered, trees and all', forge: alteredEvent, reason: 'signature_invalid' },
    { attack: 'the frontier altered by a member who signs it', forge: alteredFrontier, reason: 'tree_mismatch' },
    { attack: 'an event left out by a member who signs it', forge: removedEvent, reason: 'events_missing' },
    { attack: 'a transaction signed by a stranger', forge: signedByStranger, reason: 'signer_unknown' },
    { attack: 'a repair that would undo a valid transaction', forge: repairOfValid, reason: 'repair_of_valid' },
    { attack: 'a second repair that would undo the first', forge: repairOfRepair, reason: 'repair_of_valid' },
  ])('refuse $attack', async ({ forge, reason }) => {
    const repository = stored();
    const forged = forge(told.mission);
    store(repository, forged.objects);
    git(repository, ['update-ref', MISSION_REF, forged.head]);
    await expectBoth(repository, MISSION_REF, genesis, `6: refused ${reason} ${forged.head}`);
  });

  it('refuse a mission that is shown under the name of another', async () => {
    const repository = stored();
    const other = missionRef(uuid('another mission'));
    git(repository, ['update-ref', other, told.mission.tip.oid!]);
    await expectBoth(repository, other, genesis, `6: refused ledger_id_mismatch ${told.mission.tip.oid}`);
  });

  it('refuse what a stranger pushed until a repair names it', async () => {
    const repository = stored();
    git(repository, ['update-ref', MISSION_REF, told.garbage.oid]);
    const first = git(repository, ['rev-parse', `${told.garbage.oid}^`]);
    await expectBoth(repository, MISSION_REF, genesis, `6: refused commit_unsigned ${first}`);
  });
});

describe('keys to encrypt to', () => {
  const forged = ATTACKS.filter(({ name }) => name.startsWith('encryption-key'));
  const store = mkdtempSync(join(tmpdir(), 'lazarus-forged-'));
  let golden: Golden;

  beforeAll(() => {
    golden = rebuiltGolden();
    thaw(store);
  });

  afterAll(() => rmSync(store, { recursive: true, force: true }));

  it.each([['no lie', undefined] as const, ...forged.map((attack) => [attack.name, attack] as const)])(
    'are judged alike: %s',
    async (_, attack) => {
      const repository = scratch('repository');
      const head = attack === undefined ? golden.project.tip.oid! : attack.forge(golden).head;
      ledgerRepository(repository, store, { project: head });
      const genesis = golden.project.tip.state!.project_genesis;
      const told = inPython(repository, PROJECT_REF, genesis);
      expect(told).toBe(await byLazarus(repository, PROJECT_REF, genesis));
      expect(told).toContain(attack === undefined ? 'verified project' : codeOf(attack));
    },
  );

  function codeOf({ full }: Attack): string {
    return full.is === 'refused' ? full.code : full.is;
  }
});
