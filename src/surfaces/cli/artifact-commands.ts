// The part of the command table that is about artifacts.
import type { CommandOption, CommandSpec } from './command.ts';
import { KEY_OPTIONS, PASSPHRASE_OPTION, REMOTE_OPTION } from './options.ts';

const MISSION = { name: '<ledger>', summary: 'a mission by name' };
const DIGEST = { name: '<digest>', summary: 'how the digest begins: four hex digits at least' };
const FROM_REMOTE: CommandOption = { flags: '--remote <name|url>', summary: 'look at what this remote has, too' };

export const ARTIFACT_COMMANDS: readonly CommandSpec[] = [
  {
    path: 'artifact add',
    summary: 'Record a file beside a mission, by a digest that tells nothing of it',
    args: [MISSION, { name: '<file>', summary: 'the file; - for standard input' }],
    options: [
      { flags: '--type <type>', summary: 'its media type (text/plain, or application/octet-stream)' },
      { flags: '--encrypt', summary: 'encrypt it under a key of its own, kept on this machine' },
      { flags: '--note', summary: 'say also that it is a note to the mission' },
      { flags: '--task <id>', summary: 'the task it belongs to' },
      REMOTE_OPTION,
      ...KEY_OPTIONS,
    ],
    examples: ['lazarus artifact add m-3f9c goal.md --type text/markdown --note'],
    load: () => import('./commands/artifact-add.ts'),
  },
  {
    path: 'artifact list',
    summary: 'List the artifacts of a mission and whether their bytes are here',
    args: [MISSION],
    options: [FROM_REMOTE],
    load: () => import('./commands/artifact-list.ts'),
  },
  {
    path: 'artifact show',
    summary: 'Print an artifact after its digest was checked',
    args: [MISSION, DIGEST],
    options: [
      { flags: '-o, --output <file>', summary: 'write it to a new file' },
      { flags: '--raw', summary: 'print it to a terminal even when it is no plain text' },
      { flags: '--sealed', summary: 'of what a cell printed: the document that is kept, unopened' },
      PASSPHRASE_OPTION,
      FROM_REMOTE,
    ],
    load: () => import('./commands/artifact-show.ts'),
  },
  {
    path: 'artifact erase',
    summary: 'Erase the bytes of an artifact; the ledger keeps saying that it was',
    args: [MISSION, DIGEST],
    options: [
      { flags: '--because <word>', summary: 'one lower_snake word, such as personal_data', required: true },
      { flags: '--everywhere', summary: 'through the remote as well (origin, unless --remote says another)' },
      REMOTE_OPTION,
      ...KEY_OPTIONS,
    ],
    examples: ['lazarus artifact erase m-3f9c 8ad1 --because personal_data --everywhere'],
    load: () => import('./commands/artifact-erase.ts'),
  },
  {
    path: 'artifact verify',
    summary: 'Check that what a mission recorded is here, and what it erased is not',
    args: [MISSION],
    options: [FROM_REMOTE],
    load: () => import('./commands/artifact-verify.ts'),
  },
  {
    path: 'artifact push',
    summary: 'Send artifacts that were added here alone to a remote',
    args: [MISSION, { name: '[remote]', summary: 'name or address of the remote (origin)' }],
    load: () => import('./commands/artifact-push.ts'),
  },
  {
    path: 'artifact key',
    summary: 'Hand the key of an encrypted artifact to a colleague, or take one',
    args: [
      { name: '<action>', summary: 'what to do', choices: ['export', 'import'] },
      MISSION,
      { name: '<what>', summary: 'export: the digest; import: the key file, - for standard input' },
    ],
    options: [{ flags: '-o, --output <file>', summary: 'export: write the key to a new file' }, FROM_REMOTE],
    examples: [
      'lazarus artifact key export m-3f9c 8ad1 -o report.key',
      'lazarus artifact key import m-3f9c report.key',
    ],
    load: () => import('./commands/artifact-key.ts'),
  },
];
