// Rivals, lost answers and sudden ends in the middle of an act: whoever loses decides again on what won, nothing lands by
// half, and nothing lands twice.
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { OpenOptions } from '../../src/adapters/git/repository.ts';
import { auditArtifacts } from '../../src/app/artifacts/audit.ts';
import { MissionDesk } from '../../src/app/mission-desk.ts';
import { accept, refuse } from '../../src/kernel/verdict.ts';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { claiming } from '../chaos/claiming.ts';
import { eventsIn, expectWhole, shared } from '../chaos/ledgers.ts';
import { desk, type Desk } from '../support/desk.ts';
import { git, scratchRepository } from '../support/repos.ts';
import { documents, handingOver, INCOMING, opening, standing, type Opening } from './acts.ts';
import { before } from './seats.ts';
import { ANA, BEN } from '../support/people.ts';
import { refused, taken } from '../support/taken.ts';

type Step = Parameters<NonNullable<OpenOptions['onPoint']>>[0];

const refsOf = (folder: string): string => git(folder, ['for-each-ref', '--format=%(refname) %(objectname)']);

/** What a rival does to one of the references alone. */
const RIVALS = {
  mission: async (rival: Desk, { ref }: Opening) => {
    const id = randomUUID();
    const about = { entity_type: 'task', entity_id: id, task_id: id } as const;
    const created = { event_type: 'task.created', payload: { contract: null }, ...about } as const;
    taken(await (await rival.session(ref, BEN)).submit({ decide: () => accept([created]) }));
  },
  project: async (rival: Desk) => {
    const view = await rival.bench.project();
    const { ref, act, id } = opening(view, []);
    const { inProject } = claiming(id, [], { claims: ['docs/**'] });
    taken(
      await new MissionDesk(rival.bench, { ref, signer: BEN, project: view }).transact({
        ...act,
        inProject: inProject!,
      }),
    );
  },
  shelf: async (rival: Desk, { ref }: Opening) => void (await rival.add(ref, 'of the rival', { key: BEN })),
  incoming: async (rival: Desk) => rival.bench.parts.repository.commit(await handingOver(rival, 'rival')()),
} as const;

describe('a rival that moves', () => {
  it.each(Object.keys(RIVALS) as (keyof typeof RIVALS)[])(
    'the %s first costs one more try, and both land',
    async (which) => {
      const folder = scratchRepository();
      const rival = await desk({ folder });
      const opened = await standing(rival);
      let isArmed = false;
      const ana = await desk({
        folder,
        wrap: (repository) =>
          before(repository, async () => {
            if (!isArmed) return;
            isArmed = false;
            await RIVALS[which](rival, opened);
          }),
      });
      const { ref, id } = opened;
      const at = new MissionDesk(ana.bench, { ref, signer: ANA, project: await ana.bench.project() });
      await at.state();
      isArmed = true;
      const act = claiming(id, await documents(ana, ['mine']), { along: handingOver(ana, 'mine') });
      const { mission, project } = taken(await at.transact(act));
      expect({ mission: mission.attempts, project: project!.attempts }).toEqual({ mission: 2, project: 2 });
      expect(git(folder, ['cat-file', 'blob', INCOMING])).toBe('mine');
      const audit = await auditArtifacts(ana.bench, ref);
      expect({ is: new Set(audit.findings.map(({ is }) => is)), unnamed: audit.unnamed }).toEqual({
        is: new Set(['sound']),
        unnamed: [],
      });
      expect((await ana.bench.project()).tip.state).toMatchObject({ missions: { [id]: { claims: ['src/**'] } } });
      await expectWhole(folder, ref);
    },
  );
});

describe('eight missions that claim one path', () => {
  it('have exactly one winner; of the others nothing moved, in their own ledgers neither', async () => {
    const folder = scratchRepository();
    const first = await standing(await desk({ folder }));
    const claimers = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const one = await desk({ folder });
        const view = await one.bench.project();
        const { ref, act, id } = opening(view, []);
        const at = new MissionDesk(one.bench, { ref, signer: i % 2 === 0 ? ANA : BEN, project: view });
        taken(await at.transact(act));
        return { at, id, ref, drawn: await documents(one, [`of ${i}`]) };
      }),
    );
    const verdicts = await Promise.all(claimers.map(({ at, id, drawn }) => at.transact(claiming(id, drawn))));
    expect(verdicts.map(refused).sort()).toEqual(['accepted', ...Array.from({ length: 7 }, () => 'path_claimed')]);
    for (const [i, { ref }] of claimers.entries()) {
      const events = await eventsIn(folder, ref);
      expect(events).toHaveLength(verdicts[i]!.is === 'accepted' ? 3 : 1);
    }
    expect(await eventsIn(folder, PROJECT_REF)).toHaveLength(2);
    await expectWhole(folder, first.ref);
  });
});

