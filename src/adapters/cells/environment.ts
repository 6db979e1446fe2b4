// The environment of a cell, built from nothing. What the host has set is not copied, filtered or looked at.
import { Failure } from '../../failure.ts';
import type { Reach } from '../../ports/network.ts';

export type Inhabitant = {
  readonly cellId: string;
  readonly participant: string;
  readonly role: string;
  readonly epoch: number;
  /** In front of the search path. */
  readonly path?: readonly string[];
};

/** Where things stand inside; a backend without namespaces uses the host's own paths. */
export type CellPaths = {
  readonly cell: string;
  readonly project: string;
  readonly home: string;
  readonly view: string;
  readonly temporary: string;
};

export function cellEnvironment(
  who: Inhabitant,
  places: CellPaths,
  { port, isReadOnly }: { readonly port: boolean; readonly isReadOnly: boolean },
  added: Readonly<Record<string, string>> = {},
  reach?: Reach,
): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(added)) refuseDangerous(name, value);
  const path = who.path ?? [];
  // An empty or relative step would be the folder that somebody happens to stand in.
  if (path.some((step) => !/^\/[^:\p{Cc}]+$/u.test(step)))
    throw new Failure('cell_environment_refused', { name: 'PATH', why: 'value' });
  return {
    ...added,
    PATH: [...path, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: places.home,
    HERMES_HOME: places.home,
    CELL_HOME: places.cell,
    USER: who.participant,
    LOGNAME: who.participant,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'dumb',
    TMPDIR: places.temporary,
    CI: '1',
    LAZARUS_CELL: who.cellId,
    LAZARUS_ROLE: who.role,
    LAZARUS_EPOCH: String(who.epoch),
    // Commits that a participant makes for itself; the one that leaves is the host's.
    GIT_AUTHOR_NAME: who.participant,
    GIT_AUTHOR_EMAIL: `${who.participant}@lazarus.invalid`,
    GIT_COMMITTER_NAME: who.participant,
    GIT_COMMITTER_EMAIL: `${who.participant}@lazarus.invalid`,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    npm_config_ignore_scripts: 'true',
    ...(isReadOnly ? elsewhere(places) : {}),
    ...(port ? { LAZARUS_PORT_FD: '3' } : {}),
    // Where no host is listed as well: whoever asks for one is refused in words that people see, not by a name without an address.
    ...(reach === undefined ? {} : THROUGH_THE_LISTENER),
    ...(reach?.caFile === undefined ? {} : everyName(CERTIFICATE_FILES, `${places.view}/${CERTIFICATES}`)),
  };
}

/** In the folder of the brief. */
export const CERTIFICATES = 'ca.pem';

const LISTENER = 'http://127.0.0.1:3128';
// Programs differ in which spelling they read: curl takes only `http_proxy`, because a server could be made to set the other.
const THROUGH_THE_LISTENER = {
  ...everyName(['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'], LISTENER),
  ...everyName(['NO_PROXY', 'no_proxy'], '127.0.0.1,localhost'),
  NODE_USE_ENV_PROXY: '1',
};
const CERTIFICATE_FILES = [
  'SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'npm_config_cafile',
];

/** What programs write beside the files that they read, for a project that they may only read. */
function elsewhere({ home }: CellPaths): Readonly<Record<string, string>> {
  return { PYTHONPYCACHEPREFIX: `${home}/.cache/python`, GIT_OPTIONAL_LOCKS: '0' };
}

function everyName(names: readonly string[], value: string): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const VALUE_CHARACTERS_MAX = 8192;
// What makes a loader, an interpreter, a shell or git run something; what leads to the host's agents and daemons; what
// is ours to set.
const DANGEROUS =
  /^(?:LD_.*|GLIBC_.*|MALLOC_.*|.*_OPTIONS|.*OPT|PYTHON.*|PERL.*|RUBY.*|NODE_PATH|BASH_.*|ENV|SHELLOPTS|IFS|PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|CI|GIT_.*|SSH_.*|GPG_.*|GNUPGHOME|DBUS_.*|XDG_.*|DISPLAY|WAYLAND_.*|DOCKER_.*|CONTAINER_HOST|KUBECONFIG|KUBERNETES_.*|HERMES_.*|CELL_.*|LAZARUS_.*|npm_config_.*)$/i;
const CREDENTIAL = /TOKEN|KEY|SECRET|PASSW|CREDENTIAL|COOKIE|AUTH/i;

/** The value is never repeated: it may be the very secret that must not get about. */
function refuseDangerous(name: string, value: string): void {
  const why = !NAME.test(name)
    ? 'name'
    : DANGEROUS.test(name)
      ? 'could make a program load something or reach a service of the host'
      : CREDENTIAL.test(name)
        ? 'is named like a credential'
        : value.includes('\0') || value.length > VALUE_CHARACTERS_MAX
          ? 'value'
          : undefined;
  if (why !== undefined) throw new Failure('cell_environment_refused', { name: name.slice(0, 64), why });
}
