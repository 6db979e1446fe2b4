// Options that several commands share. Only words: describing them must cost nothing.
import type { CommandOption } from './command.ts';

export const PASSPHRASE_OPTION: CommandOption = {
  flags: '--passphrase-fd <n>',
  summary: 'read the passphrase from this file descriptor',
};

export const KEY_OPTIONS: readonly CommandOption[] = [
  { flags: '--key <name>', summary: 'sign with this key: principal or fingerprint (LAZARUS_KEY)' },
  PASSPHRASE_OPTION,
];

export const REMOTE_OPTION: CommandOption = {
  flags: '--remote <name|url>',
  summary: 'append through this remote instead of here alone',
};
