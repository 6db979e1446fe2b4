// The commands that make a repository ready for missions: their part of the table.
import type { CommandOption, CommandSpec } from './command.ts';
import { KEY_OPTIONS, REMOTE_OPTION } from './options.ts';

/** The files of templates/agents/, without their ending. */
const AGENT_PRESETS: readonly string[] = ['codex', 'command', 'opencode'];

/** As in src/app/supervise/wire.ts, which is not read to print the help. */
const SUPERVISOR_SOCKET = '/run/lazarus/supervisor.sock';

const DRY_RUN: CommandOption = { flags: '--dry-run', summary: 'say what would be done, and change nothing' };

export const SETUP_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'init',
    summary: 'Make this repository ready for missions: keys, project ledger, roster, policy',
    options: [
      { flags: '--name <principal>', summary: 'your name in ledgers, such as ana' },
      { flags: '--machine <name>', summary: 'the name of this computer in ledgers (<you>-machine)' },
      { flags: '--unprotected', summary: 'keep your own new key without a passphrase as well' },
      { flags: '--commit', summary: 'commit the files too, and nothing else' },
      { flags: '--forge <url>', summary: 'set up this forge as well, with the token in LAZARUS_TOKEN' },
      { flags: '--repo <owner/name>', summary: 'the repository there; run it in a clone of that' },
      { flags: '--forge-user <login>', summary: 'your account there, if the token is somebody else’s' },
      {
        flags: '--action <owner/name>',
        summary: 'the repository that holds the built action (<owner>/lazarus-action)',
      },
      {
        flags: '--overwrite <path...>',
        summary: 'with --forge: give up what people changed in these files of lazarus, for what it writes there',
      },
      {
        flags: '--hooks',
        summary: 'place hooks in this clone against accidents with ledgers and work branches; nothing else',
      },
      { flags: '--pre-receive', summary: 'print the hook for a server, and do nothing else' },
      {
        flags: '--remove',
        summary: 'with --hooks: take them back; with --forge: what a set-up made there, as far as nobody changed it',
      },
      DRY_RUN,
      ...KEY_OPTIONS,
    ],
    examples: [
      'lazarus init --name ana --commit',
      'LAZARUS_TOKEN=… lazarus init --forge https://git.example.org --repo team/app',
      'lazarus init --dry-run --name ana',
      'LAZARUS_TOKEN=… lazarus init --remove --dry-run --forge https://git.example.org --repo team/app',
      'lazarus init --hooks',
    ],
    load: () => import('./commands/init.ts'),
  },
  {
    path: 'doctor',
    summary: 'Say what missions need here, what of it is missing, and the line to type for each',
    options: [
      { flags: '--ask <agent>', summary: 'make one call through this agent’s routes, to see its key taken' },
      {
        flags: '--forge',
        summary: 'look at the forge’s clock, branch rules and secrets, and at every ledger there, too',
      },
    ],
    examples: ['lazarus doctor', 'lazarus doctor --forge', 'lazarus doctor --ask codex', 'lazarus doctor --json'],
    load: () => import('./commands/doctor.ts'),
  },
  {
    path: 'supervise',
    summary: 'Run missions for the jobs of a forge’s runner, as a user whose keys no job can read; until it is stopped',
    options: [
      { flags: '--config <file>', summary: 'which projects, and who may ask', default: '/etc/lazarus/supervisor.yml' },
      { flags: '--socket <path>', summary: 'where jobs ask', default: SUPERVISOR_SOCKET },
    ],
    examples: ['lazarus supervise', 'lazarus supervise --config ./supervisor.yml --socket ./run/supervisor.sock'],
    endsInItsTime: true,
    load: () => import('./commands/supervise.ts'),
  },
  {
    path: 'runner setup',
    summary:
      'On a runner’s machine, as root: keep the keys of missions from jobs, by a user and a service of their own',
    options: [
      { flags: '--forge <url>', summary: 'the forge, as its jobs are told its address', required: true },
      { flags: '--repo <owner/name>', summary: 'the repository that missions are run for', required: true },
      { flags: '--genesis <digest>', summary: 'the project genesis fingerprint you were given', required: true },
      { flags: '--jobs-user <user>', summary: 'as whom the forge’s runner runs on this machine', required: true },
      { flags: '--name <name>', summary: 'the name of this machine in ledgers, such as build-1', required: true },
      {
        flags: '--user <name>',
        summary: 'the user to make; files and service are called after it',
        default: 'lazarus',
      },
      DRY_RUN,
    ],
    examples: [
      'sudo lazarus runner setup --forge https://git.example.org --repo team/app --genesis sha256:… --jobs-user gitea-runner --name build-1',
    ],
    load: () => import('./commands/runner-setup.ts'),
  },
  {
    path: 'policy show',
    summary: 'Show the policy in force, and whether the files on this branch are it',
    load: async () => (await import('./commands/policy.ts')).show,
  },
  {
    path: 'policy check',
    summary: 'Check the policy and sacred files as they are being written',
    load: async () => (await import('./commands/policy.ts')).check,
  },
  {
    path: 'policy add-agent',
    summary:
      'Write an agent that is known to work into the policy file, for review; nothing is in force before it is adopted',
    args: [{ name: '<preset>', summary: 'the agent', choices: AGENT_PRESETS }],
    options: [{ flags: '--name <name>', summary: 'what proposals call it (the preset’s own name)' }, DRY_RUN],
    examples: ['lazarus policy add-agent codex', 'lazarus policy add-agent opencode --name careful --dry-run'],
    load: async () => (await import('./commands/policy-add.ts')).addAgent,
  },
  {
    path: 'policy add-environment',
    summary:
      'Write what this project’s lock files ask for into the policy file, for review; nothing is in force before',
    options: [
      { flags: '--detect', summary: 'look at the lock files of the work tree', required: true },
      { flags: '--name <name>', summary: 'what policy calls it (npm, pnpm or python)' },
      DRY_RUN,
    ],
    examples: ['lazarus policy add-environment --detect', 'lazarus policy add-environment --detect --dry-run'],
    load: async () => (await import('./commands/policy-add-environment.ts')).addEnvironment,
  },
  {
    path: 'policy adopt',
    summary: 'Put the policy that is committed on this branch in force, after showing what changes',
    args: [{ name: '[digest]', summary: 'of the policy that is meant, and no other: 12 digits at least' }],
    options: [DRY_RUN, REMOTE_OPTION, ...KEY_OPTIONS],
    examples: ['lazarus policy adopt', 'lazarus policy adopt 3f9c1a2b4d5e --remote origin'],
    load: async () => (await import('./commands/policy.ts')).adopt,
  },
  {
    path: 'cache list',
    summary: 'List what was prepared for cells on this machine: for whom, how large, when it was used last',
    load: async () => (await import('./commands/cache.ts')).list,
  },
  {
    path: 'cache verify',
    summary: 'Read every byte of what was prepared, and say what is not as it was made',
    args: [{ name: '[key]', summary: 'sha256:…, or the beginning of it' }],
    load: async () => (await import('./commands/cache.ts')).verify,
  },
  {
    path: 'cache clear',
    summary: 'Remove what was prepared and no cell has mounted; it is prepared again when it is needed',
    args: [{ name: '[key]', summary: 'sha256:…, or the beginning of it' }],
    options: [
      { flags: '--all', summary: 'everything' },
      { flags: '--older-than <days>', summary: 'what was not used for so many days' },
    ],
    examples: ['lazarus cache clear 3f9c1a2b', 'lazarus cache clear --older-than 30'],
    load: async () => (await import('./commands/cache.ts')).clear,
  },
];
