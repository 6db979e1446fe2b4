// One act of a mission is one change: documents, mission, project and further references land together or not at all.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditArtifacts } from '../../src/app/artifacts/audit.ts';
import { MissionDesk } from '../../src/app/mission-desk.ts';
import { readEvents } from '../../src/app/read-events.ts';
import { accept, refuse } from '../../src/kernel/verdict.ts';
import { missionRef, PROJECT_REF } from '../../src/ledger/names.ts';
import type { Change } from '../../src/ports/repository.ts';
import { claiming, noteOn } from '../chaos/claiming.ts';
import { expectWhole, shared } from '../chaos/ledgers.ts';
import { desk, type Desk } from '../support/desk.ts';
import { git, scratchRepository } from '../support/repos.ts';
import { documents, handingOver, INCOMING, opening, project, standing } from './acts.ts';
import { around } from './seats.ts';
import { ANA, BEN } from '../support/people.ts';
import { refused, taken } from '../support/taken.ts';

async function typesIn({ bench }: Desk, ref: string): Promise<string[]> {
  const types: string[] = [];
  await readEvents(bench, ref, ({ event_type }) => void types.push(event_type));
  return types;
}

const refsOf = (folder: string): string => git(folder, ['for-each-ref']);

describe('an act', () => {
  it('opens a mission with its documents, the opening first, in one change', async () => {
    const changes: Change[] = [];
    const ana = await watched(changes);
    const view = await project(ana);
    const drawn = await documents(ana, ['the proposal', 'the brief']);
    const { ref, shelf, act } = opening(view, drawn);
    changes.length = 0;
    const done = taken(await new MissionDesk(ana.bench, { ref, signer: ANA, project: view }).transact(act));
    expect(changes.map(({ updates }) => updates.map(({ ref: moved }) => moved))).toEqual([[ref, shelf]]);
    expect(done).toMatchObject({ project: undefined, mission: { from: 0, attempts: 1 } });
    expect(done.state.proposal).toBe(drawn[0]!.digest);
    expect(await typesIn(ana, ref)).toEqual([
      'mission.opened',
      'artifact.recorded',
      'artifact.recorded',
      'note.recorded',
    ]);
    expect(await ana.show(ref, drawn[1]!.digest)).toBe('the brief');
    await expectWhole(ana.folder, ref);
  });

  it('moves mission, project, shelf and work in one change, and cites the project as it was before', async () => {
    const changes: Change[] = [];
    const ana = await watched(changes);
    const { ref, id, shelf, view } = await standing(ana);
    const was = view.tip.oid!;
    const drawn = await documents(ana, ['done'], true);
    changes.length = 0;
    const act = claiming(id, drawn, { along: handingOver(ana, 'work') });
    const done = taken(await new MissionDesk(ana.bench, { ref, signer: ANA, project: view }).transact(act));
    expect(changes.map(({ updates }) => updates.map(({ ref: moved }) => moved))).toEqual([
      [ref, PROJECT_REF, shelf, INCOMING],
    ]);
    expect(git(ana.folder, ['log', '-1', '--format=%(trailers:key=Ledger-Project,valueonly)', ref])).toContain(was);
    expect(view.tip.oid).toBe(done.project!.head.oid);
    expect(view.tip.state).toMatchObject({ missions: { [id]: { claims: ['src/**'] } } });
    expect(await ana.show(ref, drawn[0]!.digest)).toBe('done');
    await expectWhole(ana.folder, ref);
  });

  it('leaves the project alone where there is nothing to say in it', async () => {
    const ana = await desk();
    const { ref, id, view } = await standing(ana);
    const was = view.tip.oid;
    const drawn = await documents(ana, ['a note']);
    const act = { ...claiming(id, drawn), inProject: () => accept([]) };
    expect(
      taken(await new MissionDesk(ana.bench, { ref, signer: ANA, project: view }).transact(act)).project,
    ).toBeUndefined();
    expect((await ana.bench.project()).tip.oid).toBe(was);
  });

  it('cannot open a mission under the name of another', async () => {
    const ana = await desk();
    const view = await project(ana);
    const { act, id } = opening(view, []);
    const other = missionRef('00000000-0000-4000-8000-000000000000');
    expect(other).not.toBe(missionRef(id));
    const before = refsOf(ana.folder);
    expect(refused(await new MissionDesk(ana.bench, { ref: other, signer: ANA, project: view }).transact(act))).toBe(
      'ledger_id_mismatch',
    );
    expect(refsOf(ana.folder)).toBe(before);
  });
});

describe('a refusal leaves neither references nor bytes nor keys', () => {
  it.each(['the mission', 'the project'])('by the rule of %s', async (who) => {
    const ana = await desk();
    const { ref, id, view } = await standing(ana);
    const drawn = await documents(ana, ['a secret'], true);
    const no = () => refuse('role_not_allowed');
    const act = { ...claiming(id, drawn), ...(who === 'the mission' ? { decide: no } : { inProject: no }) };
    const before = refsOf(ana.folder);
    expect(refused(await new MissionDesk(ana.bench, { ref, signer: ANA, project: view }).transact(act))).toBe(
      'role_not_allowed',
    );
    expect(refsOf(ana.folder)).toBe(before);
    await expectNothingLeft(ana, drawn);
  });

  it('that comes after a lost race, when the bytes were stored already', async () => {
    const folder = scratchRepository();
    const rival = await desk({ folder });
    const { ref, id, view } = await standing(rival);
    let isArmed = true;
    const ana = await desk({
      folder,
      wrap: (repository) =>
        around(repository, {
          commit: async (change) => {
            await repository.commit({ objects: change.objects, updates: [] });
            if (isArmed) {
              isArmed = false;
              const held = claiming(id, [], { claims: ['src/a'] });
              taken(
                await new MissionDesk(rival.bench, { ref, signer: BEN, project: view }).transact({
                  ...held,
                  decide: () => accept(noted(id)),
                }),
              );
            }
            await repository.commit(change);
          },
        }),
    });
    const drawn = await documents(ana, ['a secret'], true);
    const act = claiming(id, drawn);
    const verdict = await new MissionDesk(ana.bench, { ref, signer: ANA, project: await ana.bench.project() }).transact(
      act,
    );
    expect(refused(verdict)).toBe('mission_exists');
    await expectNothingLeft(ana, drawn);
  });

  async function expectNothingLeft(
    { bench, keyFolder }: Desk,
    drawn: Awaited<ReturnType<typeof documents>>,
  ): Promise<void> {
    const sizes = new Set(drawn.map(({ object }) => object.body.length));
    const there = await bench.parts.repository.blobsOfSizes(sizes);
    expect(there.filter((oid) => drawn.some(({ object }) => object.oid === oid))).toEqual([]);
    expect(readdirSync(keyFolder)).toEqual([]);
  }
});

