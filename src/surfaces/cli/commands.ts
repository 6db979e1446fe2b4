// The table of commands, in the order in which help lists them. One line each; everything a command needs is imported
// when it runs, by its `load`.
import type { CommandSpec } from './command.ts';

/** What the first words of two-word commands are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  artifact: 'Bytes that events name by digest',
  keys: 'The keys you sign with',
  ledger: 'Ledgers: append, read, compare, repair',
  roster: 'Who counts, and for what',
};

export const COMMANDS: readonly CommandSpec[] = [
  {
    path: 'completion',
    summary: 'Print a completion script for your shell',
    args: [{ name: '<shell>', summary: 'the shell to print it for', choices: ['bash', 'zsh', 'fish'] }],
    examples: [
      'source <(lazarus completion bash)',
      'lazarus completion fish > ~/.config/fish/completions/lazarus.fish',
    ],
    load: () => import('./commands/completion.ts'),
  },
  {
    path: 'version',
    summary: 'Print the versions of lazarus, Node, git and the ledger format',
    load: () => import('./commands/version.ts'),
  },
];
