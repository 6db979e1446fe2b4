// Projects of one small package each, with the lock file that its program wrote: what a live registry has to answer for, byte
// by byte, years from now too. Says nothing of how they are prepared: that is detected, as for everybody.
import type { TellingFile } from '../../src/documents/detect-environment.ts';

export type Project = {
  /** In front of a line of the report. */
  readonly program: string;
  readonly files: Readonly<Partial<Record<TellingFile, string>>>;
  /** In a cell without network, with what was prepared: ends with 0 if the package is there and works. */
  readonly works: string;
};

const IS_NUMBER = 'sha512-41Cifkg6e8TylSpdtTpeLVMqvSBEVzTttHvERD741+pnZ8ANv0004MRL43QKPDlK9cGvNp6NZWZUBlbGXYxxng==';
const SIX = 'sha256:8abb2f1d86890a2dfb989f9a77cfcfd3e47c2a354b01111771326f8aa26e0254';
const SIX_WHEEL =
  'https://files.pythonhosted.org/packages/d9/5a/e7c31adbe875f2abbb91bd84cf2dc52d792b5a01506781dbcf25c91daf11/six-1.16.0-py2.py3-none-any.whl';

const APP = { name: 'app', version: '1.0.0', private: true, dependencies: { 'is-number': '7.0.0' } };
const NODE_WORKS = `node -e "process.exit(require('is-number')(7) ? 0 : 1)"`;
const PYTHON_WORKS = `python -c "import six; assert six.PY3"`;

export const PROJECTS: readonly Project[] = [
  {
    program: 'npm',
    files: {
      'package.json': JSON.stringify(APP),
      'package-lock.json': JSON.stringify({
        name: 'app',
        version: '1.0.0',
        lockfileVersion: 3,
        requires: true,
        packages: {
          '': APP,
          'node_modules/is-number': {
            version: '7.0.0',
            resolved: 'https://registry.npmjs.org/is-number/-/is-number-7.0.0.tgz',
            integrity: IS_NUMBER,
          },
        },
      }),
    },
    works: NODE_WORKS,
  },
  {
    program: 'pnpm',
    files: {
      'package.json': JSON.stringify(APP),
      'pnpm-lock.yaml': `lockfileVersion: '9.0'
settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false
importers:
  .:
    dependencies:
      is-number:
        specifier: 7.0.0
        version: 7.0.0
packages:
  is-number@7.0.0:
    resolution: {integrity: ${IS_NUMBER}}
    engines: {node: '>=0.12.0'}
snapshots:
  is-number@7.0.0: {}
`,
    },
    works: NODE_WORKS,
  },
  {
    program: 'pip',
    files: { 'requirements.txt': `six==1.16.0 --hash=${SIX}\n` },
    works: PYTHON_WORKS,
  },
  {
    program: 'uv',
    files: {
      'pyproject.toml':
        '[project]\nname = "app"\nversion = "1.0.0"\nrequires-python = ">=3.9"\ndependencies = ["six==1.16.0"]\n',
      'uv.lock': `version = 1
requires-python = ">=3.9"

[[package]]
name = "app"
version = "1.0.0"
source = { virtual = "." }
dependencies = [{ name = "six" }]

[package.metadata]
requires-dist = [{ name = "six", specifier = "==1.16.0" }]

[[package]]
name = "six"
version = "1.16.0"
source = { registry = "https://pypi.org/simple" }
wheels = [{ url = "${SIX_WHEEL}", hash = "${SIX}" }]
`,
    },
    works: PYTHON_WORKS,
  },
];
