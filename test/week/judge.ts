// Whether a week ended in the truth: what was done, as its log has it, and what stands in the ledgers, read by stock git, say
// what may be true of each mission; issues, labels, branches, pull requests and `lazarus` itself are held against that.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { lazarus } from '../support/cli.ts';
import { everyObject, git } from '../support/repos.ts';
import { asked } from './asked.ts';
import { jobLogs } from './evidence.ts';
import { allPages, answersTo, commentsOf, isStatus, namesIn, readStatus, type Comment, type Told } from './forge.ts';
import { appliedIn, endOf, grantedBy, heardIn, ledgerAt, ofType, votesIn, type Ledger } from './ledgers.ts';
import type { MissionLog, Said, WeekLog } from './log.ts';
import { AT, MEMBERS, PEOPLE, type Town } from './town.ts';

export type Judgement = {
  /** Each of them is a flaw, of lazarus or of this judge. */
  readonly flaws: readonly string[];
  readonly ends: Readonly<Record<string, number>>;
  /** Missions that too many faults in a row ended. */
  readonly worn: readonly number[];
  readonly comments: number;
  readonly commands: number;
  readonly jobs: number;
  readonly transactions: number;
};

type Pull = {
  readonly number: number;
  readonly head: { readonly ref: string; readonly sha: string };
  readonly body: string;
  readonly title: string;
};

/** An agent's work is for itself to mend: these end a mission in its first attempt. */
const BAD: ReadonlySet<string> = new Set(['failing', 'straying', 'idle', 'wrong', 'endless']);
const WORDS: Readonly<Record<string, string>> = { 'awaiting approval': 'awaiting', 'handed to a runner': 'queued' };
const ATTEMPTS_MAX = 3;
/** Nothing else that people of the week write begins so. */
const COMMAND = /^\/([a-z]+)\b/;
/** Their answer is a reply, each time. */
const QUESTIONS = new Set(['why', 'diff', 'help', 'retry']);
/** Nothing of them needs to be seen: the status is as it was. */
const TRACELESS = new Set(['status', 'plan']);

