// What can be set from outside, by environment variable: one list, shown by `lazarus --help`. Nothing here is secret, and
// secrets have no other way in than the variables named so, a prompt or a file descriptor: never an argument.

export type Variable = { readonly name: string; readonly summary: string };

export const ENVIRONMENT: readonly Variable[] = [
  { name: 'LAZARUS_TOKEN', summary: 'token or password for the remote; before credential helpers and .netrc' },
  { name: 'LAZARUS_TOKEN_ORIGIN', summary: 'the one server the token is for, such as https://git.example.org' },
  { name: 'LAZARUS_USER', summary: 'user name that goes with the token' },
  { name: 'LAZARUS_KEY', summary: 'key to sign with where several fit: principal or fingerprint' },
  { name: 'LAZARUS_PASSPHRASE', summary: 'passphrase of your signing key, where nobody can be asked' },
  { name: 'LAZARUS_SUPERVISOR', summary: 'for jobs: the socket of this machine’s supervisor, where it is elsewhere' },
  { name: 'XDG_CONFIG_HOME', summary: 'holds lazarus/keys; ~/.config when unset' },
  { name: 'XDG_DATA_HOME', summary: 'holds lazarus/artifact-keys; ~/.local/share when unset' },
  { name: 'XDG_STATE_HOME', summary: 'holds lazarus/remotes; ~/.local/state when unset' },
  { name: 'NO_COLOR', summary: 'no colours; CLICOLOR_FORCE=1 for colours in a pipe' },
];
