// The table of commands, in the order in which help lists them. One line each; everything a command needs is imported
// when it runs, by its `load`.
import { ARTIFACT_COMMANDS } from './artifact-commands.ts';
import type { CommandSpec } from './command.ts';
import { MISSION_COMMANDS } from './mission-commands.ts';
import { KEY_OPTIONS, REMOTE_OPTION } from './options.ts';
import { SETUP_COMMANDS } from './setup-commands.ts';
import { VAULT_COMMANDS } from './vault-commands.ts';
import { KEYS_COMMANDS, MENDING_COMMANDS, ROSTER_COMMANDS, STOP_COMMANDS } from './trust-commands.ts';

/** What the first words of two-word commands are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  artifact: 'Bytes that events name by digest',
  cache: 'What was prepared for cells on this machine',
  keys: 'The keys you sign with',
  ledger: 'Ledgers: append, read, compare, repair',
  policy: 'What missions may do here',
  receipt: 'What was done, by which authority, and what was seen',
  roster: 'Who counts, and for what',
  runner: 'The machine of a forge’s runner',
  scope: 'What a mission’s work may change',
  vault: 'API keys of providers, which cells use without seeing them',
};

export const COMMANDS: readonly CommandSpec[] = [
  {
    path: 'quickstart',
    summary: 'See a whole mission: proposal, approval, cell, receipts, audit and a forgery, in a scratch folder',
    options: [{ flags: '--dir <folder>', summary: 'a new folder to do it in' }],
    load: () => import('./commands/quickstart.ts'),
  },
  ...SETUP_COMMANDS,
  ...MISSION_COMMANDS,
  {
    path: 'verify',
    summary: 'Verify a ledger, or all of them: every signature, root, tree and rule',
    args: [{ name: '[ledger]', summary: 'project, or a mission by name' }],
    options: [
      {
        flags: '--mode <mode>',
        summary: 'how much to recompute',
        choices: ['full', 'since-pin', 'head'],
        default: 'full',
      },
      { flags: '--genesis <digest>', summary: 'the project genesis fingerprint you were given' },
      { flags: '--cosign', summary: 'sign the heads that verified, so that others notice a rollback' },
      { flags: '--remote <name|url>', summary: 'read and leave co-signatures on this remote' },
      ...KEY_OPTIONS,
    ],
    examples: ['lazarus verify project', 'lazarus verify m-3f9c --mode since-pin'],
    load: () => import('./commands/verify.ts'),
  },
  {
    path: 'prove',
    summary: 'Write one file that proves an event, or a ledger’s growth, to somebody without a repository',
    args: [
      { name: '<ledger>', summary: 'project, or a mission by name' },
      { name: '[event]', summary: 'index of the event, or the beginning of its id' },
    ],
    options: [
      { flags: '--consistency <size>', summary: 'prove instead that the ledger continues what it was at this size' },
      { flags: '-o, --output <file>', summary: 'where to write it (<ledger>-<index>.proof.json)' },
    ],
    examples: ['lazarus prove m-3f9c 17 -o proof.json', 'lazarus prove project --consistency 4'],
    load: () => import('./commands/prove.ts'),
  },
  {
    path: 'check',
    summary: 'Check a proof: needs no repository and no network',
    args: [{ name: '<file>', summary: 'the proof; - for standard input' }],
    options: [
      { flags: '--genesis <digest>', summary: 'the project genesis fingerprint you were given' },
      { flags: '--here', summary: 'hold it against the project ledger of this repository too' },
    ],
    examples: ['lazarus check proof.json --genesis sha256:…', 'lazarus check proof.json --here'],
    load: () => import('./commands/check.ts'),
  },
  {
    path: 'ledger init',
    summary: 'Begin the project ledger, or a mission ledger that grows out of it',
    options: [
      { flags: '--mission', summary: 'begin a mission ledger' },
      { flags: '--proposal <digest>', summary: 'the artifact that holds the mission’s proposal' },
      { flags: '--forge-user-id <n>', summary: 'your numeric user id on the forge' },
      REMOTE_OPTION,
      ...KEY_OPTIONS,
    ],
    examples: ['lazarus ledger init', 'lazarus ledger init --mission'],
    load: () => import('./commands/ledger-init.ts'),
  },
  {
    path: 'ledger append',
    summary: 'Append events',
    args: [
      { name: '<ledger>', summary: 'project, or a mission by name' },
      { name: '[type]', summary: 'event type, such as note.recorded' },
    ],
    options: [
      { flags: '--payload <json>', summary: 'the event’s payload' },
      { flags: '--task <id>', summary: 'the task it belongs to' },
      { flags: '--entity <id>', summary: 'the thing it is about' },
      { flags: '--correlation <id>', summary: 'what it belongs together with' },
      { flags: '--events <file>', summary: 'events as JSON lines; - for standard input' },
      { flags: '--per-transaction <n>', summary: 'events of --events that share a transaction' },
      { flags: '--expect-size <n>', summary: 'refuse if the ledger has another size' },
      { flags: '--cold <url>', summary: 'append to this remote without a clone of it' },
      REMOTE_OPTION,
      ...KEY_OPTIONS,
    ],
    examples: ['lazarus ledger append m-3f9c task.created --payload \'{"contract":null}\''],
    load: () => import('./commands/ledger-append.ts'),
  },
  {
    path: 'ledger log',
    summary: 'Show the events of a ledger, each one verified',
    args: [{ name: '<ledger>', summary: 'project, or a mission by name' }],
    options: [
      { flags: '-n, --last <n>', summary: 'how many of the newest (50)' },
      { flags: '--all', summary: 'every event' },
      { flags: '--from <index>', summary: 'from this index on' },
      { flags: '--until <index>', summary: 'up to this index, itself left out' },
      { flags: '--type <type>', summary: 'events of this type only' },
    ],
    load: () => import('./commands/ledger-log.ts'),
  },
  {
    path: 'ledger show',
    summary: 'Show the ledgers here, one ledger’s state, or one event in full',
    args: [
      { name: '[ledger]', summary: 'project, or a mission by name' },
      { name: '[index]', summary: 'index of an event' },
    ],
    load: () => import('./commands/ledger-show.ts'),
  },
  {
    path: 'ledger push',
    summary: 'Send ledgers to a remote, forwards only',
    args: [
      { name: '[remote]', summary: 'name or address of the remote (origin)' },
      { name: '[ledgers...]', summary: 'which ones; all when none is named' },
    ],
    load: async () => (await import('./commands/ledger-sync.ts')).push,
  },
  {
    path: 'ledger pull',
    summary: 'Take ledgers over from a remote, each only after it verified',
    args: [
      { name: '[remote]', summary: 'name or address of the remote (origin)' },
      { name: '[ledgers...]', summary: 'which ones; all when none is named' },
    ],
    load: async () => (await import('./commands/ledger-sync.ts')).pull,
  },
  {
    path: 'ledger snapshot',
    summary: 'Sign what a ledger came to, as you computed it, for writers who have no clone of it',
    args: [{ name: '<ledger>', summary: 'project, or a mission by name' }],
    options: [REMOTE_OPTION, ...KEY_OPTIONS],
    examples: ['lazarus ledger snapshot m-3f9c --remote origin'],
    load: () => import('./commands/ledger-snapshot.ts'),
  },
  {
    path: 'ledger compare',
    summary: 'Say how the ledgers here and on a remote stand to each other',
    args: [
      { name: '[remote]', summary: 'name or address of the remote (origin)' },
      { name: '[ledgers...]', summary: 'which ones; all when none is named' },
    ],
    load: async () => (await import('./commands/ledger-sync.ts')).compare,
  },
  {
    path: 'ledger fsck',
    summary: 'Check every ledger, pin, artifact and object of the repository',
    load: () => import('./commands/ledger-fsck.ts'),
  },
  ...MENDING_COMMANDS,
  ...STOP_COMMANDS,
  ...ARTIFACT_COMMANDS,
  ...KEYS_COMMANDS,
  ...VAULT_COMMANDS,
  ...ROSTER_COMMANDS,
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
