// One run of the program: command line in, exit code out. Turns signals, closed pipes and whatever is thrown into the
// one form in which lazarus says what happened. Knows no command.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommanderError } from 'commander';
import { Failure } from '../../failure.ts';
import { REASONS } from '../../reasons.ts';
import type { CommandSpec, Context } from './command.ts';
import { COMMANDS } from './commands.ts';
import { exitOf, failureJson, failureLines, complaintOf, traceLines, type Complaint } from './failure-text.ts';
import { createOutput, type Output, type OutputSettings } from './output.ts';
import { buildProgram } from './program.ts';
import type { Values } from './values.ts';

/** How long a command may take to stop after Ctrl-C before the process ends regardless. */
const INTERRUPT_GRACE_MS = 3_000;
const PIPE_CLOSED = 'pipe closed';

export async function start(argv: readonly string[], specs: readonly CommandSpec[] = COMMANDS): Promise<void> {
  const stop = new AbortController();
  watchPipes(stop);
  const leaving = { graceMs: INTERRUPT_GRACE_MS };
  watchSignals(stop, leaving);
  process.exitCode = await run(meant(argv), specs, { signal: stop.signal, leaving });
}

/** What people type first at a program that they do not know yet. */
function meant(argv: readonly string[]): readonly string[] {
  if (argv.length === 0) return ['--help'];
  return argv.length === 1 && argv[0] === '--version' ? ['version'] : argv;
}

type Leaving = { graceMs: number | undefined };

async function run(
  argv: readonly string[],
  specs: readonly CommandSpec[],
  { signal, leaving }: { readonly signal: AbortSignal; readonly leaving: Leaving },
): Promise<number> {
  // Until the command line is parsed, all that is known of the settings is what it seems to say.
  let out = outputFor({ json: argv.includes('--json'), quiet: false, verbose: false, color: 'auto' });
  let verbose = false;
  let exit = 0;
  const program = buildProgram(specs, async (spec, args, options) => {
    const ctx = contextFor(options, signal);
    ({ out, verbose } = ctx);
    if (spec.endsInItsTime === true) leaving.graceMs = undefined;
    const command = await spec.load();
    exit = (await command.run(ctx, args, options)) ?? 0;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (signal.aborted && signal.reason === PIPE_CLOSED) return 0;
    const cause = error instanceof CommanderError ? usageFailure(error) : error;
    const thrown = signal.aborted ? new Failure('interrupted', {}, { cause }) : cause;
    const told = complaintOf(thrown);
    report(told.code === 'usage' ? { next: helpLine(argv, specs), ...told } : told, out);
    if (verbose) traceLines(thrown).forEach((line) => out.detail(line));
    return exitOf(told);
  }
}

function contextFor(options: Values, signal: AbortSignal): Context {
  const settings = {
    json: options.flag('json'),
    quiet: options.flag('quiet'),
    verbose: options.flag('verbose'),
    color: options.need('color') as OutputSettings['color'],
  };
  return {
    out: outputFor(settings),
    cwd: folder(options.text('cwd')),
    env: process.env,
    signal,
    input: {
      interactive: options.flag('input') && isTerminal(process.stdin) && isTerminal(process.stderr),
      yes: options.flag('yes'),
    },
    verbose: settings.verbose,
  };
}

function outputFor(settings: OutputSettings): Output {
  return createOutput(settings, process, process.env);
}

function isTerminal(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true;
}

function folder(named: string | undefined): string {
  const path = resolve(named ?? '.');
  if (named !== undefined && statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Failure('usage', { option: 'cwd', expected: 'a folder', found: named });
  }
  return path;
}

function report(told: Complaint, out: Output): void {
  // One object per run: a command that fails after its result has only standard error left.
  if (out.json && !out.emitted) out.emit([], failureJson(told));
  else failureLines(told).forEach((line) => out.warn(line));
}

/** The help of the command that was meant, as far as the words say which. */
function helpLine(argv: readonly string[], specs: readonly CommandSpec[]): string | undefined {
  const words = ` ${argv.join(' ')} `;
  const meant = specs
    .filter(({ path }) => words.includes(` ${path} `))
    .sort((a, b) => b.path.length - a.path.length)[0];
  return meant === undefined ? undefined : `lazarus ${meant.path} --help`;
}

/** commander's sentence, without its prefix and with its suggestion as a fact of its own. */
function usageFailure(error: CommanderError): Failure {
  if (error.code === 'commander.help') return new Failure('usage', { problem: 'a command is missing after this word' });
  const [, problem = error.message, suggestion] =
    /^(?:error: )?(.*?)(?:\n\(Did you mean (.*?)\?\))?$/s.exec(error.message) ?? [];
  return new Failure('usage', suggestion === undefined ? { problem } : { problem, did_you_mean: suggestion });
}

function watchSignals(stop: AbortController, leaving: Leaving): void {
  const leave = () => process.exit(REASONS.interrupted.exit);
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      // A second Ctrl-C, or a command that does not listen, ends at once: whatever is on disk is safe at any moment.
      if (stop.signal.aborted) leave();
      stop.abort(name);
      if (leaving.graceMs !== undefined) setTimeout(leave, leaving.graceMs).unref();
    });
  }
}

/** `lazarus ledger log | head`: the reader has seen enough, which is no error and needs no more work. */
function watchPipes(stop: AbortController): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    stop.abort(PIPE_CLOSED);
  });
  // Nobody listening to the messages is no reason to give up on what the command was told to do.
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
