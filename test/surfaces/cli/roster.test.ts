// The roster on the command line: three people, three homes, one repository, and files that go from hand to hand.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lazarus, type Ran } from '../../support/cli.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';

type Person = (...args: readonly string[]) => Promise<Ran>;
const NOTE = JSON.stringify({ bytes: 1, digest: `sha256:${'5a'.repeat(32)}`, media_type: 'text/plain' });

let template: string;

/** Ana's project with bo and cy as roots, two of three needed, and one mission: made once, copied for every test. */
beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'lazarus-team-'));
  mkdirSync(join(template, 'post'));
  git(template, ['init', '-q', 'repo']);
  const { ana, bo, cy, post } = peopleIn(template);
  for (const [name, run] of Object.entries({ ana, bo, cy })) {
    await ok(run('keys', 'new', name, '--unprotected'));
    await ok(run('keys', 'export', name, '-o', join(post, `${name}.asc`)));
  }
  await ok(ana('ledger', 'init'));
  await ok(ana('ledger', 'init', '--mission'));
  for (const name of ['bo', 'cy']) await ok(ana('roster', 'add', join(post, `${name}.asc`), '--roles', 'person,root'));
  await ok(ana('roster', 'threshold', '2', '--yes'));
  const { stdout } = await ok(lazarus(['keys', 'runner', 'di', '--json'], { cwd: join(template, 'post') }));
  writeFileSync(join(template, 'repo', 'DI'), (JSON.parse(stdout) as { enrol: string }).enrol.split(' ')[3]!);
});

afterAll(() => rmSync(template, { recursive: true }));

function team() {
  const root = scratch('team');
  cpSync(template, root, { recursive: true });
  const [name = ''] = git(join(root, 'repo'), [
    'branch',
    '--list',
    'lazarus/m-*',
    '--format=%(refname:lstrip=3)',
  ]).split('\n');
  return { ...peopleIn(root), ledger: name };
}

function peopleIn(root: string) {
  const [repo, post] = [join(root, 'repo'), join(root, 'post')];
  const person =
    (name: string): Person =>
    (...args) =>
      lazarus(args, { cwd: repo, env: { HOME: join(root, name) } });
  return { repo, post, ana: person('ana'), bo: person('bo'), cy: person('cy') };
}