export async function judge(town: Town, log: WeekLog): Promise<Judgement> {
  const flaws = [...log.odd];
  const ends: Record<string, number> = {};
  const worn: number[] = [];
  const { team } = town;
  const folder = mkdtempSync(join(town.folder, 'judge-'));
  const mirror = join(folder, 'mirror');
  git(town.folder, ['clone', '-q', '--mirror', team.cloneUrl, mirror]);
  const fresh = join(folder, 'fresh');
  git(town.folder, ['clone', '-q', team.cloneUrl, fresh]);
  const types = (...args: readonly string[]) =>
    lazarus(args, { cwd: fresh, env: { ...town.clock.env, HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null' } });

  const verified = await types('verify', 'project', '--genesis', team.genesis);
  if (verified.code !== 0) flaws.push(`the project does not verify: ${verified.stderr}`);
  const all = await types('verify');
  if (all.code !== 0) flaws.push(`not every ledger verifies (${all.code}): ${all.stdout.slice(-2000)}${all.stderr}`);

  const pulls = (await allPages(town, `${AT}/pulls?state=all`)) as readonly Pull[];
  const runs = await allPages(town, `${AT}/actions/runs`);
  for (const { id, status } of runs) if (status !== 'completed') flaws.push(`run ${id} is ${status}`);
  const texts: string[] = [everyObject(mirror), ...pulls.map(({ title, body }) => `${title}\n${body}`)];
  const logs = await jobLogs(town);
  texts.push(...logs.map(({ text }) => text));
  let [comments, commands, transactions] = [0, 0, ledgerAt(mirror, 'project').commits];

  for (const mission of log.missions) {
    const say = (flaw: string): void => {
      flaws.push(`mission ${mission.no} (${mission.story}, issue ${mission.issue}): ${flaw}`);
    };
    const thread = await commentsOf(town, mission.issue);
    const issue = await asked(() => town.ask('GET', `${AT}/issues/${mission.issue}`));
    texts.push(issue.title, issue.body, ...thread.map(({ body }) => body));
    comments += thread.length;
    const statuses = thread.filter((one) => isStatus(one) && isBot(town, one));
    if (statuses.length !== 1) say(`${statuses.length} status comments`);
    const [status] = statuses;
    if (status === undefined) continue;
    const told = readStatus(status.body);
    if (told.mission === undefined) {
      say(`its status names no mission: ${status.body.slice(0, 200)}`);
      continue;
    }
    if (mission.name !== undefined && mission.name !== told.mission)
      say(`it was ${mission.name} and is ${told.mission} now`);
    const name = told.mission;
    const ledger = ledgerAt(mirror, name);
    transactions += ledger.commits;
    const explained = await types('explain', name, '--json');
    if (explained.code !== 0) {
      say(`explain ends with ${explained.code}: ${explained.stderr}`);
      continue;
    }
    const truth = JSON.parse(explained.stdout);
    const labels = issue.labels.map(({ name }: { name: string }) => name);
    const end = endOf(ledger);
    const outcome = end?.outcome ?? WORDS[told.state] ?? told.state;
    ends[outcome] = (ends[outcome] ?? 0) + 1;
    if (isWorn(ledger, end)) worn.push(mission.no);
    endFlaws(mission, ledger).forEach(say);
    hitFlaws(mission, { ledger, told, body: status.body }).forEach(say);
    stopFlaws(ledger, { log, told }).forEach(say);
    shownFlaws({ told, body: status.body, truth, ledger, labels }).forEach(say);
    voteFlaws(town, mission, { ledger, told, log }).forEach(say);
    effectFlaws(mirror, name, { ledger, told, pulls }).forEach(say);
    const answers = answerFlaws(town, mission, { thread, ledger, log });
    answers.flaws.forEach(say);
    commands += answers.commands;
  }
  flaws.push(...shownSecrets(town, texts));
  return { flaws, ends, worn, comments, commands, jobs: logs.length, transactions };
}

function isBot({ people }: Town, { user }: Comment): boolean {
  return PEOPLE.every((name) => people[name].id !== user.id);
}

/** By what stands in the ledger of people's words and of attempts: what the mission has to have come to. */
function endFlaws(mission: MissionLog, ledger: Ledger): readonly string[] {
  const end = endOf(ledger);
  const isCancelled = ofType(ledger, 'mission.cancelled').length > 0;
  const isDenied = ofType(ledger, 'approval.denied').length > 0;
  const flaws: string[] = [];
  for (const { payload } of ofType(ledger, 'mission.cancelled')) {
    const said = mission.said.find(({ id }) => id === payload.forge?.comment_id);
    if (said === undefined || !said.text.startsWith('/cancel')) flaws.push('it was cancelled by what nobody typed');
    else if (!MEMBERS.includes(said.by) && !mission.proposers.includes(said.by))
      flaws.push(`it was cancelled by ${said.by}, who may not`);
  }
  const acquired = ofType(ledger, 'lease.acquired').length;
  const let_go = ofType(ledger, 'lease.released').length + ofType(ledger, 'lease.expired').length;
  if (end !== undefined && acquired !== let_go) flaws.push(`${acquired} leases were taken and ${let_go} let go`);
  const may: readonly string[] = isCancelled
    ? ['cancelled']
    : isDenied
      ? ['failed', 'cancelled']
      : mission.story === 'forgotten'
        ? ['expired']
        : mission.story === 'held_on' && ofType(ledger, 'mission.held').length > 0
          ? ['held', 'expired']
          : isWorn(ledger, end)
            ? ['failed', 'cancelled']
            : [BAD.has(mission.manner) || mission.hits.includes('agent_killed') ? 'failed' : 'done'];
  const outcome = end?.outcome ?? (may.includes('held') ? 'held' : 'open');
  if (!may.includes(outcome))
    flaws.push(
      `it ended as ${outcome} (${end?.because ?? 'no reason'}; attempts failed: ${failuresOf(ledger.events).join() || 'none'}), and may be ${may.join(' or ')}`,
    );
  if (ofType(ledger, 'mission.ended').length > 1) flaws.push('it ended twice');
  return flaws;
}

type Seen = { readonly ledger: Ledger; readonly told: Told; readonly body: string };

/** What each fault has to have come to, and that people are told so. */
const COMES_TO: Readonly<Record<string, (seen: Seen & { readonly failed: readonly string[] }) => boolean>> = {
  agent_killed: ({ ledger, told, body }) =>
    endOf(ledger)?.because === 'cell_failed' && told.because === 'cell_failed' && body.includes('exit code 137'),
  runner_killed: ({ ledger, failed }) => failed.includes('runner_lost') && isOfLastAttempt(ledger),
  runner_asleep: ({ ledger, failed }) => failed.includes('runner_lost') && isOfLastAttempt(ledger),
  budget_exhausted: ({ ledger, told }) => endOf(ledger)?.because === 'cell_timeout' && told.because === 'cell_timeout',
  disk_full: ({ failed }) => failed.includes('disk_full'),
  key_ended: ({ failed }) => failed.length > 0,
  keys_gone: ({ failed }) => failed.length > 0,
  approval_stuck: ({ ledger, told }) => namesIn(told.rows['Approved'] ?? '').includes('fay') || isPlannedAnew(ledger),
};

function hitFlaws({ hits }: MissionLog, seen: Seen): readonly string[] {
  const { events } = seen.ledger;
  const failed = failuresOf(events);
  const flaws = hits
    .filter((hit) => COMES_TO[hit]?.({ ...seen, failed }) === false)
    .map(
      (hit) => `it was hit by ${hit}, and that is not what came of it (attempts failed: ${failed.join() || 'none'})`,
    );
  // Of what people approved last; what was before it is a matter of the story.
  const since = events.findLastIndex(({ event_type }) => event_type === 'plan.computed');
  for (const because of new Set(failuresOf(events.slice(since))))
    if (!seen.body.includes(because))
      flaws.push(`an attempt failed because of ${because}, and the issue does not say so`);
  return flaws;
}

function failuresOf(events: Ledger['events']): readonly string[] {
  return events.filter(({ event_type }) => event_type === 'attempt.failed').map(({ payload }) => payload.because);
}

/** Whoever was taken for dead and came back has pushed nothing. */
function isOfLastAttempt(ledger: Ledger): boolean {
  const attempts = ofType(ledger, 'attempt.created').length;
  return appliedIn(ledger)
    .filter(({ kind }) => kind === 'push_branch')
    .every(({ target }) => target.endsWith(`/${attempts}`));
}

/** For a reason that came between, such as another policy: whoever is there then approves that plan. */
function isPlannedAnew(ledger: Ledger): boolean {
  return ofType(ledger, 'plan.computed').length > 1;
}

/** What a stop stops. */
const BEGUN: ReadonlySet<string> = new Set(['plan.computed', 'grant.issued', 'effect.intended']);

function stopFlaws(
  { events }: Ledger,
  { log, told }: { readonly log: WeekLog; readonly told: Told },
): readonly string[] {
  const flaws = log.stops.flatMap(({ fromMs, toMs = Infinity }) =>
    events
      .filter(({ event_type, payload }) =>
        event_type === 'cell.spawned' ? payload.purpose === 'agent' : BEGUN.has(event_type),
      )
      .filter(({ occurred_at }) => Date.parse(occurred_at) > fromMs && Date.parse(occurred_at) < toMs)
      .map(({ event_type, occurred_at }) => `${event_type} at ${occurred_at}, while the project was stopped`),
  );
  const isStopped = log.stops.some(({ toMs }) => toMs === undefined);
  if (!isStopped && told.rows['Project stopped'] !== undefined)
    flaws.push(`the issue says that the project is stopped: ${told.rows['Project stopped']}`);
  return flaws;
}

/** As often as policy lets it be tried, and each time it was the machine. */
function isWorn(ledger: Ledger, end: ReturnType<typeof endOf>): boolean {
  return (
    (end?.outcome === 'failed' || end?.outcome === 'cancelled') &&
    ofType(ledger, 'attempt.created').length >= ATTEMPTS_MAX &&
    end.because === 'attempts_exhausted' &&
    failuresOf(ledger.events).every((because) => OF_A_MACHINE.test(because))
  );
}

const OF_A_MACHINE = /^(?:runner_|key_|signer_|git_|interrupted$|disk_full$|cell_(?:start|prepare)_failed$)/;

type Shown = {
  readonly told: Told;
  readonly body: string;
  readonly truth: any;
  readonly ledger: Ledger;
  readonly labels: readonly string[];
};

function shownFlaws({ told, body, truth, ledger, labels }: Shown): readonly string[] {
  const flaws: string[] = [];
  const same = (what: string, shown: unknown, is: unknown): void => {
    if (JSON.stringify(shown) !== JSON.stringify(is))
      flaws.push(`the issue shows ${what} ${JSON.stringify(shown)}, and it is ${JSON.stringify(is)}`);
  };
  const mark = /seq=(\d+) head=([0-9a-f]{40})/.exec(body);
  const end = endOf(ledger);
  const unseen = ledger.events.slice(Number(mark?.[1]));
  // A roster that is carried on into a mission that is over changes nothing that its issue says.
  if (end === undefined || unseen.length === 0 || unseen.some(({ event_type }) => event_type !== 'roster.adopted'))
    same('the ledger as', [Number(mark?.[1]), mark?.[2]], [ledger.events.length, ledger.tip]);
  same('the state', WORDS[told.state] ?? told.state, truth.state);
  if (end !== undefined) same('the end', told.state, end.outcome);
  same('the labels', [...labels].sort(), [`mission/${truth.state}`, 'tier/1'].sort());
  same('the reason', told.because ?? null, truth.because?.code ?? null);
  const attempt = /^(\d+)/.exec(told.rows['Attempt'] ?? '')?.[1];
  if (attempt !== undefined) same('the attempt', Number(attempt), truth.attempt?.no);
  const receipts = ofType(ledger, 'receipt.issued')
    .filter(
      ({ payload: { receipt_class: of, result_code: how } }) => of !== 'approval_resolution' || how !== 'succeeded',
    )
    .map(({ entity_id }) => entity_id);
  same('the receipts', told.receipts.map((line) => line.slice(3, 39)).sort(), [...receipts].sort());
  same(
    'as approving',
    namesIn(told.rows['Approved'] ?? '').toSorted(),
    truth.votes
      .filter((vote: any) => vote.choice === 'approve')
      .map((vote: any) => vote.login)
      .toSorted(),
  );
  return flaws;
}

type Voted = { readonly ledger: Ledger; readonly told: Told; readonly log: WeekLog };

/** Only what a member other than the proposer wrote first, in an open issue, and on that digest. */
function voteFlaws({ people }: Town, mission: MissionLog, { ledger, told, log }: Voted): readonly string[] {
  const flaws: string[] = [];
  const granted = grantedBy(ledger);
  const byComment = new Map(mission.said.map((said) => [said.id, said]));
  const grantors: string[] = [];
  for (const { id, choice, digest, comment, user } of votesIn(ledger)) {
    const said = comment === null ? undefined : byComment.get(comment);
    if (said === undefined) {
      flaws.push(`a vote counts that nobody typed here (comment ${comment})`);
      continue;
    }
    const name = `${said.by}’s ${choice} (comment ${comment})`;
    if (people[said.by].id !== user) flaws.push(`${name} counts as somebody else’s`);
    if (!isMember(said, log)) flaws.push(`${name} counts, who is not on the roster`);
    if (mission.proposers.includes(said.by)) flaws.push(`${name} counts, who proposed it`);
    if (said.isLost) flaws.push(`${name} counts, and its event was lost`);
    if (said.isClosed) flaws.push(`${name} counts, and the issue was closed`);
    const typed = `/${choice} ${digest.replace(/^sha256:/, '').slice(0, 12)}`;
    if (!said.text.startsWith(typed)) flaws.push(`${name} counts for ${typed}, and was: ${said.text}`);
    if (granted.has(id)) grantors.push(said.by);
  }
  const shown = namesIn(told.rows['Approved'] ?? '');
  for (const name of grantors) if (!shown.includes(name)) flaws.push(`${name} approved, and the issue does not say so`);
  if (endOf(ledger)?.outcome === 'done' && grantors.length === 0) flaws.push('it is done, and nobody approved it');
  for (const [, comment = ''] of told.edited) {
    if (byComment.get(Number(comment))?.edited === undefined)
      flaws.push(`the issue says that comment ${comment} was edited, and it was not`);
  }
  return flaws;
}

/** When it was said. */
function isMember({ by, atMs }: Said, { joined }: WeekLog): boolean {
  return MEMBERS.includes(by) || joined.some((one) => one.name === by && one.atMs <= atMs);
}

type Effects = { readonly ledger: Ledger; readonly told: Told; readonly pulls: readonly Pull[] };

function effectFlaws(mirror: string, name: string, { ledger, told, pulls }: Effects): readonly string[] {
  const flaws: string[] = [];
  const pattern = `refs/heads/lazarus-work/${name}/`;
  const branches = execFileSync('git', ['for-each-ref', '--format=%(refname:short) %(objectname)', pattern], {
    cwd: mirror,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((line) => line !== '');
  const mine = pulls.filter(({ head }) => head.ref.startsWith(`lazarus-work/${name}/`));
  const applied = appliedIn(ledger);
  const expected = (kind: string) => applied.filter((one) => one.kind === kind);
  const pushed = [...new Set(expected('push_branch').map(({ target, oid }) => `${target} ${oid}`))];
  const opened = [...new Set(expected('open_pull_request').map(({ number }) => number))];
  if (JSON.stringify(pushed.sort()) !== JSON.stringify(branches.sort()))
    flaws.push(`branches ${branches.join(', ') || 'none'}, and the ledger has ${pushed.join(', ') || 'none'}`);
  if (opened.length !== mine.length || mine.some(({ number }) => !opened.includes(number)))
    flaws.push(`pull requests ${mine.map(({ number }) => number).join()}, and the ledger has ${opened.join()}`);
  const isDone = endOf(ledger)?.outcome === 'done';
  if (isDone && (branches.length !== 1 || mine.length !== 1))
    flaws.push(`it is done with ${branches.length} branches and ${mine.length} pull requests`);
  const [pull] = mine;
  if (isDone && pull !== undefined) {
    if (!(told.rows['Pull request'] ?? '').includes(String(pull.number)))
      flaws.push(`its pull request is ${pull.number}, and the issue shows ${told.rows['Pull request']}`);
    const work = /`([0-9a-f]{12})`/.exec(told.rows['Work'] ?? '')?.[1] ?? 'nothing';
    if (!pull.head.sha.startsWith(work)) flaws.push(`the issue shows the work ${work}, and it is ${pull.head.sha}`);
  }
  return flaws;
}

type Answered = { readonly thread: readonly Comment[]; readonly ledger: Ledger; readonly log: WeekLog };

/** A command is obeyed, which stands in the ledger, or answered, once. */
function answerFlaws(
  town: Town,
  mission: MissionLog,
  { thread, ledger, log }: Answered,
): { readonly flaws: readonly string[]; readonly commands: number } {
  const flaws: string[] = [];
  const heard = heardIn(ledger);
  const replies = thread.filter((one) => isBot(town, one)).flatMap((one) => answersTo(one) ?? []);
  for (const to of new Set(replies)) {
    const count = replies.filter((one) => one === to).length;
    if (count > 1) flaws.push(`comment ${to} has ${count} replies`);
  }
  let commands = 0;
  for (const said of mission.said) {
    const verb = COMMAND.exec(said.text)?.[1];
    if (verb === undefined) continue;
    commands++;
    const isAnswered = replies.some((to) => to.split('.')[0] === String(said.id));
    if (heard.has(said.id) || isAnswered || TRACELESS.has(verb)) continue;
    // Of strangers the first is answered, and the others stand below it.
    if (!isMember(said, log)) continue;
    if (QUESTIONS.has(verb) && isDisturbed(said, log)) continue;
    flaws.push(`${said.by}’s ${said.text.split('\n')[0]} (comment ${said.id}) was neither obeyed nor answered`);
  }
  return { flaws, commands };
}

/** What nobody finds again when its job dies: whoever asked sees that nothing came, and asks again. */
const DISTURBED_MS = 60_000;

function isDisturbed({ atMs, isLost }: Said, { faults }: WeekLog): boolean {
  return isLost || faults.some((fault) => Math.abs(fault.atMs - atMs) < DISTURBED_MS);
}

function shownSecrets({ team, people, canary }: Town, texts: readonly string[]): readonly string[] {
  const secrets = [canary, ...team.secrets, ...PEOPLE.flatMap((name) => [people[name].token, people[name].password])];
  return secrets
    .filter((secret) => texts.some((text) => text.includes(secret)))
    .map((secret) => `a secret (${secret.slice(0, 4)}…) is shown`);
}
