// What a project's lock files say of what has to be prepared, as an entry of policy with words for whoever reviews it. Reads
// nothing and runs nothing: the texts of the files and where this machine keeps its programs are arguments.
import { prepareWord } from '../kernel/network/hosts.ts';
import { TreePath } from '../kernel/policy/environment.ts';

/** Files at the top of the tree that are looked at. */
export const TELLING_FILES = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'pyproject.toml',
  'uv.lock',
  'requirements.txt',
  'go.sum',
  'Cargo.lock',
  'pom.xml',
] as const;
export type TellingFile = (typeof TELLING_FILES)[number];

/** Programs whose folders cells have to be given where these do not lie below /usr. */
export const PROGRAMS = ['node', 'npm', 'pnpm', 'python3', 'uv'] as const;
type ProgramName = (typeof PROGRAMS)[number];

/** `folder`: what a cell is given; `path`: where in it programs lie. */
export type ProgramPlace = { readonly folder: string; readonly path: string };

export type Looked = {
  readonly files: Readonly<Partial<Record<TellingFile, string>>>;
  /** Those that lie elsewhere than below /usr; `null`: not on this machine. */
  readonly programs: Readonly<Partial<Record<ProgramName, ProgramPlace | null>>>;
};

export type Detected = {
  /** What it is called unless somebody says otherwise. */
  readonly name: string;
  /** The entry below `environment:`, without its indentation. */
  readonly text: (name: string) => string;
  /** The entry below `rules:` that lets its hosts be reached, and how that is named. */
  readonly rule: (name: string) => { readonly name: string; readonly text: string };
};

/** One for each kind of lock file that says enough. `examples`: texts for kinds that need a person's hand. */
export function detectEnvironments(looked: Looked): {
  readonly found: readonly Detected[];
  readonly examples: readonly string[];
} {
  const kinds = [npm(looked), pnpm(looked), uv(looked), pip(looked)];
  const found = kinds.flatMap((kind) => (kind === undefined ? [] : [detected(kind, looked)]));
  const { files } = looked;
  return {
    found,
    examples: [
      ...(files['go.sum'] === undefined ? [] : [GO]),
      ...(files['Cargo.lock'] === undefined ? [] : [CARGO]),
      ...(files['pom.xml'] === undefined ? [] : [MAVEN]),
    ],
  };
}

type Kind = {
  readonly name: string;
  readonly programs: readonly ProgramName[];
  readonly files: readonly string[];
  readonly prepare: readonly (readonly string[])[];
  readonly hosts: readonly string[];
  readonly makes: string;
  readonly writable: readonly string[];
  readonly bin: string;
  readonly remarks: readonly string[];
};

const NPM_HOST = 'registry.npmjs.org';
const PYTHON_HOSTS = ['files.pythonhosted.org', 'pypi.org'];
const NODE = {
  makes: 'node_modules',
  // Babel and its like; bundlers, and test runners that bundle their own settings.
  writable: ['node_modules/.cache', 'node_modules/.vite', 'node_modules/.vite-temp'],
  bin: 'node_modules/.bin',
} as const;
const PYTHON = { makes: '.venv', writable: [], bin: '.venv/bin' } as const;
const SHOWN_PACKAGES_MAX = 20;

function npm({ files }: Looked): Kind | undefined {
  const name = files['npm-shrinkwrap.json'] === undefined ? 'package-lock.json' : 'npm-shrinkwrap.json';
  const text = files[name];
  if (text === undefined || files['package.json'] === undefined || files['pnpm-lock.yaml'] !== undefined)
    return undefined;
  const packages = Object.entries(packagesOf(text));
  const resolved = packages.flatMap(([, { resolved }]) => (typeof resolved === 'string' ? [resolved] : []));
  const local = resolved.flatMap((from) => (from.startsWith('file:') ? [from.slice('file:'.length)] : []));
  const workspaces = packages.flatMap(([path]) =>
    path === '' || path.split('/').includes('node_modules') ? [] : [`${path}/package.json`],
  );
  const building = packages.flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript === true && path !== ''
      ? [path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)]
      : [],
  );
  const isOffline = local.length > 0 && local.length === resolved.length;
  const hosts = hostsIn(resolved);
  return {
    ...NODE,
    name: 'npm',
    programs: ['node', 'npm'],
    files: ['package.json', name, ...workspaces, ...local],
    prepare: [['npm', 'ci', '--no-audit', '--no-fund']],
    hosts: hosts.length === 0 && !isOffline && packages.length > 1 ? [NPM_HOST] : hosts,
    remarks: installScripts([...new Set(building)].filter((name) => PACKAGE_NAME.test(name)).sort()),
  };
}

