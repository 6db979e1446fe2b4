import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { auditOwnership } from '../../../src/kernel/scope/audit.ts';
import { compareDependencies } from '../../../src/kernel/scope/dependencies.ts';
import { judgeChanges, type Change, type Scope } from '../../../src/kernel/scope/ownership.ts';
import { Allowance, SHIPPED_SACRED, SacredEntry, sacredWith } from '../../../src/kernel/scope/sacred.ts';
import { REASONS } from '../../../src/reasons.ts';

const OID = 'a'.repeat(40);
const OTHER = 'b'.repeat(40);
const NONE = '0'.repeat(40);

const EVERYTHING: Scope = { filesOwned: ['**'], sacred: SHIPPED_SACRED, allowances: [] };

function added(path: string, mode = '100644'): Change {
  return { path, oldMode: '000000', newMode: mode, oldOid: NONE, newOid: OID };
}
function edited(path: string, oldMode = '100644', newMode = '100644'): Change {
  return { path, oldMode, newMode, oldOid: OTHER, newOid: OID };
}
function deleted(path: string, mode = '100644'): Change {
  return { path, oldMode: mode, newMode: '000000', oldOid: OID, newOid: NONE };
}
function codes(changes: readonly Change[], scope: Partial<Scope> = {}): string[] {
  return judgeChanges(changes, { ...EVERYTHING, ...scope }).violations.map(({ path, code }) => `${path} ${code}`);
}

describe('changes against the files owned', () => {
  const scope = { filesOwned: ['src/**', '!src/secret/**', 'README.md'] };

  it('are inside when every path is owned', () => {
    const verdict = judgeChanges([added('src/new.ts'), edited('README.md'), deleted('src/old.ts')], {
      ...EVERYTHING,
      ...scope,
    });
    expect(verdict).toEqual({ verdict: 'inside', changed: 3, violations: [], madeExecutable: [] });
  });

  it.each([
    ['an edit of one line elsewhere', [edited('LICENSE')], ['LICENSE outside_scope']],
    ['a deletion elsewhere', [deleted('LICENSE')], ['LICENSE outside_scope']],
    ['a file moved out', [deleted('src/a.ts'), added('lib/a.ts')], ['lib/a.ts outside_scope']],
    ['a file moved in', [deleted('lib/a.ts'), added('src/a.ts')], ['lib/a.ts outside_scope']],
    ['what ! takes away', [edited('src/secret/key.ts')], ['src/secret/key.ts outside_scope']],
    ['a mode alone', [edited('LICENSE', '100644', '100755')], ['LICENSE outside_scope']],
    ['the same name in other letters', [edited('readme.md')], ['readme.md outside_scope']],
  ])('%s is outside', (_, changes, expected) => {
    expect(codes(changes, scope)).toEqual(expected);
  });

  it('a file that becomes executable is named, and is no violation', () => {
    const verdict = judgeChanges([edited('src/run.sh', '100644', '100755'), edited('src/a.sh', '100755', '100755')], {
      ...EVERYTHING,
      ...scope,
    });
    expect(verdict).toMatchObject({ verdict: 'inside', madeExecutable: ['src/run.sh'] });
  });
});

