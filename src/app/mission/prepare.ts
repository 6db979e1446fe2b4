// What a run needs beside its tree: which environments those are, which of them have to be prepared before, and what came of
// preparing them in cells of their own. Decides nothing: the first that fails ends it, and its reason is handed on.
import { CANCELLED } from '../../kernel/attempt/blame.ts';
import type { Plan } from '../../kernel/course/plan.ts';
import type { Names } from '../../kernel/decide/about.ts';
import type { Ended, Preparing } from '../../kernel/decide/work.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import { prepareHosts } from '../../kernel/policy/reach.ts';
import type { Cell, CellHolds, Cells, CheckRun, ProjectBase } from '../../ports/cells.ts';
import type { Environments, FoundEnvironment, Mounted } from '../../ports/environments.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { NewDocument } from '../artifacts/documents.ts';
import type { Keeper } from '../printed/keep.ts';
import { factsDocument } from './cell-facts.ts';
import { closedRun } from './closed-run.ts';
import { probed } from './probed.ts';
import { codeOf, troubleOf } from './trouble.ts';

/** `origin`: the protected base, or the attempt whose work brought other files along. */
export type Tree = { readonly project: ProjectBase; readonly origin: string };

export function environmentsOf(
  environments: Environments,
  { environment, ca_file: caFile }: PlanDocument,
  { project, origin }: Tree,
): Promise<readonly FoundEnvironment[]> {
  return Promise.all(
    Object.entries(environment).map(([name, one]) =>
      environments.find({ name, environment: one, project, origin, caFile, at: 'project' }),
    ),
  );
}

/** The agent's own program, where policy says how it is come by. */
export async function programOf(
  environments: Environments,
  { agent, ca_file: caFile, proposal }: PlanDocument,
  project: ProjectBase,
): Promise<readonly FoundEnvironment[]> {
  if (agent.install === undefined) return [];
  const name = 'name' in proposal.agent ? proposal.agent.name : 'agent';
  const wanted = { name, environment: agent.install, project, origin: 'base', caFile, at: 'agent' } as const;
  return [await environments.find(wanted)];
}

export type ToPrepare = {
  readonly found: FoundEnvironment;
  readonly born: Preparing & { readonly limits: CellHolds };
};

/** Those that are not there yet, each with the cell that is going to be born for it. */
export function toPrepare(
  cells: Cells,
  found: readonly FoundEnvironment[],
  names: Names,
): Promise<readonly ToPrepare[]> {
  const missing = found.filter(({ isReady }) => !isReady);
  return Promise.all(
    missing.map(async (one): Promise<ToPrepare> => {
      const cell = names(`prepare ${one.name} ${one.origin}`);
      const born = { cell, key: one.key, reach: prepareHosts(one.environment), ...(await probed(cells, cell)) };
      return { found: one, born };
    }),
  );
}

export type Prepared = {
  readonly failure: ReasonCode | undefined;
  readonly documents: ReadonlyMap<string, NewDocument>;
  readonly ended: (digestOf: (name: string) => string) => readonly Ended[];
};

type Around = {
  readonly environments: Environments;
  readonly plan: Plan;
  readonly canaries: readonly string[];
  readonly keepPrinted: Keeper;
  readonly cancelled: AbortSignal;
};

/** One after the other: they may all want the whole machine. */
export async function prepareAll(wanted: readonly ToPrepare[], around: Around): Promise<Prepared> {
  const { environments, plan, canaries, keepPrinted, cancelled } = around;
  const runs: CheckRun[] = [];
  const documents = new Map<string, NewDocument>();
  let failure: ReasonCode | undefined;
  try {
    for (const {
      found,
      born: { cell, limits },
    } of wanted) {
      if (cancelled.aborted) failure = CANCELLED;
      if (failure !== undefined) break;
      const run = await environments.prepare(found, {
        cellId: cell,
        requiredLevel: plan.level as Cell['level'],
        requiredLimits: limits,
        canaries,
        signal: cancelled,
      });
      runs.push(run);
      documents.set(nameOf(cell), await keepPrinted({ text: run.output, by: 'check', isFailed: run.exitCode !== 0 }));
      if (run.reached.length > 0) documents.set(factsOf(cell), factsDocument({ network: { reached: run.reached } }));
      if (run.exitCode !== 0) failure = cancelled.aborted ? CANCELLED : 'environment_failed';
    }
  } catch (error) {
    failure = codeOf(error);
    documents.set(TROUBLE, factsDocument({ trouble: troubleOf(error) }));
  }
  const ended = (digestOf: (name: string) => string): readonly Ended[] => {
    const has = (name: string): string | null => (documents.has(name) ? digestOf(name) : null);
    return wanted.map(({ born: { cell } }, n) => ({
      cell,
      closed: closedRun(runs[n], {
        failure,
        output: has(nameOf(cell)),
        facts: has(runs[n] === undefined ? TROUBLE : factsOf(cell)),
      }),
    }));
  };
  return { failure, documents, ended };
}

const TROUBLE = 'trouble of preparing';
const nameOf = (cell: string): string => `prepare ${cell}`;
const factsOf = (cell: string): string => `facts of preparing ${cell}`;

/** Everything that is ready by now, as a cell gets it. */
export async function mountedOf(
  environments: Environments,
  found: readonly FoundEnvironment[],
): Promise<Partial<Mounted>> {
  return found.length === 0 ? {} : environments.mount(found);
}

/** As plain data: where a digest is going to stand, the name of its document. */
export function laidAside({ ended }: Prepared): readonly Ended[] {
  return ended((name) => name);
}

export function laidOut(ended: readonly Ended[], rest: Pick<Prepared, 'failure' | 'documents'>): Prepared {
  return {
    ...rest,
    ended: (digestOf) =>
      ended.map(({ cell, closed }) => {
        const has = (name: string | null): string | null => (name === null ? null : digestOf(name));
        return { cell, closed: { ...closed, facts: has(closed.facts), output: has(closed.output) } };
      }),
  };
}
