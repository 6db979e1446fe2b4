// The board: one issue of ours in which a team sees what waits in all missions, for whom, since when and until when, each with
// its issue and the line to paste there. Rendered whole each time and never read back; the same rows give the same text.
// Everything that people or models wrote stands in it as code, so that it calls nobody and breaks out of no table.
import { utf8 } from '../format/bytes.ts';
import { block, cell, code, link } from './shown.ts';
import type { StatusView } from './status-view.ts';
import { names, stoppedWords, UNSTOP } from './status-words.ts';
import { byUrgency, type Kind, type WaitingInIssue } from './waiting.ts';

export const BOARD_TITLE = 'lazarus: what waits, and for whom';
/** What our other issues begin with is a form or a sentence, and never this. */
const MARK = '<!-- lazarus:board v1 -->';

/** Whether an issue of our own is the board: one of the two may have been edited. */
export function isBoard({ title, body }: { readonly title: string; readonly body: string }): boolean {
  return title === BOARD_TITLE || body.startsWith(MARK);
}

export type Board = {
  readonly rows: readonly WaitingInIssue[];
  readonly stopped: StatusView['stopped'];
  /** The policy that was merged and that nobody adopted yet, and who may. */
  readonly rules: { readonly adopt: string; readonly roots: readonly string[] } | null;
  readonly home: string;
  /** The day on which it was looked at last: an old one says that the schedule does not run. */
  readonly day: string;
  readonly isPinned: boolean;
};

/** A forge shows longer texts slowly. */
const BYTES_MAX = 60_000;
/** Rows of each part; fewer if the text would be too long. */
const ENTRIES = [100, 30, 8, 2] as const;

export function boardText(board: Board): string {
  const texts = ENTRIES.map((entries) => () => render(board, entries));
  for (const text of texts) if (utf8(text()).length <= BYTES_MAX) return text();
  return render(board, 1);
}

const PARTS: readonly { readonly title: string; readonly kinds: readonly Kind[] }[] = [
  { title: 'Runs out soon', kinds: ['due'] },
  { title: 'Waits for people', kinds: ['asked', 'people'] },
  { title: 'Changes are asked for', kinds: ['review'] },
  { title: 'Stands still', kinds: ['broken', 'still'] },
  { title: 'Waits for a path of another one', kinds: ['path'] },
  { title: 'Goes on by itself', kinds: ['running'] },
];

function render({ rows, stopped, rules, home, day, isPinned }: Board, entries: number): string {
  const parts = PARTS.flatMap(({ title, kinds }) => {
    const own = rows.filter(({ kind }) => kinds.includes(kind)).toSorted(byUrgency);
    return own.length === 0 ? [] : [part(`${title} (${own.length})`, own, { home, entries })];
  });
  return [
    `${MARK}\nMissions of this repository that are not over. A line with \`/\` is pasted into the issue of its mission (here nobody hears it), one with \`lazarus\` is typed in a clone.`,
    ...(stopped === null
      ? []
      : [
          `**The project is stopped** ${code(stoppedWords(stopped))}. For it to go on, ${names(stopped.who)} types at a terminal:`,
          block([UNSTOP]),
        ]),
    ...(rules === null
      ? []
      : [`A merged policy waits to be adopted; ${names(rules.roots)} types in a clone:`, block([rules.adopt])]),
    ...(parts.length === 0 ? ['Nothing waits, and nothing runs.'] : parts),
    ...(isPinned
      ? []
      : ['An administrator keeps this issue above the others with *Pin*, at the right of this page: jobs may not.']),
    `The schedule makes it from the ledgers, within minutes, and writes it only when something changed; it is never read back. Looked at on ${code(day)} (UTC). For one person: ${code('lazarus inbox')} in a clone.`,
  ].join('\n\n');
}

type Shown = { readonly home: string; readonly entries: number };

function part(title: string, rows: readonly WaitingInIssue[], { home, entries }: Shown): string {
  const rest = rows.length - entries;
  return [
    `### ${title}\n`,
    '| Issue | Mission | State | For | Since | Until | Line |',
    '|---|---|---|---|---|---|---|',
    ...rows.slice(0, entries).map((row) => `| ${line(row, home).join(' | ')} |`),
    ...(rest > 0 ? [`\n… and ${rest} more: ${code('lazarus inbox --all')} in a clone`] : []),
  ].join('\n');
}

const GOAL_CHARACTERS_MAX = 80;

function line({ mission, goal, state, because, waitsFor, issue, since, until, type }: WaitingInIssue, home: string) {
  return [
    issue === null ? '' : link(String(issue), home, `/issues/${issue}`),
    `${cell(mission, 60)}${goal === '' ? '' : ` ${cell(goal, GOAL_CHARACTERS_MAX)}`}`,
    because === null ? state : `${cell(state)} ${cell(because, 80)}`,
    waitsFor === null ? 'everybody' : names(waitsFor),
    since === null ? '' : cell(since),
    until === null ? '' : cell(until),
    type === null ? '' : cell(type),
  ];
}
