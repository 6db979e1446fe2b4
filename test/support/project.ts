// A project with people, on a real repository, through the same workbench that the program uses. For tests that are about
// what happens to ledgers over time; every call goes the way a person's command would.
import { randomUUID } from 'node:crypto';
import { openRepository } from '../../src/adapters/git/repository.ts';
import { fileFolds } from '../../src/adapters/state/file-folds.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { completeAll } from '../../src/app/draft.ts';
import type { Submission } from '../../src/app/ledger-session.ts';
import type { Report } from '../../src/app/verify/report.ts';
import type { Member, Roster } from '../../src/kernel/roster/roster.ts';
import { accept, type Verdict } from '../../src/kernel/verdict.ts';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { headOf, type Tip } from '../../src/ledger/tip.ts';
import type { Draft } from '../../src/ledger/transaction.ts';
import { onTestFinished } from 'vitest';
import { member, type TestKey } from './people.ts';
import { scratchRepository } from './repos.ts';
import { taken } from './taken.ts';
import { benchOver, foundProject } from './workbench.ts';

export type Project = { readonly bench: Workbench; readonly path: string; readonly id: string };

/** A fresh look at a repository, as another process would take it. */
export async function benchAt(path: string): Promise<Workbench> {
  const repository = await openRepository(path);
  const bench = benchOver(repository, { folds: fileFolds(repository.stateDir), backOff: () => Promise.resolve() });
  onTestFinished(() => bench.close());
  return bench;
}

/** A project that the first of these people begins; all of them are roots unless they bring other facts. */
export async function aProject(members: readonly Member[], changes: Partial<Roster> = {}): Promise<Project> {
  const path = scratchRepository();
  const bench = await benchAt(path);
  return { bench, path, id: await foundProject(bench, members, changes) };
}

export function people(...keys: readonly TestKey[]): Member[] {
  return keys.map((key) => member(key));
}

/** Appends a note to a mission, in the newest project's light. */
export async function note(bench: Workbench, ref: string, by: TestKey): Promise<Verdict<unknown>> {
  return bench.session(ref, by, await bench.project()).submit(aNote());
}

export function aNote(): Submission {
  return {
    decide: (state) => {
      const about = { entity_type: 'note', entity_id: randomUUID(), task_id: state!.ledger_id } as const;
      const payload = { bytes: 1, digest: `sha256:${'5a'.repeat(32)}`, media_type: 'text/plain' };
      return accept([{ event_type: 'note.recorded', payload, ...about }]);
    },
  };
}

/** A note as a transaction that nobody has looked at yet: for who slips it in past the write path. */
export function noteBy(by: TestKey, tip: Tip): Draft {
  const drafts = taken(aNote().decide(tip.state, { head: headOf(tip), adopts: false }));
  const actor = tip.state!.roster.members.find((one) => one.principal_id === by.principalId)!;
  const drawn = { id: () => randomUUID(), correlation: randomUUID(), occurredAt: '2026-11-18T10:00:00.000Z' };
  const events = completeAll(drafts, actor, drawn, tip.state);
  return { tx: randomUUID(), events, fingerprint: by.fingerprint, atSeconds: 1_800_000_000 };
}

/** The report on a ledger, verified in full. */
export async function reportOf(bench: Workbench, ref: string): Promise<Report> {
  const project = ref === PROJECT_REF ? undefined : await bench.project();
  return (await bench.verify(ref, 'full', project === undefined ? {} : { project })).report;
}
