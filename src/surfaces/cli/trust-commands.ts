// The commands about keys, the roster, and ledgers that are broken or over: their part of the table.
import type { CommandOption, CommandSpec } from './command.ts';
import { KEY_OPTIONS, REMOTE_OPTION } from './options.ts';

const UNPROTECTED: CommandOption = { flags: '--unprotected', summary: 'keep it without a passphrase: for machines' };
const PASSPHRASE: CommandOption = {
  flags: '--passphrase-fd <n>',
  summary: 'read the passphrase from this file descriptor',
};
const KEY_NAME = { name: '<name>', summary: 'principal, or beginning of a fingerprint' };
const PRINCIPAL = { name: '<principal>', summary: 'a member of the roster' };
const LEDGER = { name: '<ledger>', summary: 'project, or a mission by name' };
const OUT: CommandOption = {
  flags: '-o, --out <file>',
  summary: 'write a draft for others to sign, and append nothing',
};
const NOT_EVERYWHERE: CommandOption = {
  flags: '--no-everywhere',
  summary: 'leave it to later appends to carry the change into open missions',
};
const THRESHOLD_OPTIONS = [OUT, NOT_EVERYWHERE, REMOTE_OPTION, ...KEY_OPTIONS];

/** What a member is. On `set`, what is left out stays as it is. */
const MEMBER_OPTIONS: readonly CommandOption[] = [
  { flags: '--roles <roles>', summary: 'gate, person, root, runner, witness, writer; comma between' },
  { flags: '--type <type>', summary: 'user, agent, runner, service, …' },
  { flags: '--person <id>', summary: 'the person behind it, whom a threshold counts once; none' },
  { flags: '--layer <layer>', summary: 'layer of dispatch, L0 to L5' },
  { flags: '--forge-user-id <n>', summary: 'numeric user id on the forge; none' },
  { flags: '--forge-user <login>', summary: 'the same by login, which is looked up at --forge' },
  { flags: '--forge <url>', summary: 'where to look a login up' },
];
const PUBLIC_KEY = {
  name: '<key>',
  summary: 'public key: a file of lazarus keys export, - for standard input, or base64',
};
const ENCRYPT_TO: CommandOption = {
  flags: '--encrypt-to <key>',
  summary: 'take the encryption key out of this public key, a file, - or base64; none',
};
const FROM: CommandOption = { flags: '--from <index>', summary: 'project size from which the key counts (now)' };

/** For the whole project; one mission is ended by other means. */
export const STOP_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'stop',
    summary: 'Stop every mission of the project: nothing new is planned, granted, begun or delivered',
    options: [REMOTE_OPTION, ...KEY_OPTIONS],
    load: async () => (await import('./commands/stop.ts')).stop,
  },
  {
    path: 'unstop',
    summary: 'Let the missions of a stopped project go on',
    options: [REMOTE_OPTION, ...KEY_OPTIONS],
    load: async () => (await import('./commands/stop.ts')).unstop,
  },
];

export const KEYS_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'keys new',
    summary: 'Make a signing key, and one to encrypt to with it',
    args: [{ name: '<principal>', summary: 'your name in ledgers, such as ana' }],
    options: [UNPROTECTED, PASSPHRASE],
    load: () => import('./commands/keys-new.ts'),
  },
  {
    path: 'keys list',
    summary: 'List your keys, and whether the roster here knows them',
    load: async () => (await import('./commands/keys-list.ts')).list,
  },
  {
    path: 'keys show',
    summary: 'Show one of your keys',
    args: [KEY_NAME],
    load: async () => (await import('./commands/keys-list.ts')).show,
  },
  {
    path: 'keys export',
    summary: 'Print the public key that others put on a roster; or the private one, as it is kept',
    args: [KEY_NAME],
    options: [
      { flags: '--private', summary: 'the private key, under its passphrase where it has one' },
      { flags: '-o, --out <file>', summary: 'write it to this new file' },
    ],
    examples: ['lazarus keys export ana > ana.asc', 'lazarus keys export ana --private -o ana-backup.asc'],
    load: async () => (await import('./commands/keys-carry.ts')).exportKey,
  },
  {
    path: 'keys import',
    summary: 'Take over an ed25519 private key from a file',
    args: [{ name: '[file]', summary: 'armored private key; standard input when left out' }],
    options: [
      { flags: '--principal <name>', summary: 'your name in ledgers; known for keys that lazarus exported' },
      UNPROTECTED,
      PASSPHRASE,
    ],
    load: async () => (await import('./commands/keys-carry.ts')).importKey,
  },
  {
    path: 'keys import-gpg',
    summary: 'Sign with a key of your gpg keyring; its private half stays in gpg-agent',
    args: [{ name: '<fingerprint>', summary: 'of an ed25519 key that gpg lists' }],
    options: [{ flags: '--principal <name>', summary: 'your name in ledgers, such as ana', required: true }],
    load: async () => (await import('./commands/keys-carry.ts')).importGpg,
  },
  {
    path: 'keys encrypt-to',
    summary: 'Give a key of yours one that others can encrypt to: made here, or the one that gpg has',
    args: [KEY_NAME],
    options: [PASSPHRASE],
    examples: ['lazarus keys encrypt-to ana', 'lazarus keys export ana | lazarus roster set ana --encrypt-to -'],
    load: async () => (await import('./commands/keys-carry.ts')).encryptTo,
  },
  {
    path: 'keys remove',
    summary: 'Remove one of your keys from this machine',
    args: [KEY_NAME],
    load: async () => (await import('./commands/keys-carry.ts')).remove,
  },
  {
    path: 'keys runner',
    summary: 'Make the key of this machine, and print the line that puts it on a roster',
    args: [{ name: '<name>', summary: 'the runner’s name in ledgers, such as build-1' }],
    load: async () => (await import('./commands/keys-carry.ts')).runner,
  },
  {
    path: 'keys register',
    summary: 'Let a forge know one of your public keys, with the token in LAZARUS_TOKEN',
    args: [KEY_NAME],
    options: [{ flags: '--forge <url>', summary: 'the forge', required: true }, PASSPHRASE],
    examples: ['LAZARUS_TOKEN=… lazarus keys register build-1 --forge https://git.example.org'],
    load: () => import('./commands/keys-register.ts'),
  },
];

