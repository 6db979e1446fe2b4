// What people are told outside of the forge: one thing, in plain text and in parts. Goals and reasons are others' words, and
// whoever shows a message may take marks in it for more than text: none gets into it that calls people, links or formats.
import { visible } from './hidden.ts';
import { cut } from './shown.ts';
import type { Kind, Waiting } from './waiting.ts';

/** `ended`: a mission that is over. `rules`, `stopped`: the whole project. */
export type News = Omit<Waiting, 'mission' | 'kind'> & {
  readonly kind: Exclude<Kind, 'path' | 'running'> | 'ended' | 'rules' | 'stopped';
  readonly mission: string | null;
  /** What whoever is told types next, and where. */
  readonly line: string | null;
  readonly lineIn: 'issue' | 'terminal';
  /** Over before anybody wanted to be told anything: no news on the first time. */
  readonly isPast: boolean;
};

/** Nobody is told of what goes on by itself, or of what could not be looked at now. */
export function newsOf({ kind, ...row }: Waiting, { line, lineIn }: Pick<News, 'line' | 'lineIn'>): News | undefined {
  if (kind === 'path' || kind === 'running' || (kind === 'still' && row.waitsFor === null)) return undefined;
  return { ...row, kind, line, lineIn, isPast: false };
}

type Ended = Pick<News, 'mission' | 'state' | 'because' | 'goal' | 'issue' | 'isPast'>;

export function endedNews({ mission, state, because, goal, issue, isPast }: Ended): News {
  const nothing = { tier: null, waitsFor: [], since: null, until: null, line: null, lineIn: 'issue' } as const;
  return { ...nothing, mission, state, because, goal, issue, isPast, kind: 'ended', topic: state };
}

export function projectNews(told: Pick<News, 'kind' | 'state' | 'waitsFor' | 'since' | 'line' | 'topic'>): News {
  const nothing = { mission: null, because: null, goal: '', tier: null, issue: null, until: null } as const;
  return { ...nothing, ...told, lineIn: 'terminal', isPast: false };
}

/** The same for as long as it is the same thing. */
export function topicOf({ kind, mission, topic }: News): string {
  return `${mission ?? 'project'} ${kind} ${topic}`;
}

/** `repository`: as people call it. `home`: where its pages are; null where there are none. */
export type Sender = { readonly repository: string; readonly home: string | null };

export type MessageText = {
  readonly text: string;
  readonly fields: Readonly<Record<string, string | number | null | readonly string[]>>;
};

export function messageOf(news: News, { repository, home }: Sender): MessageText {
  const { kind, mission, state, because, goal, waitsFor, since, until, issue, line, lineIn } = news;
  const url = home === null || issue === null ? null : `${home}/issues/${issue}`;
  const where = lineIn === 'terminal' ? 'type at a terminal' : url === null ? 'paste in its issue' : `paste in ${url}`;
  const text = [
    `${plain(repository)}: ${headingOf(news)}`,
    ...(goal === '' ? [] : [plain(goal)]),
    ...(line !== null ? [`${where}: ${line}`] : url === null ? [] : [url]),
  ].join('\n');
  const parts = {
    kind,
    mission,
    state,
    because,
    goal: shown(goal),
    waits_for: waitsFor,
    since,
    until,
    issue,
    url,
    line,
  };
  return { text: `${text}\n`, fields: { repository, ...parts } };
}

/** For everything that is new beyond what is told one by one. */
export function restMessage(count: number, { repository }: Sender): MessageText {
  const text = `${plain(repository)}: and ${count} more that wait or are over; all of it: lazarus inbox --all\n`;
  return { text, fields: { repository, kind: 'more', count } };
}

function headingOf({ kind, mission, state, because, waitsFor, until }: News): string {
  const name = mission === null ? '' : `${plain(mission)} `;
  // A reason code is one of our words; an underscore alone formats nothing.
  const why = because === null ? '' : ` (${/^[a-z_]+$/.test(because) ? because : plain(because)})`;
  const who =
    waitsFor === null || waitsFor.length === 0
      ? ''
      : `, waits for ${waitsFor.slice(0, NAMES_MAX).map(plain).join(', ')}${waitsFor.length > NAMES_MAX ? ' and others' : ''}`;
  if (kind === 'due') return `${name}runs out at ${until}${who}`;
  return `${name}${plain(state)}${why}${who}${until === null ? '' : `, until ${until}`}`;
}

const NAMES_MAX = 10;
const CHARACTERS_MAX = 300;

function shown(text: string): string {
  return cut(visible(text), CHARACTERS_MAX);
}

/** Letters, numbers and plain punctuation: what is left calls nobody (`@all`, `<!here>`), and leads nowhere. */
function plain(text: string): string {
  return shown(text)
    .replaceAll('://', ': ')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,:;!?'"()/+=%-]/gu, '·');
}
