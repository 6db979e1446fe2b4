// What missions that are over leave in a project for ever: two transactions each in its ledger, one when their paths were
// claimed and one when they were let go; a ledger that grows out of it, a shelf of artifacts and the way from an issue as
// references. Their own events are not made: nobody reads them.
import { missionName } from '../../../src/kernel/values.ts';
import { within } from '../../../src/kernel/decide/about.ts';
import type { EventDraft } from '../../../src/kernel/draft.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { artifactsRef, missionRef, PROJECT_REF } from '../../../src/ledger/names.ts';
import { headOf } from '../../../src/ledger/tip.ts';
import type { Signer } from '../../../src/ports/keys.ts';
import { landed, openBench } from './ledger.ts';

/** Missions `from` up to, and not with, `to`. */
export type Past = { readonly from: number; readonly to: number };
export type ProjectCommit = { readonly oid: string; readonly seconds: number };

/** Submitted in one breath: as many as are written together. */
const GROUP = 500;
/** Far from the issues that there are. */
const ISSUES_FROM = 1_000_000;

/** In the project ledger of the repository at `path`, by somebody who may vote there. */
export async function registerPast(path: string, by: Signer, { from, to }: Past): Promise<void> {
  const bench = await openBench(path);
  try {
    const session = bench.session(PROJECT_REF, by);
    const tip = await session.tip();
    const project = tip.state!.ledger_id;
    const after = headOf(tip);
    for (let at = from; at < to; at += GROUP) {
      const some = numbers({ from: at, to: Math.min(at + GROUP, to) });
      await Promise.all(
        some.flatMap((n) => {
          const mission_id = idOf(n);
          // By an event of the mission itself, which people would have to bring to look at.
          const cause = { index: 0, leaf: 'ca'.repeat(32), ledger_id: mission_id };
          const claims = [`src/part-${n}/**`];
          const events: readonly EventDraft[] = [
            {
              ...within('mission.registered', mission_id, project, { claims, genesis: 'ab'.repeat(20), mission_id }),
              cause,
            },
            { ...within('claims.released', mission_id, project, { after, because: 'ended', mission_id }), cause },
          ];
          return events.map((event) => landed(session, { decide: () => accept([event]) }));
        }),
      );
    }
  } finally {
    await bench.close();
  }
}

/** Their references, as `git fast-import` makes them: each names a commit of its own, and none has a past. */
export function pastReferences(past: Past): string {
  const commits = numbers(past).flatMap((n) => {
    const id = idOf(n);
    const refs = [missionRef(id), artifactsRef(missionName(id)), `refs/lazarus/issues/${ISSUES_FROM + n}`];
    return refs.map((ref) => commit(ref, n));
  });
  return commits.join('');
}

/**
 * Their ledgers once more, for `git fast-import --force`: each as what grows out of the project's ledger where that was
 * when its mission was registered. `project` has that ledger's commits, the oldest first.
 */
export function grownLedgers({ from, to }: Past, project: readonly ProjectCommit[]): string {
  const before = project.length - 2 * (to - from);
  return numbers({ from, to })
    .map((n) => {
      const { oid, seconds } = project[before + 2 * (n - from) - 1]!;
      return commit(missionRef(idOf(n)), seconds, oid);
    })
    .join('');
}

function commit(ref: string, seconds: number, parent?: string): string {
  const by = `committer lazarus <lazarus@example.invalid> ${seconds} +0000`;
  return `commit ${ref}\n${by}\n${data(ref)}${parent === undefined ? '' : `from ${parent}\n`}\n`;
}

function data(text: string): string {
  return `data ${text.length}\n${text}\n`;
}

function numbers({ from, to }: Past): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** The beginning of an id is the name of its mission. */
function idOf(n: number): string {
  return `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
}
