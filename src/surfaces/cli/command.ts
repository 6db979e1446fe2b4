// What a command of the program is: a line of the table (how it is called) and a module loaded when it runs.
// Describing a command must cost nothing: no zod, no git, no keys are imported to print the help.
import type { Output } from './output.ts';
import type { Values } from './values.ts';

export type CommandSpec = {
  /** The words after `lazarus`, such as `ledger append`. */
  readonly path: string;
  readonly summary: string;
  readonly args?: readonly Argument[];
  readonly options?: readonly CommandOption[];
  /** Whole lines to type, shown below the help. */
  readonly examples?: readonly string[];
  /** Told to leave, it takes the time that what it began needs; a second time it ends at once, as all do. */
  readonly endsInItsTime?: boolean;
  readonly load: () => Promise<CommandModule>;
};

type Argument = {
  /** `<name>` required, `[name]` optional, `<name...>` or `[name...]` several. */
  readonly name: string;
  readonly summary: string;
  readonly choices?: readonly string[];
};

export type CommandOption = {
  /** `--flag`, `--name <value>`, or `--name <value...>`, optionally with a short form before it. */
  readonly flags: string;
  readonly summary: string;
  readonly default?: string;
  readonly choices?: readonly string[];
  /** The command refuses to start without it. */
  readonly required?: boolean;
};

export type CommandModule = {
  /** Returns the exit code when it is not 0; throws a Failure for everything that has a reason code. */
  run(ctx: Context, args: Values, options: Values): Promise<number | void>;
};

export type Context = {
  readonly out: Output;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C. What is half done is either finished or left without a trace. */
  readonly signal: AbortSignal;
  readonly input: {
    /** Whether a person can be asked. */
    readonly interactive: boolean;
    /** `--yes`: the person has already agreed. */
    readonly yes: boolean;
  };
  readonly verbose: boolean;
};
