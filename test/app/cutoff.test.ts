// A compromised key: what is disowned, what the others say to it, and that the thief has no part in it.
import { describe, expect, it } from 'vitest';
import { annotation, type Judging } from '../../src/app/threshold/annotate.ts';
import { planCutOff, type Suspicion } from '../../src/app/threshold/cut-off.ts';
import { adoptEverywhere } from '../../src/app/threshold/everywhere.ts';
import { judge } from '../../src/app/threshold/judge.ts';
import { draftOf } from '../../src/app/threshold/threshold-draft.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { ledgerName, PROJECT_REF } from '../../src/ledger/names.ts';
import { reportExit } from '../../src/surfaces/cli/report-text.ts';
import { applied, signed } from '../support/drafts.ts';
import { type TestKey, ANA, BO, CY } from '../support/people.ts';
import { aProject, benchAt, note, people, reportOf } from '../support/project.ts';
import { refused, taken } from '../support/taken.ts';
import { aMission } from '../support/workbench.ts';

/** Ana 0, bo 1-2, ana 3, bo 4-5: and bo's key is found to be in somebody else's hands. */
async function suspicious() {
  const project = await aProject(people(ANA, BO, CY), { threshold: 2 });
  const mission = await aMission(project.bench);
  for (const by of [BO, BO, ANA, BO, BO]) taken(await note(project.bench, mission, by));
  return { ...project, mission, name: ledgerName(mission) };
}

describe('a key that is cut off', () => {
  it.each<[string, (name: string) => Partial<Suspicion>, number, [number, number][]]>([
    [
      'after the head that is still trusted',
      (name) => ({ trusted: new Map([[name, 2]]) }),
      2,
      [
        [2, 3],
        [4, 6],
      ],
    ],
    ['in a ledger that was not named, after its head of today', () => ({}), 6, []],
    [
      'in a ledger that was not named, altogether, when all are distrusted',
      () => ({ distrustOthers: true }),
      0,
      [
        [1, 3],
        [4, 6],
      ],
    ],
  ])('disowns what it signed %s', async (_, suspicion, trusted, runs) => {
    const { bench, name, mission } = await suspicious();
    const plan = await planned(bench, suspicion(name));
    const disowned = runs.map(([from, until]) => ({ from, until }));
    expect(plan.consequences).toEqual([{ ledger: name, trusted, disowned }]);
    await cutOff(bench, plan.document, [ANA, CY]);
    // What was announced is what verification then says.
    const { trust, integrity } = await reportOf(bench, mission);
    expect(integrity).toEqual({ is: 'ok' });
    expect(trust.disowned).toEqual(disowned.map((run) => ({ ...run, fingerprint: BO.fingerprint })));
    expect(trust.is === 'disowned').toBe(runs.length > 0);
  });

  it('signs nothing more, in the project and in missions that have heard of it or not', async () => {
    const { bench, mission } = await suspicious();
    await cutOff(bench, (await planned(bench, {})).document, [ANA, CY]);
    expect(refused(await note(bench, mission, BO))).toBe('signer_cut_off');
    await adoptEverywhere(bench, await bench.project(), ANA);
    expect(refused(await note(bench, mission, BO))).toBe('signer_cut_off');
    expect(refused(await note(bench, mission, ANA))).toBe('accepted');
  });

  it('has no say in it, neither against nor for', async () => {
    const { bench } = await suspicious();
    const draft = draftOf({ purpose: 'cut-off', document: (await planned(bench, {})).document });
    const byAna = await signed(bench, draft, ANA);
    await expect(signed(bench, byAna, BO)).rejects.toThrow('threshold_signer_not_root');
    expect(await applied(bench, byAna, ANA)).toMatchObject({
      code: 'threshold_not_met',
      facts: { signed: ['ana'], missing: ['cy'] },
    });
  });

  it('stays when too few others are left, and that is said before anybody signs', async () => {
    const { bench } = await aProject(people(ANA, BO), { threshold: 2 });
    const { document } = await planned(bench, {});
    await expect(signed(bench, draftOf({ purpose: 'cut-off', document }), ANA)).rejects.toThrow(
      'threshold_out_of_reach',
    );
  });

  it('is cut off once, and by a document for the roster of today', async () => {
    const { bench } = await suspicious();
    const { document } = await planned(bench, {});
    await cutOff(bench, document, [ANA, CY]);
    expect(refused(await judge(bench, { purpose: 'cut-off', document }))).toBe('key_already_cut_off');
    const stale = { ...document, fingerprint: ANA.fingerprint, roster: '0'.repeat(64) };
    expect(refused(await judge(bench, { purpose: 'cut-off', document: stale }))).toBe('statement_stale');
  });

  it('is noticed by somebody whose pin is newer than the theft', async () => {
    const { bench, path, mission, name } = await suspicious();
    await reportOf(bench, mission);
    await cutOff(bench, (await planned(bench, { trusted: new Map([[name, 2]]) })).document, [ANA, CY]);
    const again = await benchAt(path);
    const { report } = await again.verify(mission, 'since-pin', { project: await again.project() });
    expect(report.trust.is).toBe('disowned');
  });
});

