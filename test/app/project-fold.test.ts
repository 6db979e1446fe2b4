// A project with a long past, verified since its pin: what missions are held to is the same as if it had been read from
// its first event.
import { describe, expect, it } from 'vitest';
import { fileFolds } from '../../src/adapters/state/file-folds.ts';
import { knownProject } from '../../src/app/project-fold.ts';
import { planCutOff } from '../../src/app/threshold/cut-off.ts';
import { draftOf } from '../../src/app/threshold/threshold-draft.ts';
import { Workbench } from '../../src/app/workbench.ts';
import type { ProjectView } from '../../src/app/adoption.ts';
import type { Folds } from '../../src/ports/folds.ts';
import type { EventDraft } from '../../src/kernel/draft.ts';
import { accept } from '../../src/kernel/verdict.ts';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { applied, signed } from '../support/drafts.ts';
import { aProject, benchAt, note, people, type Project } from '../support/project.ts';
import { ANA, BO, CY } from '../support/people.ts';
import { taken } from '../support/taken.ts';
import { aMission } from '../support/workbench.ts';
import { knownIn } from '../support/kept-pages.ts';
import { headOf } from '../../src/ledger/tip.ts';
import type { TreeHead } from '../../src/kernel/values.ts';

const REVISIONS = 100;
const MISSION = '5a5a5a5a-5a5a-4a5a-8a5a-5a5a5a5a5a5a';
/** So many commits ago that what is kept of it is read only when it is asked for. */
const LONG_AGO = 300;

async function look({ path }: Project): Promise<{ readonly view: ProjectView; readonly commits: number }> {
  const bench = await benchAt(path);
  const { repository } = bench.parts;
  let commits = 0;
  const keeping = new Workbench({ ...bench.parts, folds: fileFolds(repository.stateDir) });
  const view = await knownProject(keeping, { onCommit: () => (commits += 1) });
  return { view, commits };
}

async function headsOf({ bench }: Project): Promise<readonly TreeHead[]> {
  const heads: TreeHead[] = [];
  await bench.verify(PROJECT_REF, 'full', { onCommit: (seen) => heads.push(headOf(seen.tip)) });
  return heads;
}

/** Many policies, some in each commit. */
async function revise({ bench, id }: Project, from: number, count = REVISIONS, each = 20): Promise<void> {
  const digest = `sha256:${'5a'.repeat(32)}`;
  const revised = (revision: number): EventDraft => ({
    event_type: 'policy.revised',
    entity_type: 'project',
    entity_id: id,
    task_id: id,
    payload: { policy: digest, revision, sacred: digest },
  });
  const session = await bench.open(PROJECT_REF, ANA);
  for (let at = from; at < from + count; at += each)
    taken(await session.submit({ decide: () => accept(Array.from({ length: each }, (_, i) => revised(at + i))) }));
}

async function long(): Promise<Project> {
  const project = await aProject(people(ANA, BO, CY), { threshold: 2 });
  for (let from = 1; from < 400; from += REVISIONS) await revise(project, from);
  return project;
}