function pnpm({ files }: Looked): Kind | undefined {
  if (files['pnpm-lock.yaml'] === undefined || files['package.json'] === undefined) return undefined;
  return {
    ...NODE,
    name: 'pnpm',
    programs: ['node', 'pnpm'],
    files: [
      'package.json',
      'pnpm-lock.yaml',
      ...(files['pnpm-workspace.yaml'] === undefined ? [] : ['pnpm-workspace.yaml']),
    ],
    prepare: [['pnpm', 'install', '--frozen-lockfile', '--ignore-scripts']],
    hosts: [NPM_HOST],
    remarks:
      files['pnpm-workspace.yaml'] === undefined
        ? []
        : ['# A workspace: name the package.json of every member under `files`, and its node_modules under `makes`.'],
  };
}

function uv({ files }: Looked): Kind | undefined {
  const lock = files['uv.lock'];
  if (lock === undefined || files['pyproject.toml'] === undefined) return undefined;
  const hosts = hostsIn(
    [...lock.matchAll(/\b(?:url|registry) = "(?<url>https:[^"]+)"/g)].map(({ groups }) => groups!['url']!),
  );
  return {
    ...PYTHON,
    name: 'python',
    programs: ['python3', 'uv'],
    files: ['pyproject.toml', 'uv.lock'],
    prepare: [['uv', 'sync', '--frozen', '--no-install-project', '--no-python-downloads', '--link-mode', 'copy']],
    hosts: hosts.length === 0 ? PYTHON_HOSTS : hosts,
    remarks: ['# The project itself is not installed: it is the tree, and its tests find it there.'],
  };
}

