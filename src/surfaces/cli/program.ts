// The table of commands as a commander program. Parses and explains the command line; runs nothing itself.
import { Argument, Command, Option } from 'commander';
import { ENVIRONMENT } from '../../config.ts';
import { aligned } from './output.ts';
import type { CommandSpec } from './command.ts';
import { GROUPS } from './commands.ts';
import { Values } from './values.ts';

/** commander hands over these headings too, for a program whose parts are commands. */
const ITEMS_OF_OURS = new Set(['Arguments:', 'Commands:']);

export type Perform = (spec: CommandSpec, args: Values, options: Values) => Promise<void>;

/** Options that every command takes, before or after its name. */
export const GLOBAL_OPTIONS: readonly Option[] = [
  new Option('--json', 'print one JSON object instead of text'),
  new Option('--no-input', 'never ask; fail where an answer is needed'),
  new Option('--yes', 'agree to what would be asked'),
  new Option('--quiet', 'print results and errors only'),
  new Option('-v, --verbose', 'say what is being done, and where an error came from'),
  new Option('--color <when>', 'colour the text').choices(['auto', 'always', 'never']).default('auto'),
  new Option('-C, --cwd <dir>', 'work as if started in this folder'),
];

export function buildProgram(specs: readonly CommandSpec[], perform: Perform): Command {
  const program = named(new Command('lazarus'))
    .description('Bounded missions for AI agents, with Git as the only database: signed, verifiable by anyone, alone.')
    .usage('<command> [options]')
    // The flat list below shows whole commands, where commander's own stops at the groups.
    .configureHelp({ formatItemList: (heading, items) => (ITEMS_OF_OURS.has(heading) ? [] : [heading, ...items, '']) })
    .addHelpText('after', () => commandList(specs));
  for (const option of GLOBAL_OPTIONS) program.addOption(option);
  const groups = new Map<string, Command>();
  for (const spec of specs) parentOf(spec, program, groups).addCommand(leaf(spec, perform));
  return program;
}

function parentOf(spec: CommandSpec, program: Command, groups: Map<string, Command>): Command {
  const [name, verb] = spec.path.split(' ');
  if (name === undefined || verb === undefined) return program;
  const known = groups.get(name);
  if (known !== undefined) return known;
  const group = named(new Command(name))
    .description(GROUPS[name] ?? '')
    .usage('<command> [options]');
  groups.set(name, group);
  program.addCommand(group);
  return group;
}

function leaf(spec: CommandSpec, perform: Perform): Command {
  const command = framed(new Command(spec.path.split(' ').at(-1)))
    .description(spec.summary)
    .configureHelp({ showGlobalOptions: true });
  for (const { name, summary, choices } of spec.args ?? []) {
    const argument = new Argument(name, summary);
    command.addArgument(choices === undefined ? argument : argument.choices(choices));
  }
  for (const { flags, summary, default: value, choices, required } of spec.options ?? []) {
    const option = new Option(flags, summary).makeOptionMandatory(required ?? false);
    if (value !== undefined) option.default(value);
    command.addOption(choices === undefined ? option : option.choices(choices));
  }
  if (spec.examples !== undefined)
    command.addHelpText('after', ['', 'Examples:', ...spec.examples.map((line) => `  ${line}`)].join('\n'));
  return command.action(async () => {
    const args = command.registeredArguments.map(
      (argument, i) => [argument.name(), command.processedArgs[i] as unknown] as const,
    );
    await perform(spec, new Values(Object.fromEntries(args)), new Values(command.optsWithGlobals()));
  });
}

/** Errors are thrown and printed by the caller, in one form; help goes where it was asked for. */
function framed(command: Command): Command {
  return command
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError()
    .helpCommand(false);
}

/** Made of commands. commander would explain it to whoever asks for help with a word that it does not know. */
function named(command: Command): Command {
  return framed(command).on('beforeHelp', () => {
    const [word = '-'] = command.args;
    // Asked again without the wish for help it says what is wrong with the word.
    if (!word.startsWith('-')) command.parse([word], { from: 'user' });
  });
}

function commandList(specs: readonly CommandSpec[]): string {
  const commands = aligned(specs.map((spec) => [`  ${spec.path}`, spec.summary]));
  const variables = aligned(ENVIRONMENT.map(({ name, summary }) => [`  ${name}`, summary]));
  return [
    '',
    'Commands:',
    ...commands,
    '',
    'Environment:',
    ...variables,
    '',
    'More on one: lazarus <command> --help',
  ].join('\n');
}
