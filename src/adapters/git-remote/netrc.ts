// Finds one host's login in the text of a .netrc file. Reads no file and decides nothing about sending it.
import type { Login } from './address.ts';

/** The first entry for `host`, else the `default` entry; only entries with a password count. */
export function loginFromNetrc(text: string, host: string): Login | undefined {
  const words = tokens(text);
  let machine: string | undefined;
  let isDefault = false;
  let user = '';
  let password: string | undefined;

  const matched = (): Login | undefined =>
    password !== undefined && (isDefault || machine === host) ? { user, password } : undefined;
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === 'machine' || word === 'default') {
      const login = matched();
      if (login !== undefined) return login;
      isDefault = word === 'default';
      machine = isDefault ? undefined : words[++i];
      user = '';
      password = undefined;
    } else if (word === 'login') user = words[++i] ?? '';
    else if (word === 'password') password = words[++i];
    else if (word === 'account') i++;
  }
  return matched();
}

/** Words, with `"…"` and its backslashes as curl reads them; macro bodies and comments are left out. */
function tokens(text: string): string[] {
  // A macro runs to the first empty line and may hold the word `machine`.
  const plain = text
    .replace(/(^|\n)[ \t]*macdef[\s\S]*?(\n[ \t]*\r?\n|$)/g, '\n')
    .replace(/(^|\n)[ \t]*#[^\n]*/g, '\n');
  return Array.from(plain.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g), ([, quoted, bare]) =>
    quoted === undefined ? (bare ?? '') : quoted.replace(/\\(.)/g, '$1'),
  );
}
