// The end of a ledger: for everybody, at once, with the project as its memory.
import { describe, expect, it } from 'vitest';
import { conclude } from '../../src/app/conclude.ts';
import { sealLedger } from '../../src/app/seal.ts';
import { removeMember } from '../../src/app/threshold/roster-change.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { accept } from '../../src/kernel/verdict.ts';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { applied, drafted, signedSeal } from '../support/drafts.ts';
import { member, type TestKey, ANA, BO } from '../support/people.ts';
import { aProject, note, people, reportOf } from '../support/project.ts';
import { git } from '../support/repos.ts';
import { refused, taken } from '../support/taken.ts';
import { aMission } from '../support/workbench.ts';

describe('a sealed mission', () => {
  it('takes nothing more, and the project knows its last head', async () => {
    const { bench, path } = await aProject(people(ANA, BO));
    const mission = await aMission(bench);
    taken(await note(bench, mission, BO));
    const { head } = taken(await seal(bench, mission, ANA));
    expect(git(path, ['rev-parse', mission])).toBe(head.oid);
    for (const by of [ANA, BO]) expect(refused(await note(bench, mission, by))).toBe('ledger_sealed');
    expect(refused(await seal(bench, mission, ANA))).toBe('ledger_sealed');
    expect((await reportOf(bench, mission)).integrity).toEqual({ is: 'ok' });
    expect(await recorded(bench)).toEqual([
      { because: 'sealed', head, ledger_id: (await reportOf(bench, mission)).state!.ledger_id },
    ]);
  });

  it('is over for the project: its claims are free', async () => {
    const { bench, path, id } = await aProject(people(ANA));
    const mission = await aMission(bench);
    const { ledger_id } = (await reportOf(bench, mission)).state!;
    const payload = { claims: ['src/**'], genesis: git(path, ['rev-parse', mission]), mission_id: ledger_id };
    const about = { entity_type: 'mission', entity_id: ledger_id, task_id: id } as const;
    const registered = { event_type: 'mission.registered', payload, ...about } as const;
    taken(await bench.session(PROJECT_REF, ANA).submit({ decide: () => accept([registered]) }));
    taken(await seal(bench, mission, ANA));
    expect((await bench.project()).tip.state).toMatchObject({ missions: {} });
  });

  it('has heard of every roster that its seal was decided under', async () => {
    const { bench } = await aProject(people(ANA, BO));
    const mission = await aMission(bench);
    taken(await applied(bench, await drafted(bench, removeMember('bo'), ANA), ANA));
    taken(await seal(bench, mission, ANA));
    const { integrity, state } = await reportOf(bench, mission);
    expect({ integrity, n: state!.roster.n, sealed: state!.sealed }).toEqual({
      integrity: { is: 'ok' },
      n: 1,
      sealed: true,
    });
  });
});

describe('a seal', () => {
  it('takes the threshold: one root below it ends neither a mission nor the project', async () => {
    const { bench } = await aProject(people(ANA, BO), { threshold: 2 });
    const mission = await aMission(bench);
    for (const ref of [mission, PROJECT_REF]) {
      expect(refused(await seal(bench, ref, ANA))).toBe('threshold_not_met');
      taken(await seal(bench, ref, ANA, [ANA, BO]));
    }
  });

  it('is for roots', async () => {
    const { bench } = await aProject([...people(ANA), member(BO, { roles: ['gate', 'person', 'writer'] })]);
    const mission = await aMission(bench);
    expect(refused(await seal(bench, mission, BO))).toBe('role_not_allowed');
  });

  it('and its record stand both or neither, when somebody appends in between', async () => {
    const { bench, path } = await aProject(people(ANA, BO));
    const mission = await aMission(bench);
    const project = await bench.project();
    const tip = await bench.session(mission, ANA, project).tip();
    taken(await note(bench, mission, BO));
    const id = tip.state!.ledger_id;
    const about = { entity_type: 'ledger', entity_id: id, task_id: id } as const;
    const payload = await signedSeal(bench, mission, [ANA]);
    const drafts = [{ event_type: 'ledger.sealed', payload, ...about }] as const;
    const sealing = { ref: mission, tip, old: tip.oid!, drafts, signer: ANA, because: 'sealed', project } as const;
    const late = conclude(bench, sealing);
    await expect(late).rejects.toMatchObject({ code: 'head_moved' });
    expect(git(path, ['rev-list', '--count', PROJECT_REF])).toBe('1');
    expect(refused(await note(bench, mission, BO))).toBe('accepted');
  });

  it('ends a project too', async () => {
    const { bench } = await aProject(people(ANA));
    taken(await seal(bench, PROJECT_REF, ANA));
    await expect(aMission(bench)).rejects.toThrow('ledger_sealed');
  });
});

async function seal(bench: Workbench, ref: string, by: TestKey, roots: readonly TestKey[] = [ANA]) {
  const project = ref === PROJECT_REF ? undefined : await bench.project();
  return sealLedger(bench, ref, await signedSeal(bench, ref, roots), { signer: by, project });
}

async function recorded(bench: Workbench): Promise<unknown[]> {
  const found: unknown[] = [];
  await bench.project({
    onCommit: ({ events }) => {
      for (const event of events) if (event.event_type === 'tree_head.recorded') found.push(event.payload);
    },
  });
  return found;
}
