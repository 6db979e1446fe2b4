// The four jobs. Each brings the ledgers from the forge and verifies them itself, whatever the job before it said; each
// has one key and may take the steps that this key may sign.
import { readFile } from 'node:fs/promises';
import { Failure } from '../../failure.ts';
import { nextStep } from '../../kernel/decide/next.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import type { Outcome } from '../../forge-text/outcome.ts';
import type { StatusView } from '../../forge-text/status-view.ts';
import { advance, planDocumentOf, type Step } from '../../app/mission/advance.ts';
import { instant, missionState, type Acting } from '../../app/mission/world.ts';
import type { GateDesk } from '../../app/gate/desk.ts';
import type { Heard } from '../../app/gate/heard.ts';
import { ignored, listen } from '../../app/gate/listen.ts';
import { showStatus } from '../../app/gate/show.ts';
import type { JobCircumstances } from './circumstances.ts';
import type { JobResult } from './main.ts';
import { openSite, type Site } from './site.ts';
import { parsePayload } from './payload.ts';

export async function runJob(at: JobCircumstances, env: NodeJS.ProcessEnv): Promise<JobResult> {
  switch (at.job) {
    case 'gate':
      return gate(at, env);
    case 'cell':
      return work(at, env, CELL_STEPS);
    case 'writer':
      return work(at, env, WRITER_STEPS);
    case 'reconcile':
      return reconcile(at, env);
  }
}

const GATE_STEPS: ReadonlySet<Step> = new Set<Step>(['plan', 'grant', 'recover', 'over']);
const CELL_STEPS: ReadonlySet<Step> = new Set<Step>(['cell']);
const WRITER_STEPS: ReadonlySet<Step> = new Set<Step>(['deliver', 'observe', 'over']);

async function gate(at: JobCircumstances, env: NodeJS.ProcessEnv): Promise<JobResult> {
  const payload = parsePayload(at.eventName, await readFile(at.eventPath));
  const heard = heardIn(payload);
  // Before anything is fetched: most comments are none of ours.
  const none =
    heard === undefined ? { decision: 'stop' as const, reasonCode: 'ignored_not_command' as const } : ignored(heard);
  if (heard === undefined || none !== undefined) return { outcome: outcomeOf(none!), view: null };
  const site = await openSite(at, env, 'gate');
  try {
    const listened = await listen(await site.desk(), heard);
    const { acting, state } = listened;
    if (acting === undefined || state === undefined) return { outcome: outcomeOf(listened), view: null };
    return { outcome: outcomeOf(listened, acting, state), view: null };
  } finally {
    await site.close();
  }
}

function heardIn(payload: ReturnType<typeof parsePayload>): Heard | undefined {
  if (payload.is === 'none') return undefined;
  const { issue, senderId } = payload;
  if (issue.isPullRequest) return undefined;
  if (payload.is === 'issue') {
    const { action } = payload;
    if (action === 'closed' || action === 'other') return undefined;
    return {
      is: 'issue',
      action,
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
    issue: issue.number,
    issueAuthorId: issue.authorId,
    issueBody: issue.body,
    isOpen: issue.isOpen,
    authorId: comment.authorId,
    senderId,
    body: comment.body,
  };
}

/** One mission, as far as this job's key may take it. */
async function work(at: JobCircumstances, env: NodeJS.ProcessEnv, may: ReadonlySet<Step>): Promise<JobResult> {
  if (at.mission === undefined) throw new Failure('usage', { variable: 'INPUT_MISSION' });
  const site = await openSite(at, env, at.job);
  try {
    const acting = await site.actOn(at.mission);
    const advanced = await step(site, acting, may);
    const view = at.job === 'writer' ? await show(await site.desk(), acting, advanced.state) : null;
    const { course } = advanced.state;
    const reasonCode =
      course?.end?.outcome === 'failed' ? 'verify_failed' : at.job === 'cell' ? 'work_handed_over' : 'verified';
    const decision = course?.end?.outcome === 'failed' ? 'stop' : course?.end === null ? 'continue' : 'complete';
    return { outcome: outcomeOf({ decision, reasonCode }, acting, advanced.state), view };
  } finally {
    await site.close();
  }
}

async function step(
  site: Site,
  acting: Acting,
  may: ReadonlySet<Step>,
): Promise<{ readonly state: MissionState; readonly took: readonly Step[] }> {
  const state = await missionState(acting);
  const advanced = await advance(acting, {
    may,
    setting: site.settingOf(state),
    executors: await site.executors(),
    isAlone: false,
    ...(may.has('cell') ? { running: await site.running() } : {}),
  });
  if (advanced.is === 'refused') throw new Failure(advanced.code, advanced.facts);
  return advanced.value;
}

/** Everything that a lost event or a death left undone: the first mission that needs another job gets it. */
async function reconcile(at: JobCircumstances, env: NodeJS.ProcessEnv): Promise<JobResult> {
  const site = await openSite(at, env, 'gate');
  try {
    const desk = await site.desk();
    let result: JobResult = { outcome: outcomeOf({ decision: 'wait', reasonCode: 'reconciled' }), view: null };
    for (const mission of await site.openMissions()) {
      const acting = await site.actOn(mission);
      const { state } = await step(site, acting, GATE_STEPS);
      const view = await show(desk, acting, state);
      const outcome = outcomeOf({ decision: 'continue', reasonCode: 'reconciled' }, acting, state);
      if (outcome.next !== 'none' && result.outcome.next === 'none') result = { outcome, view };
    }
    return result;
  } finally {
    await site.close();
  }
}

async function show(desk: GateDesk, acting: Acting, state: MissionState): Promise<StatusView | null> {
  const issue = await issueOf(acting, state);
  return issue === null ? null : showStatus(desk, { acting, state, issue });
}

/** The plan says which one it is about; before the first command nothing else does. */
async function issueOf(acting: Acting, state: MissionState): Promise<number | null> {
  const { course } = state;
  if (course === undefined || course.anchor !== null || course.plan === null) return course?.anchor?.issue ?? null;
  return (await planDocumentOf(acting, state)).issue;
}

function outcomeOf(said: Pick<Outcome, 'decision' | 'reasonCode'>, acting?: Acting, state?: MissionState): Outcome {
  const { decision, reasonCode } = said;
  if (acting === undefined || state === undefined)
    return { decision, reasonCode, next: 'none', mission: null, digest: null, seq: null, receipts: [] };
  const next = nextOf(acting, state);
  return {
    decision: next === 'none' || decision === 'complete' ? decision : 'continue',
    reasonCode,
    next,
    mission: missionName(state.ledger_id),
    digest: state.course?.plan?.plan_digest ?? null,
    seq: null,
    receipts: [],
  };
}

function nextOf({ world }: Acting, state: MissionState): Outcome['next'] {
  switch (nextStep(state, { now: instant(world) }).is) {
    case 'cell':
      return 'cell';
    case 'deliver':
    case 'observe':
      return 'writer';
    default:
      return 'none';
  }
}