function pip({ files }: Looked): Kind | undefined {
  const text = files['requirements.txt'];
  if (text === undefined || files['uv.lock'] !== undefined) return undefined;
  const more = [...text.matchAll(/^\s*(?:-r|--requirement|-c|--constraint)[ =]+(?<file>[^\s#]+)/gm)];
  const isHashed = text.includes('--hash=');
  return {
    ...PYTHON,
    name: 'python',
    programs: ['python3'],
    files: ['requirements.txt', ...more.map(({ groups }) => groups!['file']!)],
    prepare: [
      ['python3', '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', ...(isHashed ? ['--require-hashes'] : []), '-r', 'requirements.txt'],
    ],
    hosts: PYTHON_HOSTS,
    remarks: isHashed ? [] : ['# No hashes: whatever the hosts answer for these versions is what is installed.'],
  };
}

/** It is written into a comment: one with a line break in it would end that. */
const PACKAGE_NAME = /^(?:@[a-z0-9~._-]+\/)?[a-z0-9~._-]+$/i;

function installScripts(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, SHOWN_PACKAGES_MAX);
  return [
    '# Packages with install scripts, which stay off. One that must be built is named here, and built without network:',
    `# offline: [[npm, rebuild, --ignore-scripts=false, ${shown.map(quoted).join(', ')}]]`,
  ];
}

function detected(kind: Kind, { programs }: Looked): Detected {
  const places = kind.programs.flatMap((name) => programs[name] ?? []);
  const tools = [...new Set(places.map(({ folder }) => folder))];
  const path = [kind.bin, ...new Set(places.map(({ path }) => path))];
  const missing = kind.programs.filter((name) => programs[name] === null);
  const remarks = [
    ...missing.map(
      (name) => `# ${name} is not on this machine: whoever runs missions needs it, and its folder under tools.`,
    ),
    ...kind.remarks,
  ];
  const lines = [
    '# All that its commands see of the tree; another byte in one of these is another environment.',
    // What policy would not take as a path of the tree is for a person to name.
    list(
      'files',
      kind.files.filter((path) => TreePath.safeParse(path).success),
    ),
    ...(tools.length === 0 ? [] : ['# Of this machine: others may keep them elsewhere.', list('tools', tools)]),
    `prepare: [${kind.prepare.map((argv) => `[${argv.map(quoted).join(', ')}]`).join(', ')}]`,
    ...(kind.hosts.length === 0 ? [] : [list('hosts', kind.hosts)]),
    ...remarks,
    list('makes', [kind.makes]),
    ...(kind.writable.length === 0
      ? []
      : ['# Empty in every cell, and thrown away with it.', list('writable', kind.writable)]),
    list('path', path),
    '# Elsewhere in the tree, checks may write output that .gitignore names, and what `checks: {writable: [...]}` says.',
  ];
  return {
    name: kind.name,
    text: (name) => [`${name}:`, ...lines.map((line) => `  ${line}`), ''].join('\n'),
    rule: (name) => ruleFor(name, kind.hosts),
  };
}

function ruleFor(environment: string, hosts: readonly string[]) {
  const name = `prepare_${environment.replaceAll(/[^a-z0-9]+/g, '_')}`;
  if (hosts.length === 0) return { name, text: '' };
  const words = hosts.map((host) => `'${prepareWord(portOf(host))}'`);
  return {
    name,
    text: [
      `- name: ${name}`,
      '  actions: [network_read]',
      `  resources: [${words.join(', ')}]`,
      '  answer: require_approval',
      '',
    ].join('\n'),
  };
}

function portOf(text: string): { readonly host: string; readonly port: number } {
  const [host = '', port = '443'] = text.split(':');
  return { host, port: Number(port) };
}

function list(key: string, values: readonly string[]): string {
  return `${key}: [${values.map(quoted).join(', ')}]`;
}

/** Plain where YAML reads it back as the same text, whatever stands around it. */
function quoted(text: string): string {
  return /^[A-Za-z0-9./_][A-Za-z0-9._/+-]*$/.test(text) &&
    !/^[\d._+-]+$|^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : /^-{1,2}[a-z][a-z=-]*$/.test(text)
      ? text
      : `'${text.replaceAll("'", "''")}'`;
}

/** Exact names and ports, without what stands behind them; what is no address of a host is left out. */
function hostsIn(addresses: readonly string[]): readonly string[] {
  const hosts = addresses.flatMap((address) => {
    const found = /^https:\/\/(?<host>[a-z0-9.-]+)(?::(?<port>\d{1,5}))?\//.exec(address)?.groups;
    return found === undefined
      ? []
      : [found['port'] === undefined ? found['host']! : `${found['host']}:${found['port']}`];
  });
  return [...new Set(hosts)].sort();
}

type Package = { readonly resolved?: unknown; readonly hasInstallScript?: unknown };

/** A lock file is a stranger's: what has not the expected shape has no packages. */
function packagesOf(text: string): Readonly<Record<string, Package>> {
  try {
    const { packages } = JSON.parse(text) as { packages?: unknown };
    if (typeof packages !== 'object' || packages === null) return {};
    return Object.fromEntries(
      Object.entries(packages).filter(
        (entry): entry is [string, Package] => typeof entry[1] === 'object' && entry[1] !== null,
      ),
    );
  } catch {
    return {};
  }
}

const GO = `# Go: modules in a folder that every command names (GOMODCACHE=$PWD/.gomodcache GOFLAGS=-mod=readonly GOPROXY=off go test ./...)
go:
  files: [go.mod, go.sum]
  prepare: [[env, GOMODCACHE=/cell/project/.gomodcache, go, mod, download]]
  hosts: [proxy.golang.org, sum.golang.org]
  makes: [.gomodcache]
`;
const CARGO = `# Cargo: a vendor folder, which .cargo/config.toml of the tree names as the source of crates-io (cargo test --offline)
cargo:
  files: [Cargo.toml, Cargo.lock]
  # Cargo looks for a target before it vendors; this one is seen by preparing alone.
  given: { src/lib.rs: '' }
  prepare: [[cargo, vendor, --locked, vendor]]
  hosts: [index.crates.io, static.crates.io]
  makes: [vendor]
`;
const MAVEN = `# Maven: a repository in the tree (mvn -o -Dmaven.repo.local=.m2 test). Its own folder and Java's are tools of the machine:
# those of a distribution whose settings lie in /etc do not start in a cell.
maven:
  files: [pom.xml]
  # Maven reads no variable for its way out.
  given:
    .mvn-settings.xml: |
      <settings><proxies><proxy><id>cell</id><active>true</active><protocol>https</protocol>
      <host>127.0.0.1</host><port>3128</port></proxy></proxies></settings>
  prepare: [[mvn, -B, -q, -s, .mvn-settings.xml, -Dmaven.repo.local=.m2, dependency:go-offline]]
  hosts: [repo.maven.apache.org]
  makes: [.m2]
`;
