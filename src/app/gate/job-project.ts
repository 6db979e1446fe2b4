// The project as a job of a forge takes it over: brought along in one go, believed from the one first event that the
// workflow names.
import { Failure } from '../../failure.ts';
import type { Oid } from '../../format/git/object.ts';
import { ledgerName, PROJECT_REF } from '../../ledger/names.ts';
import { projectState, type MissionWorld } from '../mission/world.ts';
import type { Workbench } from '../workbench.ts';
import type { GateDesk } from './desk.ts';
import { missionOfIssue } from './issue-index.ts';

export type JobProject = {
  readonly genesis: string;
  /** Where the project and what else the job will look at stand; their objects are here then. */
  readonly brought: Promise<ReadonlyMap<string, Oid>>;
  /** The issue that it is about: its mission, if there is one, is brought while the project is verified. */
  readonly issue?: number;
};

/** `verified`: opens what was brought, and judges it. The mission of the issue is looked up once for the whole turn. */
export async function projectOfJob(
  bench: Workbench,
  { genesis, brought, issue }: JobProject,
  verified: () => Promise<MissionWorld>,
): Promise<{ readonly world: MissionWorld; readonly missionOf: GateDesk['missionOf'] }> {
  const head = (await brought).get(PROJECT_REF);
  if (head === undefined) throw new Failure('ledger_not_found', { ledger: ledgerName(PROJECT_REF) });
  await bench.place.keep(PROJECT_REF, head);
  const ahead = issue === undefined ? undefined : missionOfIssue(bench, issue);
  // What goes wrong with it is told to whoever asks for it.
  const isLooked = ahead?.catch(() => undefined);
  const world = await verified();
  await isLooked;
  const found = projectState(world).project_genesis;
  if (found !== genesis) throw new Failure('genesis_mismatch', { expected: genesis, found });
  const missionOf: GateDesk['missionOf'] = (asked) =>
    ahead !== undefined && asked === issue ? ahead : missionOfIssue(bench, asked);
  return { world, missionOf };
}
