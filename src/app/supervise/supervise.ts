// Answers jobs on a runner that shares its user with every writer's workflows: looks up which project is meant in a list that
// the keeper of the machine wrote, and takes one turn on its own, from the pinned first event on. Nothing that a job says
// begins anything that its project's people did not approve; its token alone is used, and only at that project's forge.
import { Failure, failureIn } from '../../failure.ts';
import { reportOf, reportOfFailure, type Report } from '../../forge-text/outcome.ts';
import type { Caller } from '../../ports/door.ts';
import type { Turn } from '../gate/going.ts';
import { lineTold, parseAsked, reportTold, type Asked } from './wire.ts';

type SupervisedProject = {
  readonly serverUrl: string;
  readonly owner: string;
  readonly repository: string;
  /** Fingerprint of its first event. */
  readonly genesis: string;
};

export type TurnAsked = {
  readonly project: SupervisedProject;
  readonly mission: string;
  readonly token: string;
  readonly told: (line: string) => void;
  readonly leaving: AbortSignal;
};

type Supervising = {
  readonly projects: readonly SupervisedProject[];
  /** Missions that run side by side; the others wait in the order in which they came. */
  readonly atOnce: number;
  readonly turn: (asked: TurnAsked) => Promise<Turn>;
  /** For whoever keeps the machine: never what a job said, but for names that were looked up. */
  readonly log: (line: string) => void;
  /** Aborted when the supervisor is told to leave. */
  readonly closing: AbortSignal;
};

export function supervisor(supervising: Supervising): (caller: Caller) => Promise<void> {
  const rota = takingTurns(supervising.atOnce);
  return async (caller) => {
    const line = await caller.asked;
    if (line === undefined) return;
    await caller.end(reportTold(await answer(line, caller, rota, supervising)));
  };
}

async function answer(line: string, caller: Caller, rota: Rota, supervising: Supervising): Promise<Report> {
  const { turn, log, closing } = supervising;
  const told = (text: string): void => caller.tell(lineTold(text));
  const leaving = AbortSignal.any([caller.leaving, closing]);
  let name = 'a job';
  try {
    const asked = parseAsked(line);
    const project = projectOf(asked, supervising.projects);
    name = `${project.owner}/${project.repository} ${asked.mission}`;
    const { mission, token } = asked;
    const report = await rota(leaving, told, async () => {
      log(`${name}: begins`);
      return reportOf(await turn({ project, mission, token, told, leaving }));
    });
    log(`${name}: ${report.outcome.decision}, ${report.outcome.reasonCode}`);
    return report;
  } catch (error) {
    log(`${name}: ${failureIn(error)?.code ?? traceOf(error)}`);
    return reportOfFailure(error);
  }
}

/** By its own list alone: a job's address is compared, and never used. */
function projectOf(asked: Asked, projects: readonly SupervisedProject[]): SupervisedProject {
  const found = projects.find(
    ({ serverUrl, owner, repository }) =>
      serverUrl === asked.server_url && owner === asked.owner && repository === asked.repository,
  );
  if (found !== undefined) return found;
  throw new Failure('project_unlisted', { repository: `${asked.owner}/${asked.repository}` });
}

function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

type Rota = <T>(leaving: AbortSignal, told: (line: string) => void, work: () => Promise<T>) => Promise<T>;

function takingTurns(atOnce: number): Rota {
  let busy = 0;
  const waiting: (() => void)[] = [];
  return async (leaving, told, work) => {
    if (busy >= atOnce) {
      told(`waits for its turn: ${busy} are running here, ${waiting.length} came before`);
      await called(waiting, leaving);
    } else busy++;
    try {
      return await work();
    } finally {
      // Whoever is next takes over the place as it is.
      const next = waiting.shift();
      if (next === undefined) busy--;
      else next();
    }
  };
}

function called(waiting: (() => void)[], leaving: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      waiting.splice(waiting.indexOf(go), 1);
      reject(new Failure('interrupted'));
    };
    const go = (): void => {
      leaving.removeEventListener('abort', leave);
      resolve();
    };
    if (leaving.aborted) return reject(new Failure('interrupted'));
    waiting.push(go);
    leaving.addEventListener('abort', leave, { once: true });
  });
}
