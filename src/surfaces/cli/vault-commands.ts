// The commands about keys of providers: their part of the table. None has a place where a value could be typed as a word.
import type { CommandOption, CommandSpec } from './command.ts';

const NAME = { name: '<name>', summary: 'its name, as a route says it: vault:<name>' };
const FROM_STDIN: CommandOption = { flags: '--from-stdin', summary: 'read the key from standard input, one line' };
const FOR: CommandOption = {
  flags: '--for <principal...>',
  summary: 'members of the roster who can read it too, with their own keys',
};

export const VAULT_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'vault set',
    summary: 'Keep the API key of a provider, which is asked for and never a word of the command',
    args: [NAME],
    options: [FOR, FROM_STDIN],
    examples: ['lazarus vault set openai', 'pass show openai | lazarus vault set openai --from-stdin'],
    load: async () => (await import('./commands/vault.ts')).set,
  },
  {
    path: 'vault refs',
    summary: 'List the keys of the vault: who can read them, how old they are, which routes use them',
    load: async () => (await import('./commands/vault.ts')).refs,
  },
  {
    path: 'vault rotate',
    summary: 'Put a new key in the place of one, for the same readers unless others are named',
    args: [NAME],
    options: [FOR, FROM_STDIN],
    load: async () => (await import('./commands/vault.ts')).rotate,
  },
  {
    path: 'vault remove',
    summary: 'Remove a key from the vault',
    args: [NAME],
    load: async () => (await import('./commands/vault.ts')).remove,
  },
];
