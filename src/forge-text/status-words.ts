// Sentences about what a mission waits for, shared by the status comment, `/why` and the commit status.
import { shortDigest } from '../next-line.ts';
import { cell, code, login } from './shown.ts';
import type { Refusal } from '../kernel/network/decide.ts';
import { hostAllowed } from '../kernel/network/hosts.ts';
import { REASONS, type ReasonCode } from '../reasons.ts';
import { stateWords } from './states.ts';
import type {
  AskedView,
  LateView,
  OutputView,
  ReadOnlyFolder,
  Said,
  SpentView,
  StatusView,
  Via,
} from './status-view.ts';

const NAMES_MAX = 20;
/** Of a sentence about an attempt, where it stands in a table or a list. */
export const ATTEMPT_CHARACTERS = 300;

/** Of an attempt that another one followed. */
export function earlierWords({ no, because }: StatusView['earlier'][number]): string {
  const says = Object.hasOwn(REASONS, because) ? `: ${REASONS[because as ReasonCode].says}` : '';
  return `attempt ${no}: ${because}${says}`;
}

/** How it stands. A job that runs it shows nothing here: whether it waits for a machine or has one, this is true. */
export function standsAs({ state, because, waitsFor, stopped, custody, review }: StatusView): string {
  if (state === 'done' && review?.state === 'merged') return `${stateWords(state)} · merged`;
  const isWithJobs = custody === 'actions' && because === null && waitsFor === null && stopped === null;
  return state === 'queued' && isWithJobs ? 'handed to a runner' : stateWords(state);
}

/** How much is missing, of whom, and who cannot. Markdown for a table. */
export function stillNeeded({ missing, from, possible, role, cannot }: AskedView): string {
  const many = possible < missing ? `${missing}, and only ${possible} may give it:` : `${missing} of:`;
  const who = from.length === 0 ? `nobody on the roster can give it` : `${many} ${names(from)}`;
  const others = cannot
    .slice(0, NAMES_MAX)
    .map(({ login: name, because }) => `${login(name)} cannot: ${cell(because, 80)}`);
  return [`${who} (role ${cell(role, 40)})`, ...others].join('. ');
}

export function names(logins: readonly string[]): string {
  const shown = logins.slice(0, NAMES_MAX).map(login).join(' ');
  return logins.length > NAMES_MAX ? `${shown} and ${logins.length - NAMES_MAX} more` : shown;
}

/** Why it is as it is, and the step to take. */
export function becauseWords({ code: reason, says, next }: NonNullable<StatusView['because']>): string {
  return `**Because** ${code(reason)}: ${code(says)}${next === undefined ? '' : ` Next: ${code(next)}`}`;
}

/** The one thing it waits for, as plain text for a commit status. */
export function missingThing({ asked, because, held, waitsFor }: StatusView): string {
  if (held !== null) return `by ${held.by}`;
  if (asked !== null && asked.missing > 0)
    return `${asked.missing} of ${asked.quorum} approvals of ${asked.scope === 'plan' ? 'the plan' : 'the effects'} ${shortDigest(asked.digest)}`;
  if (because !== null) return because.code;
  return waitsFor === null ? '' : `${waitsFor} holds a path`;
}

export function cancelledWords({ by, how, at }: Said): string {
  return `by ${by} (${viaWords(how)}, ${at})`;
}

/** By whom and since when; whose turn it is says the line to type beside it. */
export function heldWords(held: Said): string {
  return `${cancelledWords(held)}: what runs comes to its end, nothing else begins`;
}

/** Without the line that shows it. */
export function lateWords({ attempt, until, by }: LateView): string {
  return `the work of attempt ${attempt}: it came too late, nobody judged it, and that it is that work is the word of ${by} alone; until ${until}`;
}

export function waitsForWords(mission: string): string {
  return `${mission}, which holds a path that it needs`;
}

/** By whom and since when; whose turn it is says the line to type beside it. */
export function stoppedWords({ by, since }: NonNullable<StatusView['stopped']>): string {
  return `by ${by} since ${since}: nothing new is planned, granted, begun or delivered`;
}

