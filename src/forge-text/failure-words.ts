// Why an attempt came to nothing and how long its parts took, in words: rows of plain text for terminals and logs, and the
// same for a page. Paths, commands and printed lines are others' words: on a page they stand as code, and whoever prints
// the rows makes them harmless there.
import { block, cell, code } from './shown.ts';
import type { AttemptView, FailureView } from './status-view.ts';

/** A name and what stands behind it. */
export type Row = readonly [name: string, text: string];

const PATHS_PRINTED = 20;

export function failureRows({ paths, commands, known, printed, kept }: FailureView): readonly Row[] {
  return [
    ...paths.slice(0, PATHS_PRINTED).map(({ path, because }): Row => ['path', `${path} (${because})`]),
    ...more(paths.length - PATHS_PRINTED, 'path'),
    ...commands.map(({ command, how }): Row => ['check', `${command} (${how})`]),
    ...known.map((text): Row => ['known', text]),
    ...(printed?.lines ?? []).map((line): Row => ['printed', line]),
    ...(kept === null ? [] : [['kept', `the work, until ${kept.until}: ${kept.line}`] satisfies Row]),
  ];
}

function more(count: number, name: string): readonly Row[] {
  return count > 0 ? [[name, `… and ${count} more`]] : [];
}

/** Behind the reason, on a page: what is short stands there, what was printed is folded. */
export function failureMarkdown({ paths, commands, known, printed, kept }: FailureView, entries: number): string[] {
  const lines = [
    ...paths.slice(0, entries).map(({ path, because }) => `- ${code(path)} (${code(because)})`),
    ...(paths.length > entries ? [`- … and ${paths.length - entries} more paths`] : []),
    ...commands.slice(0, entries).map(({ command, how }) => `- the check ${code(command)}: ${code(how)}`),
    ...(commands.length > entries ? [`- … and ${commands.length - entries} more checks`] : []),
    ...known.slice(0, entries).map((text) => `- ${code(text)}`),
    ...(kept === null ? [] : [`- the work is kept until ${code(kept.until)}; in a clone: ${code(kept.line)}`]),
  ];
  return [
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    ...(printed === null || entries === 0
      ? []
      : [
          `<details><summary>Printed (${printed.lines.length})</summary>\n\nThe last lines of ${code(printed.by)}:\n\n${block(printed.lines)}\n\n</details>`,
        ]),
  ];
}

/** For a table. */
export function attemptCell({ no, took }: AttemptView): string {
  return took.length === 0
    ? `${no}`
    : `${no} (${took
        .map(part)
        .map((text) => cell(text))
        .join(', ')})`;
}

export function attemptWords({ no, took }: AttemptView): string {
  return [`${no}`, ...took.map(part)].join(', ');
}

function part({ what, seconds }: AttemptView['took'][number]): string {
  return `${what} ${durationWords(seconds)}`;
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;

function durationWords(seconds: number): string {
  if (seconds < MINUTE_SECONDS) return `${seconds} s`;
  const minutes = Math.floor(seconds / MINUTE_SECONDS);
  if (seconds < HOUR_SECONDS) return `${minutes} min ${seconds % MINUTE_SECONDS} s`;
  return `${Math.floor(seconds / HOUR_SECONDS)} h ${minutes % MINUTE_SECONDS} min`;
}
