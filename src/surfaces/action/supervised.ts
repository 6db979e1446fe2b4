// The job of a cell on a machine with a supervisor: says which mission, lends it the job's token, and tells what it hears. Has
// no key, reads none, and runs nothing itself: where the supervisor does not answer, nothing is run.
import { isDoor, knock } from '../../compose/knock.ts';
import { askedLine, parseTold, SUPERVISOR_SOCKET } from '../../app/supervise/wire.ts';
import { Failure } from '../../failure.ts';
import type { Report } from '../../forge-text/outcome.ts';
import type { JobCircumstances } from './circumstances.ts';

type Listening = { readonly told: (line: string) => void; readonly leaving: AbortSignal };

/** Named, it has to be there; where nobody named one and none is, this machine has none. */
export async function hasSupervisor({ supervisor }: JobCircumstances): Promise<boolean> {
  return supervisor !== SUPERVISOR_SOCKET || (await isDoor(supervisor));
}

export async function askSupervisor(
  { supervisor, serverUrl, owner, repository, mission }: JobCircumstances,
  env: NodeJS.ProcessEnv,
  { told, leaving }: Listening,
): Promise<Report> {
  if (mission === undefined) throw new Failure('usage', { variable: 'INPUT_MISSION' });
  const asked = { server_url: serverUrl, owner, repository, mission, token: env['LAZARUS_TOKEN'] ?? '' };
  let report: Report | undefined;
  const onLine = (line: string): void => {
    const said = parseTold(line);
    if (typeof said === 'string') told(said);
    else report = said;
  };
  told(`the supervisor of this machine is asked: ${supervisor}`);
  await knock(supervisor, askedLine(asked), { onLine, leaving });
  if (report === undefined) throw new Failure('supervisor_unreachable', { path: supervisor, because: 'it hung up' });
  return report;
}
