// The key of an environment: the same for the same things, another one for every thing that its preparation sees.
import { expect, test } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { Environment } from '../../../src/kernel/policy/environment.ts';
import { environmentKey, type Seen } from '../../../src/kernel/policy/environment-key.ts';

const WRITTEN = {
  tools: ['/opt/node'],
  files: ['package.json', 'package-lock.json'],
  given: { '.npmrc': 'fund=false\n' },
  prepare: [['npm', 'ci']],
  hosts: ['registry.example.org'],
  offline: [['npm', 'rebuild', 'esbuild']],
  makes: ['node_modules'],
  writable: ['node_modules/.cache'],
  path: ['node_modules/.bin'],
};
const FILES = [
  { path: 'package.json', mode: '100644', bytes: Buffer.from('{}') },
  { path: 'package-lock.json', mode: '100644', bytes: Buffer.from('{"lockfileVersion":3}') },
] as const;
const TOOLCHAIN = [{ name: 'npm', print: '/opt/node/bin/npm 100 1700000000000' }];

function seen(changes: Partial<Seen> & { readonly written?: object } = {}): Seen {
  const { written, ...rest } = changes;
  const environment = Environment.parse({ ...WRITTEN, ...written });
  return { environment, files: FILES, toolchain: TOOLCHAIN, origin: 'base', certificates: [], ...rest };
}
const keyOf = (is: Seen): string => environmentKey(is, nodeCrypto);

test('the same, in whatever order files were read, and however long it may take', () => {
  expect(keyOf(seen())).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(keyOf(seen({ files: FILES.toReversed() }))).toBe(keyOf(seen()));
  expect(keyOf(seen({ written: { minutes: 30, megabytes: 100 } }))).toBe(keyOf(seen()));
});

test.each<[string, Parameters<typeof seen>[0]]>([
  ['a byte of a file', { files: [FILES[0], { ...FILES[1], bytes: Buffer.from('{"lockfileVersion":2}') }] }],
  ['the mode of a file', { files: [FILES[0], { ...FILES[1], mode: '100755' }] }],
  ['the name of a file', { files: [FILES[0], { ...FILES[1], path: 'npm-shrinkwrap.json' }] }],
  ['a file less', { files: [FILES[0]] }],
  ['a given file', { written: { given: { '.npmrc': 'fund=true\n' } } }],
  ['a command', { written: { prepare: [['npm', 'install']] } }],
  ['where an argument ends', { written: { prepare: [['npm ci']] } }],
  [
    'when a command is run',
    {
      written: {
        prepare: [
          ['npm', 'ci'],
          ['npm', 'rebuild', 'esbuild'],
        ],
        offline: [],
      },
    },
  ],
  ['a host', { written: { hosts: ['registry.example.com'] } }],
  ['a port', { written: { hosts: ['registry.example.org:8443'] } }],
  [
    'the addresses that a host may have',
    { written: { hosts: [{ host: 'registry.example.org', port: 443, range: '10.0.0.0/8' }] } },
  ],
  ['a folder of tools', { written: { tools: ['/opt/node-22'] } }],
  ['a program in it', { toolchain: [{ name: 'npm', print: '/opt/node/bin/npm 101 1700000000000' }] }],
  ['what is made', { written: { makes: ['node_modules', 'web/node_modules'] } }],
  ['what is writable', { written: { writable: [] } }],
  ['what is in front of the search path', { written: { path: [] } }],
  ['a certificate that is trusted', { certificates: ['-----BEGIN CERTIFICATE-----'] }],
  ['an attempt', { origin: '11111111-1111-4111-8111-111111111111' }],
])('another one: %s', (_, changes) => {
  expect(keyOf(seen(changes))).not.toBe(keyOf(seen()));
});

test('two attempts with the same files share nothing', () => {
  const [one, other] = ['1', '2'].map((n) => `${n.repeat(8)}-1111-4111-8111-111111111111`);
  expect(keyOf(seen({ origin: one! }))).not.toBe(keyOf(seen({ origin: other! })));
});
