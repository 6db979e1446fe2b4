// Paths that no mission touches, whatever it owns: the shipped list, and what a project adds to it. A project can only
// add. Some give way to an allowance of the brief or to being named in it, migrations may be added but never changed. Knows
// nothing of files.
import { z } from 'zod';
import { Slug } from '../values.ts';
import { Line } from '../text.ts';
import { exampleOf, Glob, matcher, type PathMatcher } from './globs.ts';
import { foldCase } from './paths.ts';

const SACRED_PATHS_MAX = 256;

/** What a brief can allow on purpose: auth surface only together with the audit gate `secaudit`. */
export const Allowance = z.enum(['auth_surface', 'billing', 'dependency_change']);
export type Allowance = z.infer<typeof Allowance>;

export const SacredEntry = z.strictObject({
  name: Slug,
  // Nothing is taken away from a sacred scope: a path behind `!` would look protected and not be.
  paths: z
    .array(Glob.refine((glob) => !glob.startsWith('!'), 'takes away, and nothing is taken away from what is sacred'))
    .min(1)
    .max(SACRED_PATHS_MAX),
  /** `never`, `append_only` (new files yes, changes no), `named` (only by its name), or the allowance that opens it. */
  rule: z.enum(['never', 'append_only', 'named', ...Allowance.options]),
  why: Line(200),
});
export type SacredEntry = z.infer<typeof SacredEntry>;

const tokens = 'credentials give away the account they belong to';
const lockout = 'a bad edit locks every user out';
const money = 'silent failures on the money path lose revenue';
const supply = 'a dependency runs with the rights of everything that uses it';

const INSTRUCTED = 'the next agent does what it says, on whoever’s machine that is';

// Both orders: `stripe/webhook.ts`, `webhooks/stripe.ts`, `stripe-webhook.ts`.
const WEBHOOKS = ['billing', 'stripe', 'paddle', 'squeezy'].flatMap((word) => [
  `**/*${word}*webhook*`,
  `**/*webhook*${word}*`,
  `**/*${word}*/**/*webhook*`,
  `**/*webhook*/**/*${word}*`,
]);

export const SHIPPED_SACRED: readonly SacredEntry[] = [
  never('environment', ['**/.env*', '**/.env*/**'], 'runtime secrets are read through the vault and written by people'),
  never(
    'credentials',
    ['**/credentials.json', '**/.credentials*', '**/etc/secrets/**', '**/.ssh/**', '**/.gnupg/**', '**/.aws/**'],
    tokens,
  ),
  never('private-keys', ['**/*.pem', ...['rsa', 'dsa', 'ecdsa', 'ed25519'].map((kind) => `**/id_${kind}*`)], tokens),
  never('login-files', ['**/.netrc', '**/.npmrc', '**/.yarnrc*', '**/.pypirc', '**/.git-credentials'], tokens),
  never(
    'forge-rules',
    ['.gitea/**', '.github/**', '.forgejo/**', '.gitlab-ci.yml', '.woodpecker/**', '.woodpecker.y*ml'],
    'workflows, policy and these rules themselves are what a mission is bounded by',
  ),
  never('code-owners', ['**/CODEOWNERS'], 'whoever reviews is not chosen by what is reviewed'),
  named('actions', ['**/action.y*ml'], 'workflows of other repositories run what it says'),
  named(
    'agent-instructions',
    [
      ...['AGENTS', 'AGENTS.override', 'CLAUDE', 'CLAUDE.local', 'GEMINI'].map((name) => `**/${name}.md`),
      ...['.agents', '.claude', '.codex', '.cursor', '.gemini', '.opencode'].map((name) => `**/${name}/**`),
      ...['opencode.json*', '.mcp.json', '.cursorrules', '.aider*'].map((name) => `**/${name}`),
    ],
    INSTRUCTED,
  ),
  never('git-config', ['**/.gitconfig', '**/.gitmodules'], 'identity, signing and foreign repositories'),
  // `-diff` and filters hide a change from the person who reviews it.
  never('git-attributes', ['**/.gitattributes'], 'attributes can hide a change from review'),
  never('hooks', ['**/.husky/**', '**/.githooks/**'], 'hooks run on the machine of whoever pulls'),
  never('mission-records', ['.lazarus/**', '.orchestrator/**'], 'views of the ledger, never part of the work'),
  never(
    'account-callbacks',
    ['**/*oauth*callback*', '**/*oauth*callback*/**', '**/*oauth*/**/*callback*', '**/*callback*/**/*oauth*'],
    lockout,
  ),
  never('billing-webhooks', WEBHOOKS, money),
  never('subscriptions', ['**/*subscription*state*', '**/*subscription*state*/**'], money),
  given(
    'auth_surface',
    'authentication',
    ['**/auth/**', '**/clerk/**', '**/next-auth/**', '**/next-auth.*', '**/clerk.*'],
    lockout,
  ),
  given(
    'billing',
    'billing',
    ['**/billing/**', '**/stripe/**', '**/lemon*squeezy/**', '**/paddle/**', '**/stripe.*', '**/paddle.*'],
    money,
  ),
  given(
    'dependency_change',
    'dependencies',
    ['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock*'].map(
      (name) => `**/${name}`,
    ),
    supply,
  ),
  { name: 'migrations', paths: ['**/migrations/**'], rule: 'append_only', why: 'deployed history only goes forward' },
];

