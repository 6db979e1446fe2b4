// What is special about a job of a forge: as whom it runs, and which keys whoever may write a workflow could read. Every
// workflow that a runner takes runs as its user: what that user can read, every writer of the repository can.
import { KEY_VARIABLES } from '../gate/job-key.ts';
import { usedRoutes } from './agents.ts';
import { missing, ok, warn, type Finding } from './finding.ts';
import type { Here, SupervisorSeen } from './here.ts';

const RUNNER = { item: 'runner', title: 'runner' };
const EXPOSED = { item: 'exposed', title: 'keys of this runner' };

const SUPERVISOR = { item: 'supervisor', title: 'supervisor' };

const DOCKER = '/var/run/docker.sock';
const HAS_DOCKER = `a job may talk to ${DOCKER}: every workflow is root of this machine`;

export async function lookAtRunner(here: Here): Promise<readonly Finding[]> {
  const { told, stored, secrets, host } = here;
  if (!told.isJob) return [];
  const who = told.isRoot
    ? warn(RUNNER, 'a job that runs as root: its runner owns this machine', 'useradd --create-home lazarus-runner')
    : ok(RUNNER, `a job, with ${[...told.variables].toSorted().join(', ') || 'no variable of lazarus'}`);
  const keys = (await stored().catch(() => [])).filter(({ custody }) => custody === 'unprotected');
  const routes = await usedRoutes(here);
  const readable = await Promise.all(
    routes.map(({ key }) =>
      secrets.resolve(key).then(
        () => [key],
        () => [],
      ),
    ),
  );
  const socket =
    (await host.at(DOCKER)) === 'socket' ? [warn(RUNNER, HAS_DOCKER, 'sudo gpasswd --delete "$USER" docker')] : [];
  return [
    who,
    ...socket,
    ...judgeSupervisor(await here.supervisor()),
    ...judgeExposure(
      [KEY_VARIABLES.gate[0], KEY_VARIABLES.writer[0]].filter((name) => told.variables.has(name)),
      [...keys.map(({ userId }) => `the key of ${userId.split(' ')[0]}`).toSorted(), ...new Set(readable.flat())],
    ),
  ];
}

function judgeSupervisor({ path, uid, is }: SupervisorSeen): readonly Finding[] {
  if (is === 'none') return [];
  const who = uid === undefined ? path : `${path}, of user ${uid}`;
  return is === 'answers'
    ? [ok(SUPERVISOR, `answers at ${who}: missions run as that user, with its keys`)]
    : [missing(SUPERVISOR, `does not answer at ${who}: nothing is run without it`, RESTART)];
}

/** A user's new group counts from its next process on. */
const RESTART = 'sudo systemctl restart lazarus-supervisor, and start the runner again';

function judgeExposure(ofJobs: readonly string[], ofUser: readonly string[]): readonly Finding[] {
  if (ofJobs.length + ofUser.length === 0) return [ok(EXPOSED, 'none that a job could read')];
  const says = `exposed: repository writers (${[...ofJobs, ...ofUser].join(', ')})`;
  return [warn(EXPOSED, says, ofUser.length === 0 ? COUNT_THEM : KEEP_APART)];
}

const KEEP_APART = 'sudo lazarus runner setup --help: it keeps keys from jobs; then take these from this user';
/** Secrets of the forge come to jobs wherever those run. */
const COUNT_THEM = 'count everybody who may write to this repository as a holder of these keys';