describe('attacks, by a mission that owns everything', () => {
  it.each([
    ['a link to a file outside', added('link', '120000'), 'symlink_refused'],
    ['a file turned into a link', edited('src/a.ts', '100644', '120000'), 'symlink_refused'],
    ['a link that is moved to point elsewhere', edited('link', '120000', '120000'), 'symlink_refused'],
    ['a submodule', added('vendor', '160000'), 'submodule_refused'],
    ['a submodule at another commit', edited('vendor', '160000', '160000'), 'submodule_refused'],
    ['a submodule taken away', deleted('vendor', '160000'), 'submodule_refused'],
    ['a set-uid file', added('tool', '104755'), 'mode_refused'],
    ['a group-writable file', added('tool', '100664'), 'mode_refused'],
    ['a tree where a file belongs', added('tool', '040000'), 'mode_refused'],
    ['a path that climbs out', added('../x'), 'path_unsafe'],
    ['an absolute path', added('/etc/cron.d/x'), 'path_unsafe'],
    ['a Windows drive', added('C:/x'), 'path_unsafe'],
    ['a backslash', added('a\\..\\..\\b'), 'path_unsafe'],
    ['a hook', added('.git/hooks/post-checkout'), 'path_unsafe'],
    ['a hook in other letters', added('x/.GIT/hooks/post-checkout'), 'path_unsafe'],
    ['a hook by its short name', added('GIT~1/hooks/post-checkout'), 'path_unsafe'],
    ['a hook behind a dot that Windows drops', added('.git./config'), 'path_unsafe'],
    ['a hook behind a blank that Windows drops', added('.git /config'), 'path_unsafe'],
    ['a hook as a stream', added('.git::$INDEX_ALLOCATION/config'), 'path_unsafe'],
    ['a hook with a character that macOS ignores', added('.g\u200cit/config'), 'path_unsafe'],
    ['a name that reads backwards', added('src/\u202egpj.sh'), 'path_unsafe'],
    ['a name with a line break', added('src/a\nb'), 'path_unsafe'],
    ['a name with an escape', added('src/\u001b[2Jx'), 'path_unsafe'],
    ['a name in a second spelling', added('src/e\u0301.ts'), 'path_unsafe'],
    ['an endless path', added('a/'.repeat(600) + 'b'), 'path_unsafe'],
  ])('%s is refused', (_, change, code) => {
    expect(codes([change])).toContainEqual(`${change.path} ${code}`);
  });

  it('two paths that a case-insensitive checkout confuses are refused', () => {
    expect(codes([added('src/Hook.ts')], { basePaths: ['src/hook.ts'] })).toEqual(['src/Hook.ts path_case_twin']);
    expect(codes([added('a/X'), added('a/x')])).toEqual(['a/X path_case_twin', 'a/x path_case_twin']);
    expect(codes([added('SRC/new.ts')], { basePaths: ['src/old.ts'] })).toEqual(['SRC/new.ts path_case_twin']);
    // A link in the base and a folder of nearly its name: what is written into the folder would go through the link.
    expect(codes([added('Link/post-checkout')], { basePaths: ['link'] })).toEqual([
      'Link/post-checkout path_case_twin',
    ]);
    expect(codes([added('\u212aelvin')], { basePaths: ['kelvin'] })).toContain('\u212aelvin path_unsafe');
    expect(codes([added('stra\u00dfe')], { basePaths: ['STRASSE'] })).toEqual(['stra\u00dfe path_case_twin']);
  });

  it('a renaming of letters alone, and twins that were there before, are not', () => {
    expect(codes([deleted('readme.md'), added('README.md')], { basePaths: ['readme.md'] })).toEqual([]);
    expect(codes([edited('a/X')], { basePaths: ['a/X', 'a/x'] })).toEqual([]);
    expect(codes([added('src/c')], { basePaths: ['src/a', 'Src/b'] })).toEqual([]);
  });
});

