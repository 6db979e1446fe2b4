// Builds the supervisor of a runner's machine: its own file and its own program looked at first, its door, and turns taken
// with the keys of this user in clones of their own.
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { openDoor } from '../adapters/door/open-door.ts';
import { othersCanChange } from '../adapters/system/trusted-path.ts';
import { AWAY_MS_MAX } from '../app/patience.ts';
import { supervisor, type TurnAsked } from '../app/supervise/supervise.ts';
import type { Turn } from '../app/gate/going.ts';
import { readSupervisorFile, type SupervisorFile } from '../documents/supervisor-file.ts';
import { Failure } from '../failure.ts';
import type { Caller } from '../ports/door.ts';
import { sweepCells } from './sweep.ts';

type Started = {
  readonly env: NodeJS.ProcessEnv;
  readonly file: string;
  readonly socket: string;
  /** Where this program lies: whoever can change it is this user. */
  readonly programs: readonly string[];
  readonly log: (line: string) => void;
  readonly onOpen: (file: SupervisorFile) => void;
  /** Told to leave: no more callers, and what was begun is handed over. */
  readonly closing: AbortSignal;
};

/** Until it is told to leave, and everybody was answered. */
export async function supervise({ env, file, socket, programs, log, onOpen, closing }: Started): Promise<void> {
  const settings = await settingsIn(file, [...programs, dirname(socket)]);
  // What a predecessor left that was killed.
  await sweepCells(env, log);
  const projects = settings.projects.map(({ forge, repository, genesis }) => {
    const [owner = '', name = ''] = repository.split('/');
    return { serverUrl: forge, owner, repository: name, genesis };
  });
  const turn = (asked: TurnAsked): Promise<Turn> => cellTurn(env, asked);
  const answer = supervisor({ projects, atOnce: settings.at_once, turn, log, closing });
  const answering = new Set<Promise<void>>();
  const onCaller = (caller: Caller): void => {
    const one = answer(caller).finally(() => answering.delete(one));
    answering.add(one);
  };
  const left = new Promise<void>((resolve) => closing.addEventListener('abort', () => resolve(), { once: true }));
  const door = await openDoor({ path: socket, gid: settings.jobs_group }, onCaller);
  onOpen(settings);
  if (!closing.aborted) await left;
  const closed = door.close();
  await Promise.allSettled(answering);
  await closed;
}

/** Whoever can write what it starts from decides whose keys these are. */
async function settingsIn(file: string, others: readonly string[]): Promise<SupervisorFile> {
  if (process.geteuid?.() === 0) throw new Failure('supervisor_unfit', { because: 'it would run as root' });
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const read = readSupervisorFile(text, file);
  if (read.is === 'refused') throw new Failure(read.code, read.facts);
  for (const path of [file, ...others]) {
    const open = await othersCanChange(path);
    if (open !== undefined) throw new Failure('supervisor_unfit', { path: open, because: 'others can write it' });
  }
  return read.value;
}

async function cellTurn(env: NodeJS.ProcessEnv, asked: TurnAsked): Promise<Turn> {
  // Read with the first job: one that waits for it need not hold what it may never use.
  const [{ openJobSite }, { refsAsked }, { workOn }] = await Promise.all([
    import('./job.ts'),
    import('../app/gate/before.ts'),
    import('../app/gate/turns.ts'),
  ]);
  const { project, mission, token, told, leaving } = asked;
  const at = { ...project, run: null, temporary: tmpdir() };
  const site = await openJobSite(
    at,
    { ...env, LAZARUS_TOKEN: token },
    {
      role: 'cell',
      refs: refsAsked(mission),
      isBrief: false,
      awayMsMax: AWAY_MS_MAX.cell,
      told,
      leaving,
      exposedTo: null,
    },
  );
  try {
    const turn = await workOn(site, mission, 'cell');
    await site.leave();
    return turn;
  } finally {
    await site.close();
  }
}
