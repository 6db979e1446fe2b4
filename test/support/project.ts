// A project with people, on a real repository, through the same workbench that the program uses. For tests that are about
// what happens to ledgers over time; every call goes the way a person's command would.
import { randomUUID } from 'node:crypto';
import { openRepository } from '../../src/adapters/git/repository.ts';
import { fileFolds } from '../../src/adapters/state/file-folds.ts';
import { filePins } from '../../src/adapters/state/file-pins.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { beginMission, beginProject } from '../../src/app/begin.ts';
import { completeAll } from '../../src/app/draft.ts';
import type { Submission } from '../../src/app/ledger-session.ts';
import { Workbench } from '../../src/app/workbench.ts';
import type { Report } from '../../src/app/verify/report.ts';
import type { Member, Roster } from '../../src/kernel/roster/roster.ts';
import { accept, type Verdict } from '../../src/kernel/verdict.ts';
import { missionRef, PROJECT_REF } from '../../src/ledger/names.ts';
import { headOf, type Tip } from '../../src/ledger/tip.ts';
import type { Draft } from '../../src/ledger/transaction.ts';
import { onTestFinished } from 'vitest';
import { member, roster, testKey, type TestKey } from './people.ts';
import { scratchRepository } from './repos.ts';

export const ANA = testKey('ana');
export const BO = testKey('bo');
export const CY = testKey('cy');

export type Project = { readonly bench: Workbench; readonly path: string; readonly id: string };

/** A fresh look at a repository, as another process would take it. */
export async function benchAt(path: string): Promise<Workbench> {
  const repository = await openRepository(path);
  const bench = new Workbench({
    crypto: nodeCrypto,
    repository,
    remote: undefined,
    pins: filePins(repository.stateDir),
    folds: fileFolds(repository.stateDir),
    clock: { nowSeconds: () => Math.floor(Date.now() / 1000) },
    ids: { next: () => randomUUID() },
    backOff: () => Promise.resolve(),
  });
  onTestFinished(() => bench.close());
  return bench;
}

/** A project that the first of these people begins; all of them are roots unless they bring other facts. */
export async function aProject(members: readonly Member[], changes: Partial<Roster> = {}): Promise<Project> {
  const path = scratchRepository();
  const bench = await benchAt(path);
  const id = randomUUID();
  taken(await bench.session(PROJECT_REF, ANA).submit(beginProject(id, roster(id, members, changes))));
  return { bench, path, id };
}

export function people(...keys: readonly TestKey[]): Member[] {
  return keys.map((key) => member(key));
}

/** A mission begun by `by`; its reference. */
export async function aMission(bench: Workbench, by: TestKey = ANA): Promise<string> {
  const view = await bench.project();
  const id = randomUUID();
  taken(await bench.session(missionRef(id), by, view).submit(beginMission(id, view, null)));
  return missionRef(id);
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
  const drafts = taken(aNote().decide(tip.state, { head: headOf(tip) }));
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

/** The value of a verdict; a refusal here is a mistake in the test. */
export function taken<T>(verdict: Verdict<T>): T {
  if (verdict.is === 'refused') throw new Error(`${verdict.code} ${JSON.stringify(verdict.facts)}`);
  return verdict.value;
}

export function refused(verdict: Verdict<unknown>): string {
  return verdict.is === 'refused' ? verdict.code : 'accepted';
}