export const ROSTER_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'roster show',
    summary: 'Show who counts now, with which keys and roles, and how many root keys may be lost',
    load: async () => (await import('./commands/roster-show.ts')).show,
  },
  {
    path: 'roster history',
    summary: 'Show every roster and cut-off, and who appended it',
    load: async () => (await import('./commands/roster-show.ts')).history,
  },
  {
    path: 'roster add',
    summary: 'Put a principal on the roster',
    args: [PUBLIC_KEY],
    options: [
      { flags: '--principal <name>', summary: 'refuse if the key was made for somebody else' },
      ...MEMBER_OPTIONS,
      FROM,
      ...THRESHOLD_OPTIONS,
    ],
    examples: [
      'lazarus roster add bo.asc --roles person,root',
      'lazarus roster add ci.asc --type runner --roles runner',
    ],
    load: async () => (await import('./commands/roster-change.ts')).add,
  },
  {
    path: 'roster remove',
    summary: 'Take a principal off the roster, in every open mission at once',
    args: [PRINCIPAL],
    options: THRESHOLD_OPTIONS,
    load: async () => (await import('./commands/roster-change.ts')).remove,
  },
  {
    path: 'roster set',
    summary: 'Change what a member is and may do',
    args: [PRINCIPAL],
    options: [...MEMBER_OPTIONS, ENCRYPT_TO, ...THRESHOLD_OPTIONS],
    examples: ['lazarus roster set bo --roles person,root --layer L1'],
    load: async () => (await import('./commands/roster-change.ts')).set,
  },
  {
    path: 'roster rotate',
    summary: 'Give a member a new key and end the old ones',
    args: [PUBLIC_KEY],
    options: [
      FROM,
      { flags: '--overlap <n>', summary: 'project events for which the old keys still count' },
      ...THRESHOLD_OPTIONS,
    ],
    load: async () => (await import('./commands/roster-change.ts')).rotate,
  },
  {
    path: 'roster threshold',
    summary: 'Change how many persons must sign a roster, a cut-off, a repair',
    args: [{ name: '<persons>', summary: 'how many' }],
    options: THRESHOLD_OPTIONS,
    load: async () => (await import('./commands/roster-change.ts')).threshold,
  },
  {
    path: 'roster sign',
    summary: 'Read in words what a draft changes, and sign it',
    args: [{ name: '<draft>', summary: 'the file; - for standard input' }],
    options: [
      { flags: '-o, --out <file>', summary: 'leave the file as it is and write a new one' },
      { flags: '--remote <name|url>', summary: 'hold it against the ledgers of this remote' },
      ...KEY_OPTIONS,
    ],
    load: async () => (await import('./commands/roster-draft.ts')).sign,
  },
  {
    path: 'roster apply',
    summary: 'Append a draft that enough persons signed',
    args: [{ name: '<drafts...>', summary: 'the file, or copies of it that were signed apart' }],
    options: [NOT_EVERYWHERE, REMOTE_OPTION, ...KEY_OPTIONS],
    load: async () => (await import('./commands/roster-draft.ts')).apply,
  },
  {
    path: 'roster cut-off',
    summary: 'End a compromised key everywhere, and disown what it signed after the heads you still trust',
    args: [{ name: '<fingerprint>', summary: 'of the key, or the principal that holds it' }],
    options: [
      { flags: '--trusted <ledger=size...>', summary: 'believe it in this ledger up to this size only' },
      { flags: '--distrust-all', summary: 'believe it in no ledger that --trusted does not name' },
      ...THRESHOLD_OPTIONS,
    ],
    examples: ['lazarus roster cut-off ana --trusted m-3f9c=120'],
    load: async () => (await import('./commands/roster-cut-off.ts')).cutOff,
  },
  {
    path: 'roster annotate',
    summary: 'Judge what a cut-off key signed in a ledger',
    args: [LEDGER, { name: '<fingerprint>', summary: 'of the key that was cut off' }],
    options: [
      { flags: '--accept', summary: 'it stands' },
      { flags: '--reject', summary: 'it does not count' },
      { flags: '--from <index>', summary: 'first event judged (all that are disowned)' },
      { flags: '--until <index>', summary: 'first event judged no more' },
      OUT,
      REMOTE_OPTION,
      ...KEY_OPTIONS,
    ],
    load: async () => (await import('./commands/roster-cut-off.ts')).annotate,
  },
];

export const MENDING_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'ledger repair',
    summary: 'Go on from the last valid head of a ledger onto which somebody pushed garbage',
    args: [LEDGER],
    options: [OUT, REMOTE_OPTION, ...KEY_OPTIONS],
    load: async () => (await import('./commands/ledger-repair.ts')).repair,
  },
  {
    path: 'ledger seal',
    summary: 'End a ledger for ever and record its head in the project',
    args: [LEDGER],
    options: [OUT, REMOTE_OPTION, ...KEY_OPTIONS],
    load: async () => (await import('./commands/ledger-repair.ts')).seal,
  },
];
