// A project behind a real Git server, and machines that append to it without a clone: each with a memory of its own.
import { randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { onTestFinished } from 'vitest';
import { appendCold, type ColdSubmission, type LandedCold } from '../../src/app/cold/append-cold.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';
import { appendWanted } from '../../src/app/append.ts';
import type { EventDraft } from '../../src/kernel/draft.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { openCold } from '../../src/compose/cold.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import { accept } from '../../src/kernel/verdict.ts';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { startGitHttpServer, type GitHttpServer } from './http-server.ts';
import { type TestKey, ANA, BO } from './people.ts';
import { aNote, aProject, benchAt, people, reportOf } from './project.ts';
import { git, scratch } from './repos.ts';
import { wireTo, type Wire } from './wire.ts';
import { taken } from './taken.ts';
import { aMission } from './workbench.ts';

export type Served = {
  /** The repository that is served; appending through this bench is another writer's doing. */
  readonly bench: Workbench;
  readonly path: string;
  readonly url: string;
  readonly ref: string;
  readonly server: GitHttpServer;
  readonly wire: Wire;
};

/** A mission of `size` events in transactions of `each`, served over HTTP as forges set their repositories up. */
export async function served(size: number, each = 10, members = people(ANA, BO)): Promise<Served> {
  const { bench, path } = await aProject(members);
  const ref = await aMission(bench);
  await grow(bench, ref, size - 1, each);
  for (const key of ['http.receivepack', 'uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant'])
    git(path, ['config', key, 'true']);
  const server = await startGitHttpServer(dirname(path));
  const wire = await wireTo(server.origin);
  onTestFinished(async () => {
    await wire.close();
    await server.close();
  });
  return { bench, path, ref, server, wire, url: `${wire.origin}/${basename(path)}/.git` };
}

/** Appends `count` notes, `each` to a transaction, where the repository is. */
export async function grow(bench: Workbench, ref: string, count: number, each = 10): Promise<void> {
  const session = bench.session(ref, ANA, await bench.project());
  const left = count % each;
  const sizes = [...Array.from({ length: Math.floor(count / each) }, () => each), ...(left === 0 ? [] : [left])];
  const landed = await Promise.all(
    sizes.map((size) =>
      session.submit({
        decide: (state, at) =>
          accept(Array.from({ length: size }, () => aNote().decide(state, at)).flatMap((one) => taken(one))),
      }),
    ),
  );
  landed.forEach(taken);
}

type TaskEvent = 'task.created' | 'task.readied' | 'task.completed';

export type Machine = {
  /** Where it keeps what it remembers of remotes. */
  readonly state: string;
  note(url: string, ref: string, by?: TestKey, count?: number): Promise<Verdict<LandedCold>>;
  /** A task: what may be done with it depends on the mission's state. */
  task(url: string, ref: string, type: TaskEvent, id: string): Promise<Verdict<LandedCold>>;
  halt(url: string, isDeclared: boolean): Promise<Verdict<LandedCold>>;
  /** A grant that nobody asked for: how far it comes says which rule is asked first. */
  grant(url: string, ref: string): Promise<Verdict<LandedCold>>;
};

/** A setting that only git understands, and that changes nothing here. */
const FOR_GIT = { GIT_SSL_VERSION: 'tlsv1.2' };

export type NewMachine = typeof machine;

/** Machines that read remotes in each of the two ways. */
export const WAYS: readonly (readonly [way: string, machine: NewMachine])[] = [
  ['over http, in memory', machine],
  ['through git', (state, meanwhile, env) => machine(state, meanwhile, { ...FOR_GIT, ...env })],
];

/** A machine that has seen nothing yet, or another process of one. `meanwhile` happens between its attempts. */
export function machine(
  state = scratch('state'),
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
  settings: Readonly<Record<string, string>> = {},
): Machine {
  const append = async (url: string, ref: string, submission: Omit<ColdSubmission, 'signer'>, by: TestKey) => {
    const own = { PATH: process.env['PATH'], HOME: state, GIT_CONFIG_GLOBAL: '/dev/null', XDG_STATE_HOME: state };
    const env = { ...own, ...settings };
    const world = await openCold({ cwd: state, env, signal: new AbortController().signal }, url);
    try {
      return await appendCold({ ...world, backOff: async () => void (await meanwhile()) }, ref, {
        ...submission,
        signer: () => Promise.resolve(by),
      });
    } finally {
      await world.close();
    }
  };
  return {
    state,
    note: (url, ref, by = ANA, count = 1) => {
      const fresh = Array.from({ length: count }, () => randomUUID());
      const decide: ColdSubmission['decide'] = (state) => accept(fresh.map((id) => noteOf(id, state!.ledger_id)));
      return append(url, ref, { decide, adding: count }, by);
    },
    task: (url, ref, type, id) => {
      const payload = { 'task.created': { contract: null }, 'task.readied': {}, 'task.completed': { evidence: [] } }[
        type
      ];
      const about = { entity_type: 'task', entity_id: id, task_id: id } as const;
      return append(url, ref, { decide: () => accept([{ event_type: type, payload, ...about } as EventDraft]) }, ANA);
    },
    grant: (url, ref) => {
      const { decide } = appendWanted([{ event_type: 'grant.issued', payload: GRANT }], systemIds);
      return append(url, ref, { decide }, ANA);
    },
    halt: (url, isDeclared) =>
      append(
        url,
        PROJECT_REF,
        {
          decide: (state) => {
            const about = { entity_type: 'project', entity_id: state!.ledger_id, task_id: state!.ledger_id } as const;
            return accept([{ event_type: isDeclared ? 'halt.declared' : 'halt.lifted', payload: {}, ...about }]);
          },
        },
        ANA,
      ),
  };
}

const GRANT = {
  action_class: 'execute_command',
  action_request_ref: randomUUID(),
  approval_ref: null,
  expires_at: '2027-01-01T00:00:00.000Z',
  issued_to_principal_id: 'ana',
  max_uses: 1,
  policy_result_ref: randomUUID(),
  resource_scope: [],
};

/** The ledger as somebody sees it who clones everything and verifies it from its first event. */
export async function seenByAll({ path, ref }: Pick<Served, 'path' | 'ref'>) {
  const clone = scratch('clone');
  git(clone, ['clone', '--quiet', '--mirror', path, '.']);
  git(clone, ['fsck', '--strict', '--full']);
  return reportOf(await benchAt(clone), ref);
}

/** The pushes that reached the server. */
export function pushes({ server }: Pick<Served, 'server'>): number {
  return server.seen.filter(({ method, path }) => method === 'POST' && path.endsWith('/git-receive-pack')).length;
}

function noteOf(id: string, mission: string): EventDraft {
  const about = { entity_type: 'note', entity_id: id, task_id: mission } as const;
  const payload = { bytes: 1, digest: `sha256:${'5a'.repeat(32)}`, media_type: 'text/plain' };
  return { event_type: 'note.recorded', payload, ...about };
}
