// Where a command puts what it has to say: the result on standard output, everything else on standard error.
// Every text is escaped here, so that no command can forget to.
import { printable, printableJson } from './escape.ts';
import { createProgress, type Progress } from './progress.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
type Span = string | { readonly text: string; readonly style: Style };
/** One printed line. A newline inside it is shown, not obeyed. */
export type Line = Span | readonly Span[];

export type OutputSettings = {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly color: 'auto' | 'always' | 'never';
};

export interface Sink {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

export interface Output {
  readonly json: boolean;
  /** Whether the result is out already. */
  readonly emitted: boolean;
  /** The result, once per command: a string is one line, an array is lines; with --json one object instead. */
  emit(human: string | readonly Line[], json: Readonly<Record<string, unknown>>): void;
  /** Something worth knowing on the way; not with --quiet. */
  note(line: Line): void;
  /** Something wrong that does not end the command; always. */
  warn(line: Line): void;
  /** Only with --verbose. */
  detail(line: Line): void;
  /** Shows how far slow work has come; nothing at all for quick work. */
  progress(label: string): Progress;
}

const SGR: Readonly<Record<Style, number>> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 };
const SCHEMA_VERSION = 1;

type Env = Readonly<Record<string, string | undefined>>;

export function createOutput(
  settings: OutputSettings,
  streams: { readonly stdout: Sink; readonly stderr: Sink },
  env: Env,
): Output {
  const { stdout, stderr } = streams;
  let progress: Progress | undefined;
  let emitted = false;
  const say = (line: Line) => {
    progress?.clear();
    stderr.write(`${render(line, wantsColor(settings.color, stderr, env))}\n`);
  };
  return {
    json: settings.json,
    get emitted() {
      return emitted;
    },
    emit(human, json) {
      emitted = true;
      progress?.clear();
      if (settings.json) {
        stdout.write(`${printableJson(JSON.stringify({ schema_version: SCHEMA_VERSION, ...json }))}\n`);
        return;
      }
      const color = wantsColor(settings.color, stdout, env);
      const lines = typeof human === 'string' ? [human] : human;
      stdout.write(lines.map((line) => `${render(line, color)}\n`).join(''));
    },
    note: (line) => void (settings.quiet || say(line)),
    warn: (line) => say(line),
    detail: (line) => void (settings.verbose && say(line)),
    progress(label) {
      const silent = settings.quiet || settings.json;
      progress = createProgress(printable(label), {
        sink: silent ? undefined : stderr,
        nowMs: () => performance.now(),
      });
      return progress;
    },
  };
}

/** Rows as aligned lines; cells are escaped first, so that their width is the width that is printed. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(printable));
  const widths: number[] = [];
  for (const row of cells) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, cell.length)));
  return cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function render(line: Line, color: boolean): string {
  const spans = Array.isArray(line) ? (line as readonly Span[]) : [line as Span];
  return spans.map((span) => paint(span, color)).join('');
}

function paint(span: Span, color: boolean): string {
  if (typeof span === 'string') return printable(span);
  return color ? `\u001b[${SGR[span.style]}m${printable(span.text)}\u001b[0m` : printable(span.text);
}

function wantsColor(setting: OutputSettings['color'], sink: Sink, env: Env): boolean {
  if (setting !== 'auto') return setting === 'always';
  // An empty variable counts as unset, as no-color.org has it.
  if (env.NO_COLOR) return false;
  if (env.CLICOLOR_FORCE && env.CLICOLOR_FORCE !== '0') return true;
  return sink.isTTY === true && env.TERM !== 'dumb';
}