describe('sacred scopes', () => {
  it.each([
    '.env',
    '.env.production',
    'apps/web/.ENV.local',
    '.envrc',
    '.claude/credentials.json',
    'Agentik_Extra/etc/secrets/key.age',
    '.gitea/workflows/lazarus.yml',
    '.gitea/lazarus/policy.yml',
    '.github/workflows/ci.yml',
    '.gitmodules',
    '.gitattributes',
    'src/.gitattributes',
    '.gitconfig',
    '.npmrc',
    '.lazarus/cell.json',
    '.orchestrator/decisions.md',
    'src/oauth/callback.ts',
    'src/api/stripe/webhook.ts',
    'src/webhooks/stripe.ts',
    'src/subscription-state.ts',
    'certs/server.pem',
    'deploy/id_ed25519',
    'deploy/ID_RSA.pub',
    'CODEOWNERS',
    'docs/CODEOWNERS',
  ])('%s is never touched, whatever is owned and allowed', (path) => {
    for (const change of [added(path), edited(path), deleted(path)])
      expect(codes([change], { allowances: Allowance.options })).toEqual([`${path} sacred_scope`]);
  });

  it.each([
    ['src/auth/login.ts', 'auth_surface'],
    ['clerk/config.ts', 'auth_surface'],
    ['src/billing/invoice.ts', 'billing'],
    ['lib/stripe/client.ts', 'billing'],
    ['package-lock.json', 'dependency_change'],
    ['packages/a/package.json', 'dependency_change'],
  ] as const)('%s needs the allowance %s, and no other opens it', (path, allowance) => {
    expect(codes([edited(path)])).toEqual([`${path} sacred_scope`]);
    expect(codes([edited(path)], { allowances: Allowance.options.filter((one) => one !== allowance) })).toHaveLength(1);
    expect(codes([edited(path)], { allowances: [allowance] })).toEqual([]);
  });

  it('an allowance opens what is sacred, not what somebody else owns', () => {
    expect(codes([edited('src/billing/a.ts')], { filesOwned: ['docs/**'], allowances: ['billing'] })).toEqual([
      'src/billing/a.ts outside_scope',
    ]);
  });

  it.each([
    ['AGENTS.md', ['**', '*', '*.md', 'agents/**']],
    ['docs/agents.md', ['**', 'docs/**', 'docs/*.md']],
    ['.codex/config.toml', ['**', '.c*/**', '**/*.toml', '**/config.toml']],
    ['apps/web/.claude/settings.json', ['apps/**', '**/*.json']],
    ['opencode.jsonc', ['*', '*.jsonc', 'opencode.json']],
    ['.mcp.json', ['.*', '*.json']],
    ['action.yml', ['**', '*.yml']],
  ])('%s is not touched by who only happens to own it', (path, globs) => {
    for (const glob of globs)
      for (const change of [added(path), edited(path), deleted(path)])
        expect(codes([change], { filesOwned: ['**', glob], allowances: Allowance.options })).toEqual([
          `${path} sacred_scope`,
        ]);
  });

  it.each([
    ['AGENTS.md', ['AGENTS.md', '**/AGENTS.md']],
    ['docs/AGENTS.md', ['docs/AGENTS.md', '**/AGENTS.md', 'docs/**/AGENTS.md']],
    ['.codex/config.toml', ['.codex/config.toml', '.codex/**', '.codex/']],
    ['opencode.jsonc', ['opencode.jsonc', 'opencode.json*']],
    ['action.yml', ['action.yml', '**/action.yaml', 'action.y*ml']],
  ])('%s is opened by its name', (path, globs) => {
    for (const glob of globs.slice(0, 1)) expect(codes([edited(path)], { filesOwned: ['**', glob] })).toEqual([]);
    expect(codes([edited(path)], { filesOwned: ['**', ...globs] })).toEqual([]);
    expect(codes([edited(path)], { filesOwned: [...globs, `!${path}`] })).toContain(`${path} outside_scope`);
  });

  it('what configures the agent of a plan is as sacred as what configures known ones', () => {
    const sacred = sacredWith(SHIPPED_SACRED, ['tools/robot/**']);
    expect(codes([edited('tools/robot/rules.txt')])).toEqual([]);
    expect(codes([edited('tools/robot/rules.txt')], { sacred })).toEqual(['tools/robot/rules.txt sacred_scope']);
    expect(codes([edited('tools/robot/rules.txt')], { sacred, filesOwned: ['tools/robot/**'] })).toEqual([]);
  });

  it('migrations may be added and never changed', () => {
    expect(codes([added('db/migrations/0002.sql')])).toEqual([]);
    expect(codes([edited('db/migrations/0001.sql')])).toEqual(['db/migrations/0001.sql sacred_scope']);
    expect(codes([deleted('db/migrations/0001.sql')])).toEqual(['db/migrations/0001.sql sacred_scope']);
  });

  it('of a package.json only what it brings in is sacred, and what is not known counts as changed', () => {
    expect(codes([{ ...edited('package.json'), dependencies: 'same' }])).toEqual([]);
    expect(codes([{ ...edited('package.json'), dependencies: 'changed' }])).toEqual(['package.json sacred_scope']);
    expect(codes([edited('package.json')])).toEqual(['package.json sacred_scope']);
    expect(codes([{ ...edited('package-lock.json'), dependencies: 'same' }])).toHaveLength(1);
  });

  it('unreadable rules let nothing through', () => {
    expect(codes([edited('README.md')], { sacred: 'unreadable' })).toEqual(['README.md sacred_unreadable']);
  });

  it('ordinary work is left alone', () => {
    const paths = [
      'src/author.ts',
      'docs/environment.md',
      'src/authorise.ts',
      'env.d.ts',
      'src/hooks/use-x.ts',
      'a/b.json',
    ];
    expect(codes(paths.map((path) => edited(path)))).toEqual([]);
  });

  it('the shipped list has the form of a project’s own', () => {
    for (const entry of SHIPPED_SACRED) expect(SacredEntry.parse(entry)).toEqual(entry);
  });
});

