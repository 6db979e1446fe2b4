// What lock files are read as, kept by the policy that they are written into, and told apart from what only looks like them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { detectEnvironments, type Looked } from '../../src/documents/detect-environment.ts';
import { insertEntry } from '../../src/documents/insert-entry.ts';
import { readPolicyFile } from '../../src/documents/policy-file.ts';
import { unwrap } from '../../src/app/unwrap.ts';

const POLICY = readFileSync(new URL('../../templates/policy.yml', import.meta.url), 'utf8');
const MANIFEST = '{"name":"app"}';

function lock(packages: Readonly<Record<string, object>>): string {
  return JSON.stringify({ lockfileVersion: 3, packages: { '': { name: 'app' }, ...packages } });
}

/** As policy reads it, with the words for reviewers. */
function inPolicy(looked: Looked) {
  return detectEnvironments(looked).found.map((one) => {
    const text = [
      { under: 'environment', text: one.text('deps') },
      { under: 'rules', text: one.rule('deps').text },
    ].reduce(
      (before, entry) => (entry.text === '' ? before : unwrap(insertEntry(before, entry, 'policy.yml'))),
      POLICY,
    );
    const { environment, rules } = unwrap(readPolicyFile(text, 'policy.yml'));
    const rule = rules.find(({ name }) => name === 'prepare_deps');
    return {
      name: one.name,
      ...environment['deps']!,
      opens: rule?.resources,
      comments: text.match(/^ *# .*$/gm)!.join('\n'),
    };
  });
}

test('npm: the lock file names the hosts, the files that lie in the tree, and what wants to be built', () => {
  const packages = {
    'node_modules/left': { resolved: 'https://registry.example.org/left/-/left-1.0.0.tgz' },
    'node_modules/own': { resolved: 'https://packages.example.com:8443/npm/own-1.0.0.tgz', hasInstallScript: true },
    'node_modules/@scope/native': { resolved: 'https://registry.example.org/native.tgz', hasInstallScript: true },
    'node_modules/local': { resolved: 'file:vendor/local-1.0.0.tgz' },
    'packages/a': { name: 'a' },
    'node_modules/a': { resolved: 'packages/a', link: true },
  };
  const [npm, ...others] = inPolicy({
    files: { 'package.json': MANIFEST, 'package-lock.json': lock(packages) },
    programs: {},
  });
  expect(others).toEqual([]);
  expect(npm).toMatchObject({
    name: 'npm',
    files: ['package.json', 'package-lock.json', 'packages/a/package.json', 'vendor/local-1.0.0.tgz'],
    prepare: [['npm', 'ci', '--no-audit', '--no-fund']],
    hosts: [
      { host: 'packages.example.com', port: 8443, range: null },
      { host: 'registry.example.org', port: 443, range: null },
    ],
    offline: [],
    makes: ['node_modules'],
    writable: ['node_modules/.cache', 'node_modules/.vite', 'node_modules/.vite-temp'],
    path: ['node_modules/.bin'],
    tools: [],
    opens: ['prepare/packages.example.com:8443', 'prepare/registry.example.org:443'],
  });
  // Off, and said so: nobody finds out by a package that does not work.
  expect(npm!.comments).toContain("# offline: [[npm, rebuild, --ignore-scripts=false, '@scope/native', own]]");
});

test('npm: everything lies in the tree: no host, and no rule', () => {
  const files = {
    'package.json': MANIFEST,
    'package-lock.json': lock({ 'node_modules/a': { resolved: 'file:a.tgz' } }),
  };
  expect(inPolicy({ files, programs: {} })).toMatchObject([{ hosts: [], opens: undefined }]);
});

test('npm: a shrinkwrap file is what npm itself goes by', () => {
  const files = { 'package.json': MANIFEST, 'package-lock.json': lock({}), 'npm-shrinkwrap.json': lock({}) };
  expect(inPolicy({ files, programs: {} })).toMatchObject([{ files: ['package.json', 'npm-shrinkwrap.json'] }]);
});

test('pnpm, though a lock file of npm lies about as well', () => {
  const files = { 'package.json': MANIFEST, 'package-lock.json': lock({}), 'pnpm-lock.yaml': 'lockfileVersion: 9.0\n' };
  expect(inPolicy({ files, programs: {} })).toMatchObject([
    {
      name: 'pnpm',
      files: ['package.json', 'pnpm-lock.yaml'],
      prepare: [['pnpm', 'install', '--frozen-lockfile', '--ignore-scripts']],
      makes: ['node_modules'],
    },
  ]);
});

test('uv: hosts out of its lock file', () => {
  const text = `[[package]]
source = { registry = "https://packages.example.com/simple" }
wheels = [{ url = "https://files.example.com/a.whl", hash = "sha256:00" }]
`;
  const files = { 'pyproject.toml': '', 'uv.lock': text, 'requirements.txt': 'a\n' };
  expect(inPolicy({ files, programs: {} })).toMatchObject([
    {
      name: 'python',
      files: ['pyproject.toml', 'uv.lock'],
      hosts: [{ host: 'files.example.com' }, { host: 'packages.example.com' }],
      makes: ['.venv'],
      path: ['.venv/bin'],
    },
  ]);
});

test('pip: with every file that the first one names; without hashes that is said', () => {
  const [pip] = inPolicy({ files: { 'requirements.txt': 'a==1.0\n-r more/dev.txt\n' }, programs: {} });
  expect(pip).toMatchObject({
    files: ['requirements.txt', 'more/dev.txt'],
    prepare: [
      ['python3', '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', '-r', 'requirements.txt'],
    ],
  });
  expect(pip!.comments).toContain('# No hashes');
  const hashed = inPolicy({ files: { 'requirements.txt': 'a==1.0 --hash=sha256:00\n' }, programs: {} });
  expect(hashed[0]!.prepare[1]).toContain('--require-hashes');
  expect(hashed[0]!.comments).not.toContain('# No hashes');
});

test('two kinds are two environments', () => {
  const files = { 'package.json': MANIFEST, 'package-lock.json': lock({}), 'requirements.txt': 'a\n' };
  expect(inPolicy({ files, programs: {} }).map(({ name }) => name)).toEqual(['npm', 'python']);
});

test('programs that lie elsewhere come along with their folder; one that is not here is named', () => {
  const files = { 'package.json': MANIFEST, 'pnpm-lock.yaml': '' };
  const place = { folder: '/opt/node-22', path: '/opt/node-22/bin' };
  expect(inPolicy({ files, programs: { node: place, npm: place, pnpm: place } })).toMatchObject([
    { tools: ['/opt/node-22'], path: ['node_modules/.bin', '/opt/node-22/bin'] },
  ]);
  expect(inPolicy({ files, programs: { pnpm: null } })[0]!.comments).toContain('# pnpm is not on this machine');
});

test.each<[string, Looked['files']]>([
  ['nothing', {}],
  ['a manifest without a lock file', { 'package.json': MANIFEST }],
  ['a lock file without its manifest', { 'package-lock.json': lock({}) }],
])('%s: nothing is detected', (_, files) => {
  expect(detectEnvironments({ files, programs: {} })).toEqual({ found: [], examples: [] });
});

test.each<[string, string]>([
  ['that is no JSON', 'x'],
  ['whose packages are a list of nothing', '{"packages":[null]}'],
  [
    'that brings a host with a line of policy in it',
    lock({ 'node_modules/a': { resolved: "https://x'\n  makes: [/]/a.tgz" } }),
  ],
  ['whose package is called like a line of policy', lock({ "node_modules/a']]\nx: y": { hasInstallScript: true } })],
])('a lock file %s says nothing of its own in policy', (_, text) => {
  const found = inPolicy({ files: { 'package.json': MANIFEST, 'package-lock.json': text }, programs: {} });
  expect(found).toMatchObject([
    { makes: ['node_modules'], offline: [], prepare: [['npm', 'ci', '--no-audit', '--no-fund']] },
  ]);
});

test('go, Cargo and Maven are shown, not written', () => {
  const { found, examples } = detectEnvironments({
    files: { 'go.sum': '', 'Cargo.lock': '', 'pom.xml': '' },
    programs: {},
  });
  expect(found).toEqual([]);
  for (const text of examples) {
    const policy = unwrap(insertEntry(POLICY, { under: 'environment', text }, 'policy.yml'));
    expect(Object.keys(unwrap(readPolicyFile(policy, 'policy.yml')).environment)).toHaveLength(1);
  }
  expect(examples).toHaveLength(3);
});
