// The five jobs: what each is told, a site to work at, one turn, and the site taken down again. Where the machine has a
// supervisor, that takes the turn of a cell. Translates; whatever a job before this one said is looked up again.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../failure.ts';
import type { Heard } from '../../app/gate/heard.ts';
import { asksForWork, isShown, nothingBegun, readHeard, refsAbout, refsAsked } from '../../app/gate/before.ts';
import { AWAY_MS_MAX } from '../../app/patience.ts';
import { reportOf, type Report } from '../../forge-text/outcome.ts';
import type { PageAhead } from '../../app/gate/ahead.ts';
import type { JobSite } from '../../compose/job.ts';
import type { Turn } from '../../app/gate/going.ts';
import type { ReasonCode } from '../../reasons.ts';
import type * as Turns from '../../app/gate/turns.ts';
import type { JobCircumstances } from './circumstances.ts';
import { parsePayload } from './payload.ts';

export type Say = (line: string) => void;

export async function runJob(at: JobCircumstances, env: NodeJS.ProcessEnv, told: Say): Promise<Report> {
  if (at.job === 'cell') {
    const { hasSupervisor, askSupervisor } = await import('./supervised.ts');
    if (await hasSupervisor(at)) return askSupervisor(at, env, { told, leaving: toldToLeave() });
  }
  return reportOf(await turnOf(at, env, told));
}

async function turnOf(at: JobCircumstances, env: NodeJS.ProcessEnv, told: Say): Promise<Turn> {
  switch (at.job) {
    case 'gate':
      return gate(at, env, told);
    case 'cell':
    case 'writer': {
      const { job, mission } = at;
      if (mission === undefined) throw new Failure('usage', { variable: 'INPUT_MISSION' });
      const leaving = job === 'cell' ? { leaving: toldToLeave() } : {};
      return atSite(at, env, { refs: refsAsked(mission), told, ...leaving }, (site, { workOn }) =>
        workOn(site, mission, job),
      );
    }
    case 'wake':
      return wake(at, env, told);
    case 'reconcile': {
      const { mission } = at;
      const schedule = import('../../app/gate/schedule.ts');
      if (mission !== undefined && NAME.test(mission))
        return atSite(at, env, { refs: refsAsked(mission), told, isBrief: true }, async (site) =>
          (await schedule).reconcileOne(site, mission),
        );
      // A runner of its own may have no other job for days.
      const { sweepCells } = await import('../../compose/sweep.ts');
      await sweepCells(env, told);
      const { messengerOfJob } = await import('../../compose/messenger.ts');
      const messenger = await messengerOfJob(env);
      return atSite(at, env, { refs: [], told }, async (site) =>
        (await schedule).reconcile(site, {
          pause: () => pause(GRACE_MS),
          watch: (seconds) => pause(seconds * 1000),
          onSkipped: (mission, { code }) => told(`left alone: ${mission}: ${code}`),
          messenger,
          onTold: ({ count, why }) => told(`messages: ${count}${why === undefined ? '' : `, then no more: ${why}`}`),
        }),
      );
    }
  }
}

const NAME = /^m-[0-9a-f]{12}$/;

/** A run for each: its own jobs look up what there is to do. This one knows no ledger and has no key. */
async function wake(at: JobCircumstances, env: NodeJS.ProcessEnv, told: Say): Promise<Turn> {
  const { startRuns } = await import('../../compose/wake.ts');
  const missions = [...new Set(at.missions.filter((name) => NAME.test(name)))];
  await startRuns(at, env, { missions, awayMsMax: AWAY_MS_MAX[at.job], told });
  return { outcome: nothingBegun({ decision: 'wait', reasonCode: 'woken' }), view: null };
}

/** A comment's own run has begun by then, unless every runner is busy; and to ask in vain does no harm. */
const GRACE_MS = 15_000;

async function gate(at: JobCircumstances, env: NodeJS.ProcessEnv, told: Say): Promise<Turn> {
  const heard = heardIn(parsePayload(at.eventName, await readFile(at.eventPath)));
  if (heard === undefined)
    return { outcome: nothingBegun({ decision: 'stop', reasonCode: 'ignored_not_command' }), view: null };
  // Before anything is fetched: most comments are none of ours.
  const read = readHeard(heard);
  if (read.is === 'ignored') return { outcome: nothingBegun(read), view: null };
  const fresh = randomUUID();
  const { issue } = read;
  const isBrief = !asksForWork(read);
  const about = { refs: refsAbout(read, fresh), fresh, issue, told, isBrief, isShown: isShown(read) };
  return atSite(at, env, about, (site, { hear }, page) =>
    hear(site, read, () => (site.pushesMs.length === 0 ? page : undefined)),
  );
}