describe('the dependencies of a package.json', () => {
  const before = JSON.stringify({ name: 'a', dependencies: { x: '1' }, scripts: { test: 'x' } });
  it.each([
    ['another version of the package', { name: 'a', version: '2', dependencies: { x: '1' } }, 'same'],
    ['another order', { dependencies: { x: '1' }, name: 'a' }, 'same'],
    ['another dependency', { dependencies: { x: '1', y: '1' } }, 'changed'],
    ['one that is only for development', { dependencies: { x: '1' }, devDependencies: { y: '1' } }, 'changed'],
    ['an override', { dependencies: { x: '1' }, overrides: { z: 'file:evil' } }, 'changed'],
    ['a script run at install', { dependencies: { x: '1' }, scripts: { postinstall: 'x' } }, 'changed'],
    ['another test script', { dependencies: { x: '1' }, scripts: { test: 'y' } }, 'same'],
  ] as const)('%s: %o is %s', (_, after, expected) => {
    expect(compareDependencies(before, JSON.stringify(after))).toBe(expected);
  });

  it('what cannot be read counts as changed', () => {
    expect(compareDependencies(before, '{')).toBe('changed');
    expect(compareDependencies('[]', 'null')).toBe('changed');
    expect(compareDependencies(undefined, before)).toBe('changed');
    expect(compareDependencies(undefined, '{}')).toBe('same');
  });
});

const paths = fc.constantFrom('src/a', 'src/b', 'lib/a', 'LICENSE', '.env', 'src/auth/x', 'Src/a', 'link', '.git/x');
const modes = fc.constantFrom('100644', '100755', '120000', '160000', '104755');
const change = fc.oneof(
  fc.tuple(paths, modes).map(([path, mode]) => added(path, mode)),
  fc.tuple(paths, modes, modes).map(([path, one, other]) => edited(path, one, other)),
  paths.map((path) => deleted(path)),
);
const changes = fc.uniqueArray(change, { selector: ({ path }) => path, maxLength: 6 });
const globs = fc.subarray(['src/**', 'lib/a', '**', 'LICENSE', 'src/auth/x', '*']);

describe('laws', () => {
  it('the order of changes does not matter', () => {
    fc.assert(
      fc.property(changes, globs, (list, filesOwned) => {
        const scope = { ...EVERYTHING, filesOwned };
        expect(judgeChanges([...list].reverse(), scope)).toEqual(judgeChanges(list, scope));
      }),
    );
  });

  it('owning or allowing more never adds a violation; taking away never removes one', () => {
    fc.assert(
      fc.property(changes, globs, globs, fc.subarray([...Allowance.options]), (list, some, more, allowances) => {
        const narrow = new Set(codes(list, { filesOwned: some }));
        for (const code of codes(list, { filesOwned: [...some, ...more], allowances })) expect(narrow).toContain(code);
        const less = codes(list, { filesOwned: [...some, ...more.map((glob) => `!${glob}`)] });
        for (const code of narrow) expect(less).toContain(code);
      }),
    );
  });

  it('another sacred entry never removes a violation', () => {
    const entry: SacredEntry = { name: 'more', paths: ['src/**'], rule: 'never', why: 'because' };
    fc.assert(
      fc.property(changes, globs, (list, filesOwned) => {
        const more = codes(list, { filesOwned, sacred: [...SHIPPED_SACRED, entry] });
        for (const code of codes(list, { filesOwned })) expect(more).toContain(code);
      }),
    );
  });

  it('what is judged inside is judged inside change by change', () => {
    fc.assert(
      fc.property(changes, globs, (list, filesOwned) => {
        fc.pre(codes(list, { filesOwned }).length === 0);
        for (const one of list) expect(codes([one], { filesOwned })).toEqual([]);
      }),
    );
  });

  it('every violation has a reason that is in the list', () => {
    fc.assert(
      fc.property(changes, (list) => {
        for (const { code } of judgeChanges(list, EVERYTHING).violations) expect(REASONS).toHaveProperty(code);
      }),
    );
  });
});

describe('the file-ownership audit', () => {
  it('names what was changed and not owned, what is sacred, and what was left alone', () => {
    const audit = auditOwnership({ base: OID, head: OTHER }, [edited('src/a.ts'), edited('LICENSE'), added('.env')], {
      ...EVERYTHING,
      filesOwned: ['src/**', 'docs/**', '.env', '!docs/x'],
    });
    expect(audit).toMatchObject({
      audit: 'file_ownership',
      base: OID,
      head: OTHER,
      verdict: 'violated',
      modifiedNotOwned: ['LICENSE'],
      sacredModified: ['.env'],
      ownedNotModified: ['docs/**'],
    });
  });

  it('is clean when only owned files changed', () => {
    const audit = auditOwnership({ base: OID, head: OTHER }, [edited('src/a.ts')], {
      ...EVERYTHING,
      filesOwned: ['src/**'],
    });
    expect(audit).toMatchObject({ verdict: 'inside', modifiedNotOwned: [], sacredModified: [], ownedNotModified: [] });
  });
});