/** With the files that an agent reads its own configuration from, where policy knows of some. */
export function sacredWith(entries: readonly SacredEntry[], configuredBy: readonly string[]): readonly SacredEntry[] {
  return configuredBy.length === 0 ? entries : [...entries, named('agent-configuration', configuredBy, INSTRUCTED)];
}

/** The first rule that a change of this path breaks, or undefined. */
export function sacredFor(
  entries: readonly SacredEntry[],
  filesOwned: readonly string[],
): (path: string, is: 'added' | 'changed', allowed: readonly Allowance[]) => SacredEntry | undefined {
  // Folded on both sides: on a case-insensitive checkout `.ENV` is `.env`.
  const rules = entries.map((entry) => {
    const globs = entry.paths.map((glob) => matcher(foldCase(glob)));
    const has: PathMatcher = (path) => globs.some((match) => match(path));
    return { entry, has, isNamed: entry.rule === 'named' ? naming(filesOwned, has) : () => false };
  });
  return (path, is, allowed) => {
    const folded = foldCase(path);
    return rules.find(({ entry, has, isNamed }) => has(folded) && !givesWay(entry, is, allowed) && !isNamed(folded))
      ?.entry;
  };
}

function givesWay({ rule }: SacredEntry, is: 'added' | 'changed', allowed: readonly Allowance[]): boolean {
  if (rule === 'never' || rule === 'named') return false;
  return rule === 'append_only' ? is === 'added' : allowed.includes(rule);
}

/**
 * What a mission names on purpose: by a glob that is about such files whatever its signs stand for. `.codex/**` and
 * `docs/AGENTS.md` are; `**`, `docs/*` and `*.md` only happen to have them as well.
 */
function naming(filesOwned: readonly string[], has: PathMatcher): PathMatcher {
  const named = filesOwned
    .filter((glob) => !glob.startsWith('!'))
    .map(foldCase)
    .filter((glob) => has(exampleOf(glob)))
    .map(matcher);
  return (path) => named.some((match) => match(path));
}

function never(name: string, paths: string[], why: string): SacredEntry {
  return { name, paths, rule: 'never', why };
}

function named(name: string, paths: readonly string[], why: string): SacredEntry {
  return { name, paths: [...paths], rule: 'named', why };
}

function given(rule: Allowance, name: string, paths: string[], why: string): SacredEntry {
  return { name, paths, rule, why };
}