describe('what a cut-off key signed', () => {
  it.each(['accepted', 'rejected'] as const)(
    'can be relied on again once a threshold has judged it: %s',
    async (judgement) => {
      const { bench, mission, name } = await suspicious();
      await cutOff(bench, (await planned(bench, { trusted: new Map([[name, 2]]) })).document, [ANA, CY]);
      expect(reportExit(await reportOf(bench, mission))).toBe(6);
      const { document } = taken(await judged(bench, mission, { judgement }));
      expect(document).toMatchObject({ from: 2, until: 6 });
      const one = await signed(bench, draftOf({ purpose: 'annotation', document }), CY);
      expect(await applied(bench, one, CY)).toMatchObject({ code: 'threshold_not_met' });
      taken(await applied(bench, await signed(bench, one, ANA), CY));
      const report = await reportOf(bench, mission);
      expect(report.trust.disowned).toEqual([]);
      expect(reportExit(report)).toBe(0);
      expect(refused(await judged(bench, mission, { judgement }))).toBe('nothing_disowned');
    },
  );

  it('is judged event by event where that was asked for', async () => {
    const { bench, mission, name } = await suspicious();
    await cutOff(bench, (await planned(bench, { trusted: new Map([[name, 2]]) })).document, [ANA, CY]);
    const { document } = taken(await judged(bench, mission, { judgement: 'accepted', from: 2, until: 5 }));
    const draft = await signed(bench, draftOf({ purpose: 'annotation', document }), ANA);
    taken(await applied(bench, await signed(bench, draft, CY), ANA));
    expect((await reportOf(bench, mission)).trust.disowned).toEqual([
      { fingerprint: BO.fingerprint, from: 5, until: 6 },
    ]);
  });

  it('can be disowned in the project ledger too', async () => {
    const { bench } = await aProject(people(ANA, BO));
    const id = (await bench.project()).tip.state!.project_id;
    const about = { entity_type: 'project', entity_id: id, task_id: id } as const;
    const halt = { event_type: 'halt.declared', payload: {}, ...about } as const;
    taken(await bench.session(PROJECT_REF, BO).submit({ decide: () => ({ is: 'accepted', value: [halt] }) }));
    await cutOff(bench, (await planned(bench, { trusted: new Map([['project', 1]]) })).document, [ANA]);
    const { trust } = await reportOf(bench, PROJECT_REF);
    expect(trust).toMatchObject({ is: 'disowned', disowned: [{ from: 1, until: 2 }] });
  });
});

async function planned(bench: Workbench, suspicion: Partial<Suspicion>) {
  const all = { fingerprint: BO.fingerprint, trusted: new Map<string, number>(), distrustOthers: false, ...suspicion };
  return planCutOff(bench, await bench.project(), all);
}

async function cutOff(
  bench: Workbench,
  document: Awaited<ReturnType<typeof planned>>['document'],
  by: readonly TestKey[],
) {
  let draft = draftOf({ purpose: 'cut-off', document });
  for (const key of by) draft = await signed(bench, draft, key);
  taken(await applied(bench, draft, by[0]!));
}

async function judged(bench: Workbench, ref: string, judging: Omit<Judging, 'fingerprint'>) {
  return annotation(bench, await bench.project(), ref, { fingerprint: BO.fingerprint, ...judging });
}
