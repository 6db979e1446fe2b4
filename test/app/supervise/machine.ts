// A runner's machine with several users, for tests that are run by root: one that supervises, one that is every job, one that
// is neither. A forge in a plain folder is served to them over loopback, and jobs are the built action.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { addMember, type MemberFacts } from '../../../src/app/threshold/roster-change.ts';
import { fromBase64 } from '../../../src/format/bytes.ts';
import { parsePublicKeys } from '../../../src/format/openpgp/public-key.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import { CLI_MAIN } from '../../support/build.ts';
import { applied, drafted } from '../../support/drafts.ts';
import { startGitHttpServer, type GitHttpServer } from '../../support/http-server.ts';
import { ANA } from '../../support/people.ts';
import { scratch } from '../../support/repos.ts';
import { taken } from '../../support/taken.ts';
import { as, hears, settingUser, type Started, type User } from '../../support/users.ts';
import { gateSite, type GateSite } from '../gate/gate-site.ts';

const ACTION = join(dirname(CLI_MAIN), '../../action/main.mjs');

const JOBS_GROUP = 61_010;
/** No such users are in any list: to the system they are as good as any other. */
export const KEEPER: User = { uid: 61_001, groups: [61_001, JOBS_GROUP] };
export const JOB: User = { uid: 61_002, groups: [61_002, JOBS_GROUP] };
export const STRANGER: User = { uid: 61_003, groups: [61_003] };

/** What a job or a supervisor of the test is lent, in place of one that the forge makes. */
export const TOKEN = 'a-token-of-one-job-0123456789abcdef';

export type Machine = {
  readonly at: GateSite;
  readonly forge: GitHttpServer;
  readonly genesis: string;
  readonly socket: string;
  readonly config: string;
  /** The keeper's home: keys, vault, what was prepared, cells. */
  readonly home: string;
  /** Where jobs run. */
  readonly jobs: string;
  supervise(settings?: { readonly config?: string; readonly user?: User; readonly socket?: string }): Promise<Started>;
  job(mission: string, settings?: JobSettings): Started;
};

type JobSettings = {
  readonly user?: User;
  readonly env?: Readonly<Record<string, string>>;
  readonly repository?: string;
};

export async function machine(): Promise<Machine> {
  const at = await gateSite();
  const place = scratch('machine');
  chmodSync(place, 0o711);
  const home = folderOf(join(place, 'keeper'), KEEPER, 0o700);
  const jobs = folderOf(join(place, 'job'), JOB, 0o700);
  const socket = join(folderOf(join(place, 'run'), KEEPER, 0o755), 'supervisor.sock');
  await enrol(at, home);
  const { project } = await heads(at);
  const forge = await startGitHttpServer(dirname(dirname(at.server)));
  onTestFinished(forge.close);
  const asked = JSON.stringify({ id: 7, login: 'actions' });
  const answer = { do: 'answer', status: 200, body: asked, headers: { 'content-type': 'application/json' } } as const;
  forge.faults(({ path }) => (path === '/api/v1/user' ? answer : undefined));
  const config = join(place, 'supervisor.yml');
  writeFileSync(config, configuration(forge.origin, project));
  return {
    at,
    forge,
    genesis: project,
    socket,
    config,
    home,
    jobs,
    async supervise({ config: other = config, user = KEEPER, socket: elsewhere = socket } = {}) {
      const options = ['supervise', '--config', other, '--socket', elsewhere];
      const started = as(user, [process.execPath, CLI_MAIN, ...options], { HOME: home });
      await hears(started, 'supervises at');
      return started;
    },
    job(mission, { user = JOB, env = {}, repository = 'ana/m1' } = {}) {
      return as(user, [process.execPath, ACTION], {
        HOME: jobs,
        RUNNER_TEMP: user.uid === JOB.uid ? jobs : home,
        INPUT_JOB: 'cell',
        INPUT_MISSION: mission,
        INPUT_GENESIS: project,
        GITHUB_SERVER_URL: forge.origin,
        GITHUB_REPOSITORY: repository,
        LAZARUS_TOKEN: TOKEN,
        LAZARUS_SUPERVISOR: socket,
        ...env,
      });
    },
  };
}

export function configuration(origin: string, genesis: string): string {
  const project = `{ forge: "${origin}", repository: ana/m1, genesis: "${genesis}" }`;
  return `jobs_group: ${JOBS_GROUP}\nprojects:\n  - ${project}\n`;
}

export function folderOf(path: string, { uid, groups }: User, mode: number): string {
  mkdirSync(path);
  chownSync(path, uid, groups[0]!);
  chmodSync(path, mode);
  return path;
}

/** What the keeper's private keys are made of: nobody else may ever read one of these lines. */
export function privateFiles({ home }: Machine): readonly string[] {
  const all = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name));
  return all.filter((path) => isKey(path));
}

function isKey(path: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes('PRIVATE KEY');
  } catch {
    return false;
  }
}

/** A key made on the machine, and put on the roster by the root elsewhere. */
async function enrol({ bench }: GateSite, home: string): Promise<void> {
  const args = [process.execPath, CLI_MAIN, 'keys', 'runner', 'box', '--json'];
  const made = execFileSync('setpriv', settingUser(KEEPER, args), {
    cwd: '/',
    env: { PATH: process.env['PATH'], HOME: home },
    encoding: 'utf8',
  });
  const [, key] = /roster add (\S+) /.exec((JSON.parse(made) as { enrol: string }).enrol)!;
  const { size } = (await bench.project()).tip;
  const facts: MemberFacts = {
    forge_user_id: null,
    layer: 'L5',
    person_id: null,
    principal_type: 'runner',
    roles: ['runner'],
  };
  const parsed = parsePublicKeys(fromBase64(key!)!, nodeCrypto);
  const change = await drafted(
    bench,
    (roster) => accept({ members: taken(addMember(parsed.key, size, facts)(roster)).members! }),
    ANA,
  );
  taken(await applied(bench, change, ANA));
  await bench.place.upToDate();
}

async function heads({ bench }: GateSite): Promise<{ readonly project: string }> {
  const { state } = (await bench.project()).tip;
  await bench.place.head(PROJECT_REF);
  return { project: state!.project_genesis };
}
