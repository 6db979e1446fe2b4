// What a remote's address says: which transport it asks for, and how to show it without its credential.
// Refuses by name every transport but https, http, ssh and local paths. Opens no connection.
import { Failure } from '../../failure.ts';

export type Login = { readonly user: string; readonly password: string | undefined };

export type Address = {
  readonly is: 'http' | 'ssh' | 'file';
  /** What is handed to git and to sockets: never contains a password. */
  readonly url: string;
  /** The login that stood in the URL, if any: kept apart so that no message and no argument can show it. */
  readonly login: Login | undefined;
  /** Whether a credential may travel there: encrypted, or never leaving this machine. */
  readonly isConfidential: boolean;
};

const URL_CHARS_MAX = 4096;

/** Throws `remote_url_refused`. */
export function parseAddress(text: string): Address {
  if (text === '') throw refused('it is empty');
  if (text.length > URL_CHARS_MAX) throw refused(`it is longer than ${URL_CHARS_MAX} characters`);
  // A leading dash is read as an option by git or ssh (CVE-2017-1000117); a line break ends a line of a credential request.
  if (text.startsWith('-')) throw refused('it begins with a dash');
  if (/\p{Cc}/u.test(text)) throw refused('it has a control character');

  // `ext::sh -c …` runs any command, and every `<name>::` starts a program called git-remote-<name>.
  const helper = /^([A-Za-z0-9][A-Za-z0-9+.-]*)::/.exec(text);
  if (helper?.[1] !== undefined) throw refused(`${helper[1]}:: starts a program`);

  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1]?.toLowerCase();
  if (scheme === 'http' || scheme === 'https') return httpAddress(text);
  if (scheme === 'ssh') return sshAddress(text);
  if (scheme === 'file') return { is: 'file', url: text, login: undefined, isConfidential: true };
  if (scheme !== undefined) throw refused(`${scheme}:// is not used`);

  // As git reads it: a colon before the first slash is `host:path` over ssh, everything else is a path.
  if (/^[^/]*:/.test(text)) {
    if (/^([^@/:]*@)?\[?-/.test(text)) throw refused('its host begins with a dash');
    return { is: 'ssh', url: text, login: undefined, isConfidential: true };
  }
  return { is: 'file', url: text, login: undefined, isConfidential: true };
}

function httpAddress(text: string): Address {
  const url = parseUrl(text);
  if (url.search !== '' || url.hash !== '') throw refused('it has a query or a fragment');
  const login = takeLogin(url);
  url.pathname = url.pathname.replace(/\/+$/, '');
  return { is: 'http', url: url.href, login, isConfidential: url.protocol === 'https:' || isLoopback(url.hostname) };
}

function sshAddress(text: string): Address {
  const url = parseUrl(text);
  if (url.hostname.startsWith('-') || decode(url.username).startsWith('-'))
    throw refused('its host begins with a dash');
  // ssh takes no password from a URL: it is dropped, so that it is not shown either.
  url.password = '';
  return { is: 'ssh', url: url.href, login: undefined, isConfidential: true };
}

function takeLogin(url: URL): Login | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const login = { user: decode(url.username), password: url.password === '' ? undefined : decode(url.password) };
  url.username = '';
  url.password = '';
  return login;
}

/** Names only: 127.0.0.0/8, ::1 and localhost. No other name is looked up, since its answer may change. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    // The cause is dropped on purpose: it quotes the URL with its password.
    throw refused('it is not a well-formed URL');
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refused(why: string): Failure {
  return new Failure('remote_url_refused', { why });
}