describe('a desk', () => {
  it('reads no ledger twice: each further act costs what it adds', async () => {
    let reads = 0;
    const ana = await desk({
      wrap: (repository) =>
        around(repository, {
          history: (...args) => {
            reads += 1;
            return repository.history(...args);
          },
        }),
    });
    const { ref, id, view } = await standing(ana);
    const at = new MissionDesk(ana.bench, { ref, signer: ANA, project: view });
    expect((await at.state())?.notes).toBe(0);
    reads = 0;
    for (let i = 1; i <= 4; i++) {
      const act = i === 1 ? claiming(id, await documents(ana, ['one'])) : note(id, await documents(ana, ['more']));
      expect(taken(await at.transact(act)).state.notes).toBe(i);
    }
    expect(reads).toBe(0);
    await expectWhole(ana.folder, ref);
  });

  it('decides on what others did to mission and project since', async () => {
    const ana = await desk();
    const { ref, id, view } = await standing(ana);
    const at = new MissionDesk(ana.bench, { ref, signer: ANA, project: view });
    taken(await at.transact(note(id, await documents(ana, ['one']))));
    const ben = await desk({ folder: ana.folder });
    const session = await ben.bench.open(PROJECT_REF, BEN);
    const about = { entity_type: 'project', entity_id: view.tip.state!.project_id } as const;
    const halt = { event_type: 'halt.declared', payload: {}, ...about, task_id: about.entity_id } as const;
    taken(await session.submit({ decide: () => accept([halt]) }));
    await ben.add(ref, 'of ben', { key: BEN });
    const seen = await at.transact({
      decide: (state, { project: { halt } }) =>
        refuse('project_halted', { halted: halt !== null, artifacts: state!.artifacts.recorded }),
    });
    expect(seen).toMatchObject({ facts: { halted: true, artifacts: 2 } });
    expect(refused(await at.transact(claiming(id, await documents(ana, ['two']))))).toBe('project_halted');
  });
});

describe('through a remote', () => {
  it.each(['mission', 'project', 'shelf', 'incoming'] as const)(
    'nothing moves when the server refuses the %s',
    async (one) => {
      const at = await shared();
      const ana = await desk({ folder: at.clone(), remote: at.url });
      const view = await ana.bench.project();
      const { ref, act, id, shelf } = opening(view, await documents(ana, ['the proposal']));
      const mine = new MissionDesk(ana.bench, { ref, signer: ANA, project: view });
      taken(await mine.transact(act));
      const before = refsOf(at.bare);
      const path = { mission: ref, project: PROJECT_REF, shelf, incoming: INCOMING }[one];
      const hook = join(at.bare, 'hooks', 'update');
      writeFileSync(hook, `#!/bin/sh\ntest "$1" != ${path}\n`, { mode: 0o755 });
      const claim = claiming(id, await documents(ana, ['work']), { along: handingOver(ana, 'work') });
      await expect(mine.transact(claim)).rejects.toMatchObject({ code: 'push_rejected' });
      expect(refsOf(at.bare)).toBe(before);
      rmSync(hook);
      expect(taken(await mine.transact(claim)).mission.from).toBe(2);
      await ana.bench.place.upToDate();
      expect((await auditArtifacts(ana.bench, ref)).findings.map(({ is }) => is)).toEqual(['sound', 'sound']);
      await expectWhole(at.bare, ref);
    },
  );

  it('an act is one push', async () => {
    const at = await shared();
    const ana = await desk({ folder: at.clone(), remote: at.url });
    const view = await ana.bench.project();
    const { ref, act, id } = opening(view, []);
    const mine = new MissionDesk(ana.bench, { ref, signer: ANA, project: view });
    taken(await mine.transact(act));
    const pushes = (): number => at.server.seen.filter(({ path }) => path.endsWith('/git-receive-pack')).length;
    const before = pushes();
    taken(await mine.transact({ ...claiming(id, []), decide: () => accept(noted(id)) }));
    expect(pushes() - before).toBe(1);
    await ana.bench.close();
    await expectWhole(at.bare, ref);
    await expectWhole(ana.folder, ref);
  });
});

async function watched(changes: Change[]): Promise<Desk> {
  return desk({
    wrap: (repository) =>
      around(repository, {
        commit: (change) => {
          changes.push(change);
          return repository.commit(change);
        },
      }),
  });
}

function note(id: string, drawn: Awaited<ReturnType<typeof documents>>) {
  return { documents: drawn, decide: () => accept(drawn.map(noteOn(id))) };
}

function noted(id: string) {
  const mediaType = 'text/plain';
  return [noteOn(id)({ digest: `sha256:${'5a'.repeat(32)}`, bytes: 1, mediaType })];
}