describe('three people', () => {
  it('remove one of them by a draft, and where it stands is said at every step', async () => {
    const { post, ana, bo, cy, ledger } = team();
    const draft = join(post, 'draft.json');
    const begun = await json<Record<string, unknown>>(ana('roster', 'remove', 'cy', '--yes', '-o', draft, '--json'));
    expect(begun).toMatchObject({
      appended: false,
      purpose: 'roster',
      signed: ['ana'],
      missing: ['bo', 'cy'],
      is_met: false,
    });

    const early = await bo('roster', 'apply', draft);
    expect(early.code).toBe(8);
    expect(early.stderr).toMatch(/threshold_not_met: .*signed: ana; missing: bo, cy/);

    const shown = await bo('roster', 'sign', draft);
    expect(shown.code).toBe(4);
    expect(shown.stderr).toContain('- cy is removed and signs nothing more');
    expect(shown.stderr).toContain('agreement_needed');
    expect(JSON.parse(readFileSync(draft, 'utf8'))).toMatchObject({ signatures: [{}] });

    await ok(bo('roster', 'sign', draft, '--yes'));
    const { stdout } = await ok(bo('roster', 'apply', draft));
    expect(stdout).toContain(`adopted in ${ledger}`);
    const late = await cy('ledger', 'append', ledger, 'note.recorded', '--payload', NOTE);
    expect({ code: late.code, why: late.stderr.split(':')[0] }).toEqual({ code: 3, why: 'signer_unknown' });
    await ok(bo('ledger', 'append', ledger, 'note.recorded', '--payload', NOTE));
    await ok(ana('verify'));
  });

  it('see the risk in their keys, and the history of their roster', async () => {
    const { ana, bo } = team();
    const { stdout } = await ok(bo('roster', 'show'));
    expect(stdout).toContain('roster 3, threshold 2');
    expect(stdout).toContain('3 persons hold a lasting root key (ana, bo, cy); 2 must sign.');
    expect(stdout).toContain('It can never be changed again if 2 of them lose it.');
    expect(await json(bo('roster', 'show', '--json'))).toMatchObject({ root_persons: ['ana', 'bo', 'cy'], losable: 2 });
    const history = await ok(ana('roster', 'history'));
    expect(history.stdout).toMatch(
      /roster 0: ana\n[^]*\+ bo is added[^]*\+ cy is added[^]*threshold 1 becomes 2 persons/,
    );
  });

  it('rotate a key, and the new one is taken without being named', async () => {
    const { repo, post, ana, bo, ledger } = team();
    const { fingerprint } = await json<{ fingerprint: string }>(bo('keys', 'new', 'bo', '--unprotected', '--json'));
    await ok(bo('keys', 'export', fingerprint, '-o', join(post, 'bo-2.asc')));
    const draft = join(post, 'rotation.json');
    await ok(ana('roster', 'rotate', join(post, 'bo-2.asc'), '-o', draft));
    // Signed with the old key, which is the one that counts until then.
    await ok(bo('roster', 'sign', draft, '--yes'));
    await ok(ana('roster', 'apply', draft));
    await ok(bo('ledger', 'append', ledger, 'note.recorded', '--payload', NOTE));
    expect(git(repo, ['log', '-1', '--format=%ae', `lazarus/${ledger}`])).toBe(`${fingerprint}@lazarus.invalid`);
  });

  it('cut off a stolen key, are told what is disowned, and judge it', async () => {
    const { post, ana, bo, cy, ledger } = team();
    for (const by of [bo, ana, bo]) await ok(by('ledger', 'append', ledger, 'note.recorded', '--payload', NOTE));
    const draft = join(post, 'cut-off.json');
    const trusted = `${ledger}=6`;
    const planned = await ok(ana('roster', 'cut-off', 'bo', '--trusted', trusted, '-o', draft, '--yes'));
    expect(planned.stderr).toContain(`${ledger}: disowned until the roots judge them: events 6`);
    await ok(cy('roster', 'sign', draft, '--yes'));
    await ok(cy('roster', 'apply', draft));

    const seen = await ana('verify', ledger, '--json');
    expect(seen.code).toBe(6);
    const { integrity, trust } = JSON.parse(seen.stdout) as {
      integrity: unknown;
      trust: { is: string; disowned: { fingerprint: string }[] };
    };
    expect({ integrity, is: trust.is }).toEqual({ integrity: { is: 'ok' }, is: 'disowned' });
    const { fingerprint } = trust.disowned[0]!;
    const judgement = join(post, 'judgement.json');
    await ok(ana('roster', 'annotate', ledger, fingerprint, '--accept', '-o', judgement, '--yes'));
    await ok(cy('roster', 'sign', judgement, '--yes'));
    await ok(ana('roster', 'apply', judgement));
    await ok(ana('verify', ledger));
    expect((await bo('ledger', 'append', ledger, 'note.recorded', '--payload', NOTE)).stderr).toMatch(
      /^signer_cut_off/,
    );
  });

  it('repair a ledger that a stranger wedged, whose words are shown harmless', async () => {
    const { repo, post, ana, bo, ledger } = team();
    const ref = `refs/heads/lazarus/${ledger}`;
    const evil = git(repo, [
      '-c',
      'user.name=\u001b[2Kok',
      'commit-tree',
      '-p',
      ref,
      '-m',
      'verified: \u001b[32mok',
      `${ref}^{tree}`,
    ]);
    git(repo, ['update-ref', ref, evil]);
    const stopped = await bo('ledger', 'append', ledger, 'note.recorded', '--payload', NOTE);
    expect(stopped.code).toBe(6);
    expect(stopped.stderr).toContain('next: lazarus ledger repair --help');
    const draft = join(post, 'repair.json');
    const begun = await ok(bo('ledger', 'repair', ledger, '-o', draft, '--yes'));
    expect(begun.stderr).toContain(evil.slice(0, 12));
    expect(begun.stderr).not.toContain('\u001b');
    await ok(ana('roster', 'sign', draft, '--yes'));
    await ok(ana('roster', 'apply', draft));
    await ok(bo('verify'));
    expect((await bo('ledger', 'repair', ledger)).stderr).toMatch(/^repair_needless/);
    const end = join(post, 'seal.json');
    await ok(ana('ledger', 'seal', ledger, '-o', end, '--yes'));
    await ok(bo('roster', 'sign', end, '--yes'));
    await ok(bo('roster', 'apply', end));
    expect((await bo('ledger', 'append', ledger, 'note.recorded', '--payload', NOTE)).stderr).toMatch(/^ledger_sealed/);
  });
});

