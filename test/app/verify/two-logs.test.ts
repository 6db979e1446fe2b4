// A mission and its project held against each other, in the clone of somebody who has one of them, or both, or finds the
// other later: no order of learning makes a lie confirmed.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import type { ProjectView } from '../../../src/app/adoption.ts';
import { fsck } from '../../../src/app/fsck.ts';
import { verifyLedger } from '../../../src/app/verify/verify-ledger.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { missionRef, PROJECT_REF } from '../../../src/ledger/names.ts';
import { TWO_LOGS } from '../../ledger/forged/attacks/two-logs.ts';
import { viewOfProject } from '../../ledger/forged/judge.ts';
import { ledgerRepository, frozenHeads, rebuiltGolden, thaw } from '../../support/forge/frozen.ts';
import { LEDGER_REF, type Golden } from '../../support/forge/golden.ts';
import { member, ANA, BO } from '../../support/people.ts';
import { aProject, people, reportOf } from '../../support/project.ts';
import { git } from '../../support/repos.ts';
import { taken } from '../../support/taken.ts';
import { aMission } from '../../support/workbench.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-two-logs-')));
let golden: Golden;
let view: ProjectView;

beforeAll(async () => {
  const store = mkdtempSync(join(root, 'store-'));
  thaw(store);
  golden = rebuiltGolden();
  const { head } = TWO_LOGS.find(({ name }) => name === 'adoption-of-a-draft')!.forge(golden);
  ledgerRepository(join(root, 'mission'), store, { gpg: head });
  ledgerRepository(join(root, 'project'), store, { project: frozenHeads().golden.project });
  view = await viewOfProject(join(root, 'project'));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a roster that the project never had, adopted', () => {
  it('is not confirmed without the project, and refused once it is known, pinned or not', async () => {
    const reader = await openRepository(join(root, 'mission'));
    const genesis = golden.project.tip.state!.project_genesis;
    const asked = { crypto: nodeCrypto, reader, ref: LEDGER_REF.gpg, genesis } as const;
    const alone = await verifyLedger({ ...asked, mode: 'full' });
    expect(alone.report).toMatchObject({ integrity: { is: 'ok' }, trust: { is: 'project_unconfirmed' } });
    for (const mode of ['full', 'since-pin'] as const) {
      const { report } = await verifyLedger({ ...asked, mode, pin: alone.pin, project: view.history });
      expect(report.integrity).toMatchObject({ is: 'refused', code: 'adoption_not_of_project' });
    }
    await reader.close();
  });

  it('is refused from what a mission has come to, if its adoption is not looked at again', () => {
    const { state, project } = golden.long.tip;
    if (state?.kind !== 'mission') throw new Error('no mission');
    expect(view.history.checkStanding(project!, state)).toBeUndefined();
    const roster = { ...state.roster, threshold: 1 };
    expect(view.history.checkStanding(project!, { ...state, roster })).toMatchObject({
      code: 'adoption_not_of_project',
    });
    const cut_offs = [{ fingerprint: 'AB'.repeat(20), heads: [], project_id: 'x', roster: 'y' }];
    expect(view.history.checkStanding(project!, { ...state, cut_offs })).toMatchObject({
      code: 'adoption_not_of_project',
    });
  });
});

describe('the registry of a project', () => {
  const registered = async () => {
    const { bench, path, id } = await aProject([...people(ANA), member(BO, { roles: ['person'] })]);
    const ref = await aMission(bench);
    const { head, state } = await reportOf(bench, ref);
    const mission_id = state!.ledger_id;
    const about = { entity_type: 'mission', entity_id: mission_id, task_id: id } as const;
    const payload = { claims: ['src/**'], genesis: head!.oid, mission_id };
    const drafts = [{ event_type: 'mission.registered', payload, ...about }] as const;
    taken(await bench.session(PROJECT_REF, ANA).submit({ decide: () => accept(drafts) }));
    return { bench, path, ref, head: head!, about, mission_id };
  };

  it('names a mission whose ledger is gone', async () => {
    const { bench, path, ref, mission_id } = await registered();
    expect((await fsck(bench)).registry).toEqual([]);
    git(path, ['update-ref', '-d', ref]);
    expect((await fsck(bench)).registry).toEqual([
      { ledger: missionRef(mission_id).replace('refs/heads/lazarus/', ''), code: 'registered_ledger_missing' },
    ]);
  });

  it('shows a person who lets go of another mission’s claims, and says so where nobody can tell', async () => {
    const { bench, path, ref, head, about, mission_id } = await registered();
    const payload = { after: head, because: 'withdrawn', mission_id } as const;
    const drafts = [{ event_type: 'claims.released', payload, ...about }] as const;
    const { from } = taken(await bench.session(PROJECT_REF, BO).submit({ decide: () => accept(drafts) }));
    const ledger = ref.replace('refs/heads/lazarus/', '');
    expect((await fsck(bench)).registry).toEqual([{ ledger, code: 'release_unfounded', index: from }]);
    git(path, ['update-ref', '-d', ref]);
    expect((await fsck(bench)).registry).toContainEqual({ ledger, code: 'release_unconfirmed', index: from });
  });
});
