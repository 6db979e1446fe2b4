// Which folder may import which: the one table behind "the kernel knows nothing of the outside" and its like, and the rule
// of the linter that holds every import against it, whichever way it is written.
import { builtinModules } from 'node:module';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const BYTES = ['src/format'];
const RULES = [...BYTES, 'src/kernel'];
const VALUES = [...RULES, 'src/ledger'];
const TEXTS = ['src/documents', 'src/forge-text'];
/** Reason codes, the one thing that is thrown, and the step that follows: words for everybody. */
const WORDS = ['src/failure.ts', 'src/next-line.ts', 'src/reasons.ts'];
/** Without what starts a process, or loads a module past the table. */
const NO_PROCESSES = builtinModules.filter((name) => !['child_process', 'cluster', 'module'].includes(name));

/**
 * By folder: `imports` from other folders, `packages`, `node` modules, and `why`, which whoever breaks it reads. The longest
 * path that fits a file is its row. An adapter is one technology: its row names the libraries that are this technology's.
 */
const HOUSE = {
  'src/format': { why: 'formats are bytes: they know no rules, and nothing of the outside' },
  'src/kernel': { imports: BYTES, packages: ['zod'], why: 'rules know the formats, and nothing of the outside' },
  'src/ledger': {
    imports: RULES,
    packages: ['zod'],
    why: 'a ledger is plain values: rules applied to bytes, and no outside',
  },
  'src/documents': {
    imports: RULES,
    packages: ['zod', 'yaml'],
    why: 'text in, values out: whoever reads the file is outside',
  },
  'src/forge-text': { imports: RULES, packages: ['yaml'], why: 'text of a forge: pure, and it calls nobody' },
  'src/ports': { imports: RULES, why: 'a port speaks our words: no library, no Node, nothing that uses it' },
  'src/app': {
    imports: [...VALUES, ...TEXTS, 'src/ports', 'src/version.ts'],
    packages: ['zod'],
    why: 'use cases reach the world through ports',
  },
  ...adapters({
    artifacts: {},
    cells: { starts: ['process/launch.ts', 'process/network.ts', 'plain/launch.ts'] },
    door: {},
    git: { packages: ['simple-git'], starts: ['git.ts'] },
    'git-remote': { imports: ['src/adapters/git'] },
    gitea: { packages: ['@octokit/rest'] },
    isomorphic: { packages: ['isomorphic-git'] },
    keys: { packages: ['openpgp'] },
    listener: {},
    memory: {},
    messengers: {},
    secrets: {},
    shipped: {},
    state: {},
    system: { packages: ['execa'] },
  }),
  'src/compose': {
    imports: [...VALUES, ...TEXTS, 'src/ports', 'src/app', 'src/adapters'],
    packages: ['isomorphic-git'],
    node: NO_PROCESSES,
    why: 'composing is building: no process is started here, and no surface is known',
  },
  'src/surfaces': { imports: VALUES, why: 'what all surfaces say alike: words about values' },
  ...surfaces({ action: {}, hook: {}, cli: { imports: ['src/config.ts', 'src/version.ts'], packages: ['commander'] } }),
  'src/portable': {
    imports: [...VALUES, 'src/surfaces'],
    packages: ['zod', '@noble/curves', '@noble/hashes'],
    node: ['fs'],
    why: 'a script and a page that check a bundle anywhere',
  },
  'src/index.ts': { imports: ['src'], why: 'the library names what others offer' },
  'src/verify.ts': { imports: ['src/compose/verifier.ts'], why: 'the library names what others offer' },
  'src/failure.ts': { why: 'words for everybody know nobody' },
  'src/next-line.ts': { why: 'words for everybody know nobody' },
  'src/reasons.ts': { imports: ['src/reasons'], why: 'words for everybody know nobody' },
  'src/reasons': { why: 'words for everybody know nobody' },
  'src/config.ts': { why: 'words for everybody know nobody' },
  'src/version.ts': { why: 'words for everybody know nobody' },
};

/** `starts`: the files that start what stays and is talked to. What runs to its end is run by run-program.ts alone. */
function adapters(rows) {
  const why =
    'an adapter is one technology: it knows ports and src/adapters/system/, runs programs through its run-program.ts, and is handed everything else';
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, { imports = [], packages = [], starts = [] }]) => {
      const folder = `src/adapters/${name}`;
      const row = {
        imports: [...RULES, 'src/ports', 'src/adapters/system', folder, ...imports],
        packages: ['zod', ...packages],
        node: NO_PROCESSES,
        why,
      };
      const files = starts.map((file) => [`${folder}/${file}`, { ...row, node: builtinModules }]);
      return [[folder, row], ...files];
    }),
  );
}

function surfaces(rows) {
  const why =
    'a surface translates: it is given what src/compose/ built, starts no process, and knows no other surface';
  return Object.fromEntries(
    Object.entries(rows).map(([name, { imports = [], packages = [] }]) => [
      `src/surfaces/${name}`,
      {
        imports: [...VALUES, ...TEXTS, 'src/ports', 'src/app', 'src/compose', 'src/surfaces/proof-view.ts', ...imports],
        packages: ['zod', ...packages],
        node: NO_PROCESSES,
        why,
      },
    ]),
  );
}

/** Why `file` may not import `source`, both below the root; undefined where it may. */
function refusal(file, source) {
  const home = Object.keys(HOUSE)
    .filter((path) => isIn(file, path))
    .toSorted((a, b) => b.length - a.length)[0];
  if (home === undefined) return 'lint/house.mjs has no row for this folder: say there what it may import';
  const { imports = [], packages = [], node = [], why } = HOUSE[home];
  const isAllowed = source.startsWith('.')
    ? [home, ...WORDS, ...imports].some((path) => isIn(below(resolve(ROOT, dirname(file), source)), path))
    : isNode(source)
      ? node.includes(source.replace(/^node:/, ''))
      : packages.some((name) => isIn(source, name));
  return isAllowed ? undefined : `${home}: ${why} (the table: lint/house.mjs)`;
}

function isNode(source) {
  return source.startsWith('node:') || builtinModules.includes(source);
}

function isIn(path, folder) {
  return path === folder || path.startsWith(`${folder}/`);
}

function below(path) {
  return relative(ROOT, path).split(sep).join('/');
}

const imports = {
  create(context) {
    const file = below(context.filename);
    const judge = (node, source) => {
      const says =
        typeof source?.value === 'string' ? refusal(file, source.value) : 'what is imported has to be readable here';
      if (says !== undefined) context.report({ node, message: says });
    };
    const declared = (node) => node.source !== null && judge(node, node.source);
    return {
      ImportDeclaration: declared,
      ExportNamedDeclaration: declared,
      ExportAllDeclaration: declared,
      ImportExpression: declared,
      TSImportType: declared,
      // CommonJS would be a way around.
      CallExpression: (node) => {
        if (node.callee.type === 'Identifier' && node.callee.name === 'require') judge(node, node.arguments[0]);
      },
    };
  },
};

export default { meta: { name: 'house' }, rules: { imports } };
