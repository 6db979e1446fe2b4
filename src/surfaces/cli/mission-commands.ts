// The commands about missions: their part of the table.
import type { CommandSpec } from './command.ts';
import { KEY_OPTIONS, PASSPHRASE_OPTION } from './options.ts';

const MISSION = { name: '<mission>', summary: 'm-…, or the beginning of it' };
const MACHINE_OPTIONS = KEY_OPTIONS.filter(({ flags }) => flags.startsWith('--passphrase-fd'));
const PERSON_OPTIONS = [
  { flags: '--as <principal>', summary: 'act as this person, with their key on this computer' },
  ...KEY_OPTIONS,
];
const VOTE = [MISSION, { name: '<digest>', summary: 'of the plan or the effects: 12 digits at least' }];
const REASON = { flags: '--reason <text>', summary: 'why, kept with the mission' };

export const MISSION_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'propose',
    summary: 'Propose a mission from a file or in one line, and see its plan and digest',
    args: [{ name: '[mission]', summary: 'the mission file, - for standard input; with --owns the goal, in words' }],
    options: [
      { flags: '--example', summary: 'print a mission file to begin with, every key explained; propose nothing' },
      { flags: '--schema', summary: 'print the JSON Schema of mission files, for editors; propose nothing' },
      { flags: '--owns <globs>', summary: 'in one line: the paths that may change, with commas between' },
      { flags: '--agent <name>', summary: 'in one line: an agent of the policy (its only one)' },
      { flags: '--verify <command>', summary: 'in one line: what proves the work done (as the project tests itself)' },
      { flags: '--check <command...>', summary: 'in one line: what must exit with 0 as well' },
      { flags: '--base <branch>', summary: 'in one line: the branch to start from (main, or master)' },
      { flags: '--tier <number>', summary: 'in one line: 0 to 3 (1)' },
      { flags: '--minutes <number>', summary: 'in one line: how long the agent may work (30)' },
      { flags: '--purpose <words>', summary: 'in one line: why this matters' },
      { flags: '--revise <mission>', summary: 'as a new revision of this mission' },
      { flags: '--dry-run', summary: 'show the plan, and write nothing' },
      ...PERSON_OPTIONS,
    ],
    examples: [
      'lazarus propose --example > mission.yaml',
      'lazarus propose mission.yaml',
      'lazarus propose mission.yaml --dry-run',
      "lazarus propose 'Fix the failing date test' --agent codex --owns 'src/date/**,test/date/**'",
    ],
    load: async () => (await import('./commands/propose.ts')).propose,
  },
  {
    path: 'plan',
    summary: 'Plan a mission again, after base, policy or roster moved',
    args: [MISSION],
    options: MACHINE_OPTIONS,
    load: async () => (await import('./commands/propose.ts')).plan,
  },
  {
    path: 'approve',
    summary: 'Approve exactly what a digest stands for',
    args: VOTE,
    options: [REASON, ...PERSON_OPTIONS],
    examples: ['lazarus approve m-3f9c 3f9c1a2b4d5e'],
    load: async () => (await import('./commands/vote.ts')).approve,
  },
  {
    path: 'reject',
    summary: 'Say no: nothing runs until it is taken back or a new revision comes',
    args: VOTE,
    options: [REASON, { flags: '--final', summary: 'for good: the mission ends' }, ...PERSON_OPTIONS],
    load: async () => (await import('./commands/vote.ts')).reject,
  },
  {
    path: 'withdraw',
    summary: 'Take your vote back, before the mission runs',
    args: [MISSION],
    options: PERSON_OPTIONS,
    load: async () => (await import('./commands/vote.ts')).withdraw,
  },
  {
    path: 'cancel',
    summary: 'Call a mission off, until an effect of it is begun: its cell is closed, its paths are free',
    args: [MISSION],
    options: [REASON, ...PERSON_OPTIONS],
    examples: ["lazarus cancel m-3f9c --reason 'somebody else has done it'"],
    load: async () => (await import('./commands/cancel.ts')).cancel,
  },
  {
    path: 'hold',
    summary: 'Let nothing else of a mission begin: what runs comes to its end, and it waits',
    args: [MISSION],
    options: [REASON, ...PERSON_OPTIONS],
    examples: ["lazarus hold m-3f9c --reason 'the base is about to change'"],
    load: async () => (await import('./commands/hold.ts')).hold,
  },
  {
    path: 'unhold',
    summary: 'Let a mission go on that is held',
    args: [MISSION],
    options: [REASON, ...PERSON_OPTIONS],
    load: async () => (await import('./commands/hold.ts')).unhold,
  },
  {
    path: 'retry',
    summary:
      'Begin the next attempt of a mission that is not over, or ask people again where what they approved changed',
    args: [MISSION],
    options: MACHINE_OPTIONS,
    load: async () => (await import('./commands/retry.ts')).retry,
  },
  {
    path: 'followup',
    summary: 'Propose a mission that goes on from one that is over: the same with another goal',
    args: [MISSION, { name: '<goal>', summary: 'what is to be true then, in one line' }],
    options: [{ flags: '--purpose <words>', summary: 'why this matters (as before)' }, ...PERSON_OPTIONS],
    examples: ["lazarus followup m-3f9c 'Greet people who have no name as well'"],
    load: async () => (await import('./commands/followup.ts')).followup,
  },
  {
    path: 'run',
    summary: 'Run an approved mission: cell, checks, effects, receipts',
    args: [MISSION],
    options: MACHINE_OPTIONS,
    examples: ['lazarus run m-3f9c'],
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    path: 'status',
    summary: 'Show where a mission stands',
    args: [MISSION],
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    path: 'why',
    summary: 'Say what a mission waits for, of whom, and the line to type',
    args: [MISSION],
    load: async () => (await import('./commands/status.ts')).why,
  },
  {
    path: 'diff',
    summary: 'Show what the agent of an attempt changed, also of work that was refused or failed',
    args: [MISSION],
    options: [
      { flags: '--attempt <number>', summary: 'of this attempt (the latest that had work)' },
      { flags: '--stat', summary: 'only which files, and how many lines' },
      { flags: '--remote <name|url>', summary: 'fetch the work from there, where this clone does not have it' },
    ],
    examples: ['lazarus diff m-3f9c', 'lazarus diff m-3f9c --attempt 1 --stat'],
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  {
    path: 'watch',
    summary: 'Follow a mission until it is over',
    args: [MISSION],
    load: async () => (await import('./commands/explain.ts')).watch,
  },
  {
    path: 'explain',
    summary:
      'Tell a mission’s story: every event, by whom, by which right, on what evidence; or why one event happened',
    args: [
      MISSION,
      { name: '[event]', summary: 'index or id of an event: tell what made it happen, back to its start' },
    ],
    options: [
      { flags: '--output', summary: 'what its cells printed, or the one that this event closed, opened with your key' },
      PASSPHRASE_OPTION,
    ],
    examples: ['lazarus explain m-3f9c', 'lazarus explain m-3f9c 17', 'lazarus explain m-3f9c --output'],
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    path: 'list',
    summary: 'List the missions here',
    load: async () => (await import('./commands/status.ts')).list,
  },
  {
    path: 'inbox',
    summary: 'List what waits for you, over all missions, each with the line to type',
    args: [{ name: '[command...]', summary: 'with --notify, behind --: the program to start, and its arguments' }],
    options: [
      { flags: '--as <principal>', summary: 'for this person (who your key here belongs to)' },
      { flags: '--all', summary: 'for anybody, with their names' },
      { flags: '--notify', summary: 'start a program once for each thing that is new, with a message to read' },
    ],
    examples: ['lazarus inbox', 'lazarus inbox --all', 'lazarus inbox --notify -- mail -s lazarus vic@example.org'],
    load: async () => (await import('./commands/inbox.ts')).inbox,
  },
  {
    path: 'reconcile',
    summary: 'Do what is owed after a crash or a wait; of every mission if none is named',
    args: [
      { ...MISSION, name: '[mission]' },
      { name: '[outcome]', summary: 'with --settle: what you saw', choices: ['applied', 'not_applied'] },
    ],
    options: [
      { flags: '--settle <effect>', summary: 'say what became of an effect that nobody can observe' },
      { flags: '--reason <text>', summary: 'with --settle: where you looked, kept with the mission' },
      { flags: '--evidence <file>', summary: 'with --settle: what you saw there, kept with the mission' },
      ...PERSON_OPTIONS,
    ],
    examples: [
      'lazarus reconcile m-3f9c',
      "lazarus reconcile m-3f9c --settle 1a2b3c4d not_applied --reason 'no such pull request'",
    ],
    load: async () => (await import('./commands/run.ts')).reconcile,
  },
  {
    path: 'receipt list',
    summary: 'List a mission’s receipts',
    args: [MISSION],
    load: async () => (await import('./commands/receipt.ts')).list,
  },
  {
    path: 'receipt show',
    summary: 'Show one receipt, and the isolation that was really had',
    args: [MISSION, { name: '<receipt>', summary: 'its id, or the beginning of it' }],
    load: async () => (await import('./commands/receipt.ts')).show,
  },
  {
    path: 'scope check',
    summary: 'Check whether a work branch changes only what its mission may change',
    args: [{ name: '<branch>', summary: 'lazarus-work/m-…/<attempt>' }],
    options: [{ flags: '--at <oid>', summary: 'as if this commit or tree were its head' }],
    examples: ['lazarus scope check lazarus-work/m-3f9c1a2b4d5e/1'],
    load: async () => (await import('./commands/scope.ts')).check,
  },
];