describe('an answer that is lost', () => {
  it.each(['drop_answer', 'answer'] as const)('(%s) is asked for, and the act is there once, whole', async (fault) => {
    const at = await shared();
    const ana = await desk({ folder: at.clone(), remote: at.url });
    const view = await ana.bench.project();
    const { ref, act, id } = opening(view, await documents(ana, ['the proposal']));
    const mine = new MissionDesk(ana.bench, { ref, signer: ANA, project: view });
    taken(await mine.transact(act));
    let pushes = 0;
    at.server.faults(({ method, path }) =>
      method === 'POST' && path.endsWith('/git-receive-pack') && ++pushes === 1
        ? fault === 'answer'
          ? { do: fault, status: 502 }
          : { do: fault }
        : undefined,
    );
    const drawn = await documents(ana, ['work'], true);
    const done = taken(await mine.transact(claiming(id, drawn, { along: handingOver(ana, 'work') })));
    expect({ attempts: done.mission.attempts, pushes }).toEqual({ attempts: 2, pushes: fault === 'answer' ? 2 : 1 });
    expect(done.project!.head.oid).toBe(git(at.bare, ['rev-parse', PROJECT_REF]));
    expect(done.mission.head.oid).toBe(git(at.bare, ['rev-parse', ref]));
    expect(view.tip.oid).toBe(done.project!.head.oid);
    // The desk goes on where it is.
    expect(refused(await mine.transact(claiming(id, await documents(ana, ['more']))))).toBe('mission_exists');
    await ana.bench.close();
    expect((await eventsIn(at.bare, ref)).map(({ type }) => type)).toEqual([
      'mission.opened',
      'artifact.recorded',
      'artifact.recorded',
      'note.recorded',
    ]);
    expect(await (await desk({ folder: ana.folder, keyFolder: ana.keyFolder })).show(ref, drawn[0]!.digest)).toBe(
      'work',
    );
    await expectWhole(at.bare, ref);
  });
});

describe('a refusal while a push is unanswered', () => {
  it('destroys no key: the push may land yet, and name what the key opens', async () => {
    const at = await shared();
    const ana = await desk({ folder: at.clone(), remote: at.url });
    const view = await ana.bench.project();
    const { ref, act } = opening(view, []);
    const mine = new MissionDesk(ana.bench, { ref, signer: ANA, project: view });
    taken(await mine.transact(act));
    const drawn = await documents(ana, ['a secret'], true);
    let decisions = 0;
    at.server.faults(({ method, path }) =>
      method === 'POST' && path.endsWith('/git-receive-pack') ? { do: 'answer', status: 502 } : undefined,
    );
    const verdict = await mine.transact({
      documents: drawn,
      decide: () => (++decisions === 1 ? accept([]) : refuse('project_halted')),
    });
    expect({ verdict: refused(verdict), keys: readdirSync(ana.keyFolder).length }).toEqual({
      verdict: 'project_halted',
      keys: 1,
    });
  });
});

describe('a crash in the middle of an act', () => {
  const BEFORE: readonly Step[] = ['loose_stored', 'pack_written', 'pack_named', 'index_named', 'objects_durable'];

  it.each<[Step, 'none' | 'any' | 'all']>([
    ...BEFORE.map((step) => [step, 'none'] as [Step, 'none']),
    ['references_sent', 'any'],
    ['references_moved', 'all'],
  ])('at %s leaves %s of its four references moved, and the next one finds out which', async (at, fate) => {
    const folder = scratchRepository();
    const { ref, id, shelf } = await standing(await desk({ folder }));
    const was = refsOf(folder);
    const dying = await desk({
      folder,
      onPoint: (step) => {
        if (step === at) throw new Error('killed');
      },
    });
    const act = claiming(id, await documents(dying, ['work']), { along: handingOver(dying, 'work') });
    const project = await dying.bench.project();
    await expect(new MissionDesk(dying.bench, { ref, signer: ANA, project }).transact(act)).rejects.toThrow('killed');
    await dying.bench.close();
    const moved = [ref, PROJECT_REF, shelf, INCOMING].filter(
      (one) => (headIn(was, one) ?? '') !== (headIn(refsOf(folder), one) ?? ''),
    ).length;
    if (fate === 'any') expect([0, 4]).toContain(moved);
    else expect(moved).toBe(fate === 'all' ? 4 : 0);
    const next = await desk({ folder });
    const again = claiming(id, await documents(next, ['work']), { along: handingOver(next, 'work') });
    const verdict = await new MissionDesk(next.bench, {
      ref,
      signer: ANA,
      project: await next.bench.project(),
    }).transact(again);
    expect(refused(verdict)).toBe(moved === 4 ? 'mission_exists' : 'accepted');
    expect(await eventsIn(folder, PROJECT_REF)).toHaveLength(2);
    const { findings, unnamed } = await auditArtifacts(next.bench, ref);
    expect({ findings: findings.map(({ is }) => is), unnamed }).toEqual({ findings: ['sound'], unnamed: [] });
    await expectWhole(folder, ref);
  });

  const headIn = (refs: string, one: string): string | undefined =>
    refs.split('\n').find((line) => line.startsWith(`${one} `));
});
