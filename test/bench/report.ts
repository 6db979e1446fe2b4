// Judges lines against their budgets and shows them, as a table for people and as JSON for programs.
import { cpus, loadavg, release, totalmem } from 'node:os';
import { execFileSync } from 'node:child_process';
import { median, noise } from './measure.ts';
import type { Budget, Line, Verdict } from './row.ts';
import { REFERENCE_VERIFY_US, type Speed } from './speed.ts';

export type Judged = Line & {
  readonly row: string;
  readonly median: number;
  readonly noise: number;
  /** The budget on this machine: what is judged by. */
  readonly scaled: Budget | undefined;
  readonly verdict: Verdict;
  /** Others used the machine meanwhile, and this number suffers from that. */
  readonly isDisturbed: boolean;
};

export type Conditions = {
  /** The sizes are too small for a budget to mean anything. */
  readonly quick: boolean;
  /** How many times slower this machine is. */
  readonly factor: number;
  /** Others used the machine while the row ran. */
  readonly isBusy: boolean;
};

export function judge(row: string, line: Line, { quick, factor, isBusy }: Conditions): Judged {
  const scaled = scale(line, factor);
  const isDisturbed = isBusy && (line.needsQuiet === true || isTimed(line));
  if (line.values.length === 0)
    return {
      ...line,
      row,
      median: Number.NaN,
      noise: Number.NaN,
      scaled,
      verdict: line.budget ? 'not measured' : '',
      isDisturbed: false,
    };
  const middle = median(line.values);
  const around = noise(line.values);
  return {
    ...line,
    row,
    median: middle,
    noise: around,
    scaled,
    verdict: quick ? '' : verdictOf(scaled, middle, around),
    isDisturbed,
  };
}

function isTimed({ unit }: Line): boolean {
  return unit === 'ms' || unit === '/s';
}

/** Times and rates were written for another machine. Ratios and bytes are the same on every one. */
function scale(line: Line, factor: number): Budget | undefined {
  const { budget } = line;
  if (budget === undefined || !isTimed(line)) return budget;
  return 'atMost' in budget ? { atMost: budget.atMost * factor } : { atLeast: budget.atLeast / factor };
}

/** A budget is met or missed for certain when the median is further from it than the rounds are from each other. */
function verdictOf(budget: Budget | undefined, middle: number, around: number): Verdict {
  if (budget === undefined) return '';
  const beyond = 'atMost' in budget ? middle - budget.atMost : budget.atLeast - middle;
  if (beyond <= 0) return -beyond < around ? 'met within noise' : 'met';
  return beyond <= around ? 'missed within noise' : 'missed';
}

export function isMissed({ verdict }: Judged): boolean {
  return verdict === 'missed' || verdict === 'not measured';
}

export function table(lines: readonly Judged[]): string {
  const rows = lines.map((line) => [
    line.row,
    line.what,
    Number.isNaN(line.median) ? '-' : `${shown(line.median)} ${line.unit}`,
    Number.isNaN(line.noise) ? '-' : `±${shown(line.noise)}`,
    budgetText(line.scaled, line.unit),
    line.scaled === line.budget ? '' : budgetText(line.budget, line.unit),
    line.isDisturbed ? [line.verdict, 'machine busy'].filter((word) => word !== '').join(', ') : line.verdict,
    line.beside,
  ]);
  const all = [['row', 'what', 'median', 'noise', 'budget', 'unscaled', 'verdict', 'beside'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((cells) => cells[column]!.length)));
  return all
    .map((cells) =>
      cells
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Which of the verdicts are worth nothing, and why: what a table of forty lines does not say at once. */
export function doubtText(lines: readonly Judged[]): string {
  const named = (some: readonly Judged[]): string => some.map(({ row, what }) => `${row} (${what})`).join('; ');
  const budgeted = lines.filter(({ verdict }) => verdict !== '');
  const noise = budgeted.filter(({ verdict }) => verdict.endsWith('within noise'));
  const disturbed = budgeted.filter(({ isDisturbed }) => isDisturbed);
  const missed = budgeted.filter(isMissed);
  return [
    `${budgeted.length} budgets: ${missed.length} missed, ${noise.length} within their noise, ${disturbed.length} measured on a busy machine`,
    ...(noise.length === 0 ? [] : [`within the noise of its own rounds, so neither met nor missed: ${named(noise)}`]),
    ...(disturbed.length === 0 ? [] : [`while others used the machine, so to be measured again: ${named(disturbed)}`]),
  ].join('\n');
}

export type Run = {
  readonly quick: boolean;
  readonly load_at_start: number;
  readonly raw_verify_us: number;
  readonly slower_than_reference: number;
};

/** Times are judged by this one number, so it is said. */
export function speedText({ verifyUs, factor }: Speed): string {
  const raw = `one raw ed25519 verification takes ${verifyUs.toFixed(1)} µs here, ${REFERENCE_VERIFY_US} µs where the budgets were written`;
  return `${raw}: budgets in ms and /s are scaled by ${factor.toFixed(2)}, those beside them are not`;
}

export function toJson(lines: readonly Judged[], run: Run): string {
  const results = lines.map((line) => ({
    row: line.row,
    what: line.what,
    unit: line.unit,
    median: finite(line.median),
    noise: finite(line.noise),
    budget: line.budget ?? null,
    budget_here: line.scaled ?? null,
    verdict: line.verdict,
    machine_busy: line.isDisturbed,
    beside: line.beside,
    rounds: line.values,
  }));
  return `${JSON.stringify({ schema_version: 1, ...run, machine: machine(), results }, undefined, 2)}\n`;
}

export function machine(): Readonly<Record<string, string | number>> {
  return {
    node: process.version,
    openssl: process.versions.openssl ?? '',
    git: execFileSync('git', ['--version'], { encoding: 'utf8' }).trim(),
    gpg: firstLine('gpg', ['--version']),
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memory_mb: Math.round(totalmem() / 2 ** 20),
    system: `${process.platform} ${release()}`,
  };
}

/** What waits for a core before the bench has begun will share the cores with it. */
export function loadAtStart(): number {
  return Math.round(10 * loadavg()[0]!) / 10;
}

function firstLine(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8' }).split('\n')[0] ?? '';
  } catch {
    return 'absent';
  }
}

function budgetText(budget: Budget | undefined, unit: Line['unit']): string {
  if (budget === undefined) return '';
  const [sign, value] = 'atMost' in budget ? ['≤', budget.atMost] : ['≥', budget.atLeast];
  return `${sign} ${Number.isInteger(value) ? value : shown(value)} ${unit}`;
}

function shown(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en');
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
