// Keys on the command line: made, shown, carried to another machine, taken from gpg, removed. Each person is a home.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lazarus, type Ran } from '../../support/cli.ts';
import { gpgHome } from '../../support/gpg-home.ts';
import { scratch, scratchRepository } from '../../support/repos.ts';

const FINGERPRINT = /[0-9A-F]{40}/;
const PASSPHRASE = 'correct horse';

/** A home, and how its owner calls the program there. */
function person(cwd = scratch('where')) {
  const home = scratch('home');
  const run = (args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
    lazarus(args, { cwd, env: { HOME: home, ...env } });
  return { home, cwd, run, keys: join(home, '.config/lazarus/keys') };
}

async function made(run: ReturnType<typeof person>['run'], ...args: readonly string[]): Promise<string> {
  const { stdout, stderr, code } = await run(['keys', 'new', ...args], { LAZARUS_PASSPHRASE: PASSPHRASE });
  expect(code, stderr).toBe(0);
  return FINGERPRINT.exec(stdout)![0];
}

describe('a key', () => {
  it('is listed with its owner, how it is kept, and what the roster here says of it', async () => {
    const cwd = scratchRepository();
    const { run } = person(cwd);
    expect((await run(['keys', 'list'])).stdout).toContain('no keys in');
    const fingerprint = await made(run, 'ana', '--unprotected');
    expect((await run(['keys', 'list'])).stdout).toBe(`${fingerprint}  ana  unprotected  no project ledger here\n`);
    expect((await run(['ledger', 'init'])).code).toBe(0);
    const other = await made(run, 'build-1');
    const { stdout } = await run(['keys', 'list']);
    expect(stdout).toContain(
      `${fingerprint}  ana      unprotected  gate,person,root,runner,witness,writer; from index 0`,
    );
    expect(stdout).toContain(`${other}  build-1  passphrase   not on the roster here`);
    expect(JSON.parse((await run(['keys', 'show', 'ana', '--json'])).stdout)).toMatchObject({
      fingerprint,
      principal: 'ana',
      custody: 'unprotected',
      on_roster: true,
    });
    // The first key did its job without being named, because the roster knows it alone.
    expect((await run(['ledger', 'init', '--mission'])).code).toBe(0);
  });

  it('goes to another machine under its passphrase, and comes back as the same key', async () => {
    const [here, there] = [person(), person()];
    const fingerprint = await made(here.run, 'ana');
    const backup = join(here.cwd, 'backup.asc');
    expect((await here.run(['keys', 'export', 'ana', '--private', '-o', backup])).code).toBe(0);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect((await there.run(['keys', 'import', backup], { LAZARUS_PASSPHRASE: 'wrong' })).stderr).toContain(
      'passphrase_wrong',
    );
    expect(existsSync(there.keys) ? readdirSync(there.keys) : []).toEqual([]);
    const { stdout } = await there.run(['keys', 'import', backup], { LAZARUS_PASSPHRASE: PASSPHRASE });
    expect(stdout).toBe(`imported: ${fingerprint}  ana <${fingerprint}@lazarus.invalid> (passphrase)\n`);
    const [exported, again] = await Promise.all([here, there].map(({ run }) => run(['keys', 'export', 'ana'])));
    expect(again!.stdout).toBe(exported!.stdout);
    expect((await there.run(['keys', 'import', backup], { LAZARUS_PASSPHRASE: PASSPHRASE })).stderr).toContain(
      'key_exists',
    );
  });

  it('gets one to encrypt to, which a roster takes from its export and shows, and lets go of', async () => {
    const cwd = scratchRepository();
    const { run, keys } = person(cwd);
    const fingerprint = await made(run, 'ana', '--unprotected');
    expect((await run(['ledger', 'init'])).code).toBe(0);
    const { fingerprint: reader, bound_by } = JSON.parse((await run(['keys', 'encrypt-to', 'ana', '--json'])).stdout);
    // Made with the key itself.
    expect((await run(['keys', 'new', 'cy', '--unprotected', '--json'])).stdout).toContain('"encrypt_to":');
    expect(bound_by).toBe(fingerprint);
    expect((await run(['keys', 'encrypt-to', 'ana'])).stdout).toContain(reader);
    expect((await run(['keys', 'export', 'ana', '-o', 'ana.asc'])).code).toBe(0);
    const set = await run(['roster', 'set', 'ana', '--encrypt-to', 'ana.asc', '--yes']);
    expect(set.code, set.stderr).toBe(0);
    expect(set.stdout + set.stderr).toContain(`+ ana: encryption key ${reader}`);
    expect((await run(['roster', 'show'])).stdout).toContain(`    encryption key ${reader}\n`);
    const { fingerprint: machine } = JSON.parse((await run(['keys', 'runner', 'build-1', '--json'])).stdout);
    const wrong = await run(['roster', 'set', 'ana', '--encrypt-to', join(keys, `${machine}.pub.asc`), '--yes']);
    expect(wrong.stderr).toContain('usage');
    await made(run, 'bo', '--unprotected');
    expect((await run(['keys', 'export', 'bo', '-o', 'bo.asc'])).code).toBe(0);
    const stolen = await run(['roster', 'set', 'ana', '--encrypt-to', 'bo.asc', '--yes']);
    expect(stolen.stderr).toContain('encryption_key_unbound');
    const added = await run(['roster', 'add', 'bo.asc', '--roles', 'person', '--yes']);
    expect(added.code, added.stderr).toBe(0);
    expect((await run(['roster', 'set', 'ana', '--encrypt-to', 'none', '--yes', '--key', 'ana'])).code).toBe(0);
    const shown = (await run(['roster', 'show'])).stdout;
    expect(shown.match(/encryption key/g)).toHaveLength(1);
    expect(shown).not.toContain(reader);
  });

  it('is exported in public unless the private one is asked for, and never over a file', async () => {
    const { run, cwd } = person();
    await made(run, 'ana', '--unprotected');
    expect((await run(['keys', 'export', 'ana'])).stdout).toMatch(/^-----BEGIN PGP PUBLIC KEY BLOCK-----\n/);
    const bare = await run(['keys', 'export', 'ana', '--private']);
    expect(bare.stdout).toMatch(/^-----BEGIN PGP PRIVATE KEY BLOCK-----\n/);
    expect(bare.stderr).toContain('no passphrase');
    writeFileSync(join(cwd, 'mine'), 'precious');
    const over = await run(['keys', 'export', 'ana', '-o', 'mine']);
    expect({ code: over.code, text: readFileSync(join(cwd, 'mine'), 'utf8') }).toEqual({ code: 5, text: 'precious' });
    expect(over.stderr).toContain('file_exists');
  });

  it('is removed only with agreement, and then it is gone', async () => {
    const { run, keys } = person();
    const fingerprint = await made(run, 'ana', '--unprotected');
    const asked = await run(['keys', 'remove', 'ana']);
    expect(asked.code).toBe(4);
    expect(asked.stderr).toContain('agreement_needed');
    expect(asked.stderr).toContain('gone for ever');
    expect(readdirSync(keys)).toHaveLength(3);
    expect((await run(['keys', 'remove', fingerprint.slice(0, 8), '--yes'])).stdout).toBe(`removed ${fingerprint}\n`);
    expect(readdirSync(keys)).toEqual([]);
    expect((await run(['keys', 'remove', 'ana', '--yes'])).stderr).toContain('key_not_found');
  });

  it('named by a word that fits two is asked for again, with both', async () => {
    const { run } = person();
    const [one, two] = [await made(run, 'ana', '--unprotected'), await made(run, 'ana', '--unprotected')];
    const { code, stderr } = await run(['keys', 'show', 'ana']);
    expect(code).toBe(2);
    for (const fingerprint of [one, two]) expect(stderr).toContain(fingerprint);
  });
});

describe('a runner', () => {
  it('gets an unprotected key and the line that enrols it elsewhere', async () => {
    const cwd = scratchRepository();
    const [ana, runner] = [person(cwd), person()];
    await made(ana.run, 'ana', '--unprotected');
    await ana.run(['ledger', 'init']);
    const { enrol, fingerprint } = JSON.parse(
      (await runner.run(['keys', 'runner', 'build-1', '--json'])).stdout,
    ) as Record<string, string>;
    expect(enrol).toMatch(/^lazarus roster add /);
    expect((await ana.run(enrol!.split(' ').slice(1))).code).toBe(0);
    const { roster } = JSON.parse((await ana.run(['roster', 'show', '--json'])).stdout) as {
      roster: { members: unknown[] };
    };
    expect(roster.members).toContainEqual(
      expect.objectContaining({
        principal_id: 'build-1',
        principal_type: 'runner',
        roles: ['runner'],
        person_id: null,
        keys: [expect.objectContaining({ fingerprint, from: 1, until: null })],
      }),
    );
  });
});

describe('a key of others', () => {
  it('stays in gpg-agent and signs from there; what is no ed25519 key is refused by name', async () => {
    const gpg = gpgHome();
    onTestFinished(() => gpg.remove());
    const env = { GNUPGHOME: gpg.path };
    const cwd = scratchRepository();
    const { run, keys } = person(cwd);
    const good = gpg.newKey('Ana <ana@example.org>', 'ed25519', 'sign');
    const rsa = gpg.newKey('Old <old@example.org>', 'rsa2048', 'sign');
    const refused = await run(['keys', 'import-gpg', rsa, '--principal', 'ana'], env);
    expect(refused.code).toBe(6);
    expect(refused.stderr).toMatch(/^key_algorithm_unsupported: .*rsa/);
    expect((await run(['keys', 'import-gpg', good, '--principal', 'ana'], env)).stdout).toContain(
      `${good}  ana <${good}@lazarus.invalid> (gpg_agent)`,
    );
    expect(readdirSync(keys)).toEqual([`${good}.pub.asc`]);
    expect((await run(['keys', 'export', 'ana', '--private'], env)).stderr).toContain('key_secret_absent');
    expect((await run(['ledger', 'init'], env)).code).toBe(0);
    expect((await run(['verify'], env)).stdout).toMatch(/^ok project/);
  });

  it('comes from a file that gpg wrote, under a name that has to be said', async () => {
    const gpg = gpgHome();
    onTestFinished(() => gpg.remove());
    const { run, cwd } = person();
    const fingerprint = gpg.newKey('Ana <ana@example.org>', 'ed25519', 'sign');
    writeFileSync(join(cwd, 'gpg.asc'), gpg.gpg(['--armor', '--export-secret-keys', fingerprint]));
    const env = { LAZARUS_PASSPHRASE: PASSPHRASE };
    expect((await run(['keys', 'import', 'gpg.asc'], env)).stderr).toContain('missing: principal');
    const { stdout } = await run(['keys', 'import', 'gpg.asc', '--principal', 'ana'], env);
    // The address of the keyring did not come along.
    expect(stdout).toBe(`imported: ${fingerprint}  ana <${fingerprint}@lazarus.invalid> (passphrase)\n`);
  });

  it.each(['', 'not a key', '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nAAAA\n-----END PGP PRIVATE KEY BLOCK-----\n'])(
    'that is none is refused: %j',
    async (text) => {
      const { run, cwd, keys } = person();
      writeFileSync(join(cwd, 'key.asc'), text);
      const { code, stderr } = await run(['keys', 'import', 'key.asc', '--principal', 'ana', '--unprotected']);
      expect(code).toBe(6);
      expect(stderr).toMatch(/^key_malformed: /);
      expect(existsSync(keys)).toBe(false);
    },
  );
});
