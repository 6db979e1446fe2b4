// Two projects that an agent can mend: a Node and a Python one, each with a dependency that a registry serves, a test that fails
// by one wrong line, and the patch. Knows no agent and no registry: where the package comes from is said to it.
import { npmPackage, wheel } from './environments.ts';

/** `weekdays` as it is published for Node. */
export function weekdaysPackage(): Uint8Array {
  return npmPackage('weekdays', { 'index.js': "module.exports = ['sunday', 'monday', 'tuesday', 'friday'];\n" });
}

/** And for Python. */
export function weekdaysWheel(): ReturnType<typeof wheel> {
  return wheel('weekdays', "NAMES = ['sunday', 'monday', 'tuesday', 'friday']\n");
}

type Host = { readonly host: string; readonly port: number };

export type FailingProject = {
  readonly files: Readonly<Record<string, string>>;
  /** Of its policy. */
  readonly environment: object;
  readonly verify: string;
  /** Whether what was prepared is there. */
  readonly isThere: string;
  readonly owns: string;
  readonly patch: string;
  readonly mended: string;
};

/** `locked`: as npm writes it into a lock file. */
export function nodeProject(
  host: Host,
  locked: { readonly resolved: string; readonly integrity: string },
): FailingProject {
  const app = { name: 'app', version: '1.0.0', dependencies: { weekdays: '1.0.0' } };
  return {
    files: {
      'package.json': JSON.stringify({ ...app, scripts: { test: 'node --test test/' } }),
      'package-lock.json': JSON.stringify({
        name: 'app',
        version: '1.0.0',
        lockfileVersion: 3,
        requires: true,
        packages: { '': app, 'node_modules/weekdays': { version: '1.0.0', ...locked } },
      }),
      'src/day.js': "const names = require('weekdays');\nmodule.exports = (n) => names[n + 1];\n",
      'test/day.test.js':
        "const { test } = require('node:test');\nconst { equal } = require('node:assert');\nconst day = require('../src/day.js');\ntest('names a day', () => equal(day(3), 'friday'));\n",
    },
    environment: {
      files: ['package.json', 'package-lock.json'],
      prepare: [['npm', 'ci', '--no-audit', '--no-fund']],
      hosts: [{ ...host, range: '127.0.0.0/8' }],
      makes: ['node_modules'],
      writable: ['node_modules/.cache'],
      path: ['node_modules/.bin'],
    },
    verify: 'npm test',
    isThere: 'test -f node_modules/weekdays/index.js',
    owns: 'src/day.js',
    patch:
      '*** Begin Patch\n*** Update File: src/day.js\n@@\n-module.exports = (n) => names[n + 1];\n+module.exports = (n) => names[n];\n*** End Patch\n',
    mended: "const names = require('weekdays');\nmodule.exports = (n) => names[n];\n",
  };
}

/** `index`: the address of the index, in front of `<package>/`. */
export function pythonProject(host: Host, index: string, sha256: string): FailingProject {
  return {
    files: {
      '.gitignore': '__pycache__/\n',
      'requirements.txt': `--index-url ${index}\n--trusted-host ${host.host}\nweekdays==1.0 --hash=sha256:${sha256}\n`,
      'day.py': 'from weekdays import NAMES\n\n\ndef day(n):\n    return NAMES[n + 1]\n',
      'test_day.py':
        "import unittest\n\nfrom day import day\n\n\nclass Day(unittest.TestCase):\n    def test_names_a_day(self):\n        self.assertEqual(day(3), 'friday')\n",
    },
    environment: {
      files: ['requirements.txt'],
      prepare: [
        ['/usr/bin/python3', '-m', 'venv', '.venv'],
        ['.venv/bin/pip', 'install', '--require-hashes', '-r', 'requirements.txt'],
      ],
      hosts: [{ ...host, range: '127.0.0.0/8' }],
      makes: ['.venv'],
      path: ['.venv/bin'],
    },
    verify: 'python -m unittest -q',
    isThere: '.venv/bin/python -c "import weekdays"',
    owns: 'day.py',
    patch:
      '*** Begin Patch\n*** Update File: day.py\n@@\n-    return NAMES[n + 1]\n+    return NAMES[n]\n*** End Patch\n',
    mended: 'from weekdays import NAMES\n\n\ndef day(n):\n    return NAMES[n]\n',
  };
}