/** Behind the pull request; Markdown. */
export function reviewWords(review: StatusView['review']): string {
  if (review === null || review.state === 'open') return '';
  if (review.state === 'closed') return ', closed without a merge';
  return review.mergedBy === null ? ', merged' : `, merged by ${login(review.mergedBy)}`;
}

/** What a route was used for, as the provider's own answers count it. */
export function spentWords({ route, calls, guessed, tokensIn, tokensOut }: SpentView): string {
  const said = guessed === 0 ? '' : ` (guessed for ${guessed === calls ? 'all' : `${guessed} of them`})`;
  return `${route}: ${calls} ${calls === 1 ? 'call' : 'calls'}, ${tokensIn} tokens in, ${tokensOut} out${said}`;
}

/** For whom it is kept, and what of it everybody sees. */
export function outputWords({ keep, excerpt, readers }: OutputView): string {
  const kept =
    keep === 'digest'
      ? 'only as a digest'
      : readers.length === 0
        ? 'only as a digest: nobody on the roster has a key to encrypt to'
        : `for ${readers.join(', ')}`;
  return `${kept}; ${IN_CLEAR[excerpt]}`;
}

const IN_CLEAR: Readonly<Record<OutputView['excerpt'], string>> = {
  all: 'in clear the last lines of what fails, agents’ too',
  checks: 'in clear the last lines of checks that fail',
  none: 'nothing in clear',
};

/** Where the keys are that a runner signs and calls with; `exposed:` where a job of anybody's could read them. */
export function exposedWords({ to, by }: NonNullable<StatusView['exposed']>): string {
  const isByRunner = by === 'runner';
  if (to === 'repository_writers')
    return `exposed: repository writers (${isByRunner ? 'by the runner’s word' : 'policy asks for no supervisor'})`;
  return `with a supervisor, apart from jobs (${isByRunner ? 'by the runner’s word' : 'policy asks for it'})`;
}

type Refused = StatusView['refused'][number];

/** With the words that would let it through, for whoever decides about policy; where none would, with what it was. */
export function refusedWords({ host, port, because }: Refused): string {
  // What is not a name, and names beyond those that are kept, have none.
  if (host === '') return `unnamed (${because})${explained(because)}`;
  if (because === 'host_not_listed')
    return `${host}:${port} (${because}); policy could allow it: ${hostAllowed({ host, port })}`;
  return `${host}:${port} (${because})${explained(because)}`;
}

function explained(because: string): string {
  const words = (WHAT_IT_WAS as Readonly<Record<string, string>>)[because];
  return words === undefined ? '' : `; ${words}`;
}

const WHAT_IT_WAS = {
  address_not_public: 'its address is not public: policy could name it with a range',
  address_outside_range: 'its address is not in the range that policy names',
  address_never: 'nothing allows that address',
  host_not_listed: 'more hosts that are not listed',
  name_malformed: 'it named no host in one plain spelling',
  other_server_name: 'its TLS asked for another host',
  server_name_missing: 'its TLS asked for no host',
  tunnel_not_tls: 'a tunnel carries nothing but TLS',
  request_malformed: 'it can be read in two ways',
  too_many_bytes: 'one cell moves no more than that',
  too_many_connections: 'one cell has no more connections than that',
} satisfies Readonly<Record<Refusal, string>>;

/** The same for what a check could not write: it may as well write elsewhere. */
export function readOnlyWords({ folder, environment }: ReadOnlyFolder): string {
  if (folder === null)
    return 'a check met a read-only file system; it may write in $TMPDIR, or where policy lets it: checks: {writable: [folder]}';
  const words = `{writable: [${folder}]}`;
  return `${folder}, for a check; policy could allow it: ${environment === null ? `checks: ${words}` : `environment: {${environment}: ${words}}`}`;
}

/** At a terminal: stopping is no command of comments. */
export const UNSTOP = 'lazarus unstop';

/** Below tier 3 a gate's word counts for a person's, and nobody shall take it for more. */
export function viaWords(how: Via): string {
  return how === 'signed' ? 'signed' : 'via: forge';
}