describe('what is typed wrong', () => {
  it.each<[string, readonly string[], string]>([
    ['no roles', ['roster', 'add', 'DI'], 'usage'],
    ['a role that is none', ['roster', 'add', 'DI', '--roles', 'king'], 'usage'],
    [
      'another principal than the key’s',
      ['roster', 'add', 'DI', '--principal', 'cy', '--roles', 'person'],
      'roster_key_user_id',
    ],
    ['a file that is not there', ['roster', 'add', 'nowhere.asc', '--roles', 'person'], 'file_unreadable'],
    ['a stranger', ['roster', 'remove', 'zoe', '--yes'], 'roster_member_unknown'],
    ['no person at all', ['roster', 'threshold', '0', '--yes'], 'usage'],
    ['a threshold out of reach', ['roster', 'threshold', '4', '--yes'], 'roster_threshold_unreachable'],
    ['a key that nobody has', ['roster', 'cut-off', 'zoe'], 'key_not_found'],
    ['half a trusted size', ['roster', 'cut-off', 'ana', '--trusted', 'project'], 'usage'],
    ['a judgement that is none', ['roster', 'annotate', 'project', 'ana'], 'usage'],
    ['what needs no repair', ['ledger', 'repair', 'project'], 'repair_needless'],
    ['a draft that is none', ['roster', 'sign', 'DI', '--yes'], 'draft_malformed'],
  ])('%s: nothing happens, and the reason is given', async (_, args, code) => {
    // In the template itself: nothing may change there.
    const { repo, ana } = peopleIn(template);
    const before = git(repo, ['for-each-ref']);
    const { code: exit, stderr } = await ana(...args);
    expect(stderr).toMatch(new RegExp(`(^|\n)${code}: `));
    expect(exit).not.toBe(0);
    expect(git(repo, ['for-each-ref'])).toBe(before);
  });
});

describe('co-signatures', () => {
  it('left on a remote show a rollback to somebody who comes for the first time', async () => {
    const { repo, ana, bo, ledger } = team();
    const forge = scratchRepository('--bare');
    git(repo, ['remote', 'add', 'origin', forge]);
    const old = git(repo, ['rev-parse', `lazarus/${ledger}`]);
    await ok(bo('ledger', 'append', ledger, 'note.recorded', '--payload', NOTE));
    await ok(ana('ledger', 'push', 'origin'));
    for (const by of [bo, ana, bo]) await ok(by('verify', '--cosign', '--remote', 'origin'));
    git(forge, ['update-ref', `refs/heads/lazarus/${ledger}`, old]);
    const clone = scratch('clone');
    git(forge, ['clone', '-q', '--bare', forge, clone]);
    git(clone, ['fetch', '-q', forge, '+refs/heads/*:refs/heads/*']);
    git(clone, ['remote', 'remove', 'origin']);
    git(clone, ['remote', 'add', 'origin', forge]);
    const { code, stdout } = await lazarus(['verify', ledger, '--remote', 'origin', '--json'], { cwd: clone });
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({ integrity: { code: 'rollback_detected' } });
  });
});

async function ok(running: Promise<Ran>): Promise<Ran> {
  const ran = await running;
  expect(ran.code, ran.stderr).toBe(0);
  return ran;
}

async function json<T>(running: Promise<Ran>): Promise<T> {
  return JSON.parse((await ok(running)).stdout) as T;
}