describe('a long project, looked at again', () => {
  it('is verified since its newest snapshot, and is known as well as from its first event', async () => {
    const project = await long();
    const first = await look(project);
    const again = await look(project);
    expect(again.commits).toBeLessThan(first.commits / 2);
    const whole = await project.bench.project();
    for (const view of [first.view, again.view]) {
      expect(await knownIn(view)).toEqual(await knownIn(whole));
      expect(view.tip.state).toEqual(whole.tip.state);
      expect(view.tip.oid).toBe(whole.tip.oid);
    }
  });

  it('holds missions to heads of long ago, and knows one that it never had', async () => {
    const project = await aProject(people(ANA, BO, CY), { threshold: 2 });
    const mission = await aMission(project.bench);
    for (let from = 1; from < 400; from += REVISIONS) await revise(project, from);
    await look(project);
    const { view } = await look(project);
    const { report } = await (await benchAt(project.path)).verify(mission, 'full', { project: view });
    expect(report.integrity).toEqual({ is: 'ok' });
    const [first] = await headsOf(project);
    const { size, root, oid } = first!;
    await view.history.bring({ cited: [first!] });
    expect(view.history.check({ size, root, oid }, 0)).toBeUndefined();
    expect(view.history.check({ size, root: 'ab'.repeat(32), oid }, 0)).toMatchObject({ code: 'project_head_unknown' });
  });

  it('begins a mission of long ago at its own first commit, and holds it to what was registered', async () => {
    const project = await aProject(people(ANA, BO, CY), { threshold: 2 });
    const mission = await aMission(project.bench);
    await revise(project, 1, LONG_AGO, 1);
    await look(project);
    const { view } = await look(project);
    const bench = await benchAt(project.path);
    const seen: string[] = [];
    const onCommit = ({ ledger }: { readonly ledger: string }): void => void seen.push(ledger);
    const { report } = await bench.verify(mission, 'full', { project: view, skipsProject: true, onCommit });
    expect(report.integrity).toEqual({ is: 'ok' });
    expect(seen).toEqual(['mission']);
    const cited = view.newest(undefined);
    expect(await view.history.groundAt({ ...cited, oid: 'ab'.repeat(20) }, MISSION)).toBeUndefined();
    expect(await view.history.groundAt({ ...cited, root: 'ab'.repeat(32) }, MISSION)).toBeUndefined();
  });

  it('reads few pages of its past, and what it reads is what was kept or else comes from the ledger', async () => {
    const project = await aProject(people(ANA, BO, CY), { threshold: 2 });
    const mission = await aMission(project.bench);
    await revise(project, 1, LONG_AGO, 1);
    await look(project);
    const { repository } = project.bench.parts;
    const folds = fileFolds(repository.stateDir);
    const read: string[] = [];
    const counted: Folds = {
      ...folds,
      read: async (ledger, name) => {
        if (name !== 'project' && !name.startsWith('state-')) read.push(name);
        return folds.read(ledger, name);
      },
    };
    const seenBy = async (kept: Folds): Promise<readonly string[]> => {
      read.length = 0;
      const bench = new Workbench({ ...(await benchAt(project.path)).parts, folds: kept });
      const view = await knownProject(bench);
      const { report } = await bench.verify(mission, 'full', { project: view, skipsProject: true });
      expect(report.integrity).toEqual({ is: 'ok' });
      return [...read];
    };
    expect(await seenBy(counted)).toEqual(['heads-0', 'era-1']);
    const page = (await folds.read('project', 'heads-0'))!;
    const heads = page.value as [number, string, string, number, boolean][];
    const another = heads.map(([size, root, , roster, halted]) => [size, root, 'ab'.repeat(20), roster, halted]);
    await folds.write('project', 'heads-0', { ...page, value: another });
    expect(await seenBy(counted)).toContain('heads-0');
    const nothing = {
      ...counted,
      read: async (of: string, name: string) => (name === 'heads-0' ? undefined : counted.read(of, name)),
    };
    await seenBy(nothing);
  });

  it('brings a cut-off along that came before what it verified', async () => {
    const project = await long();
    const { bench } = project;
    const suspicion = { fingerprint: BO.fingerprint, trusted: new Map<string, number>(), distrustOthers: false };
    const { document } = await planCutOff(bench, await bench.project(), suspicion);
    let draft = draftOf({ purpose: 'cut-off', document });
    for (const key of [ANA, CY]) draft = await signed(bench, draft, key);
    taken(await applied(bench, draft, ANA));
    await revise(project, 401, 300);
    await look(project);
    const again = await look(project);
    const whole = await bench.project();
    expect(again.view.changes()).toEqual(whole.changes());
    expect(again.view.changes()).toHaveLength(1);
    expect(again.view.history.cutOffs).toEqual(whole.history.cutOffs);
  });

  it('is read from its first event where what was kept is of other heads', async () => {
    const project = await long();
    const first = await look(project);
    const folds = fileFolds(project.bench.parts.repository.stateDir);
    const kept = (await folds.read('project', 'project'))!;
    await folds.write('project', 'project', {
      ...kept,
      head: { ...kept.head, root: 'ab'.repeat(32) },
      value: { heads: [], changes: [] },
    });
    const again = await look(project);
    expect(await knownIn(again.view)).toEqual(await knownIn(first.view));
    expect(taken(await note(project.bench, await aMission(project.bench), ANA))).toBeDefined();
  });
});