/** A machine that is shut down says so once; told again, the job ends as it would have. */
function toldToLeave(): AbortSignal {
  const leaving = new AbortController();
  process.once('SIGTERM', () => leaving.abort());
  return leaving.signal;
}

type About = {
  readonly refs: readonly string[];
  readonly fresh?: string;
  readonly issue?: number;
  readonly leaving?: AbortSignal;
  /** Looks at ledgers and answers; left out, what it looks at is worth a clone. */
  readonly isBrief?: boolean;
  /** The issue has something of ours on it, as far as can be told: what stands there is asked for ahead. */
  readonly isShown?: boolean;
};

/**
 * Of what turns out to be too much for memory, or to need a past that was not brought, git brings a clone, and the turn is
 * taken again: no turn minds that.
 */
async function atSite(
  at: JobCircumstances,
  env: NodeJS.ProcessEnv,
  about: About & { readonly told: Say },
  turn: Taken,
): Promise<Turn> {
  const { isBrief = false } = about;
  try {
    return await takenAt(at, env, { ...about, isBrief }, turn);
  } catch (error) {
    if (!isBrief || !(error instanceof Failure) || !FOR_A_CLONE.has(error.code)) throw error;
    return takenAt(at, env, { ...about, isBrief: false }, turn);
  }
}

const FOR_A_CLONE: ReadonlySet<ReasonCode> = new Set(['object_too_large', 'object_missing']);

type Taken = (site: JobSite, turns: typeof Turns, page: PageAhead | undefined) => Promise<Turn>;

async function takenAt(
  at: JobCircumstances,
  env: NodeJS.ProcessEnv,
  { told, isShown = false, ...about }: About & { readonly told: Say; readonly isBrief: boolean },
  turn: Taken,
): Promise<Turn> {
  const [{ askFirst }, { bringAhead, pageAhead }] = await Promise.all([
    import('../../compose/first-questions.ts'),
    import('../../app/gate/ahead.ts'),
  ]);
  const awayMsMax = AWAY_MS_MAX[at.job];
  const asking = { ...about, awayMsMax, told };
  const first = askFirst(at, env, asking);
  const { issue } = about;
  if (issue !== undefined && first.brief !== undefined) void bringAhead(first.brief, issue);
  const forge = first.forge.repository({ owner: at.owner, name: at.repository });
  const page = issue !== undefined && isShown ? pageAhead(forge, issue) : undefined;
  // Read while the forge answers.
  const { openJobSite } = await import('../../compose/job.ts');
  const opening = openJobSite(
    at,
    env,
    { role: at.job === 'cell' || at.job === 'writer' ? at.job : 'gate', ...asking },
    first,
  );
  const turns = import('../../app/gate/turns.ts');
  const site = await opening;
  try {
    const taken = await turn(site, await turns, page);
    await site.leave();
    return taken;
  } finally {
    const { pushesMs } = site;
    const sumMs = pushesMs.reduce((sum, ms) => sum + ms, 0);
    told(`pushes: ${pushesMs.length}, ${Math.round(sumMs)} ms`);
    await site.close();
  }
}

function heardIn(payload: ReturnType<typeof parsePayload>): Heard | undefined {
  if (payload.is === 'none') return undefined;
  const { issue, senderId, repositoryId: repository } = payload;
  if (issue.isPullRequest) return undefined;
  if (payload.is === 'issue') {
    const { action } = payload;
    if (action === 'closed' || action === 'other') return undefined;
    return {
      is: 'issue',
      action,
      repository,
      updatedAt: issue.updatedAt,
      issue: issue.number,
      authorId: issue.authorId,
      senderId,
      body: issue.body,
      isOpen: issue.isOpen,
    };
  }
  // An edited comment starts nothing.
  if (payload.action !== 'created') return undefined;
  const { comment } = payload;
  return {
    is: 'comment',
    comment: comment.id,
    repository,
    issueUpdatedAt: issue.updatedAt,
    issue: issue.number,
    issueAuthorId: issue.authorId,
    issueBody: issue.body,
    isOpen: issue.isOpen,
    authorId: comment.authorId,
    senderId,
    body: comment.body,
  };
}
