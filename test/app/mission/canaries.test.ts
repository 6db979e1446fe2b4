// What counts as a secret of the process that starts a cell: by name, because no list of secrets is complete, and whatever is ours.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { redactText, secretSearch } from '../../../src/adapters/system/redact.ts';
import { canariesIn } from '../../../src/app/mission/canaries.ts';
import { ENVIRONMENT } from '../../../src/config.ts';
import { utf8 } from '../../../src/format/bytes.ts';

const JOB = readFileSync(new URL('../../../src/app/gate/job-key.ts', import.meta.url), 'utf8');

describe('a secret of the process', () => {
  it('is the value of every variable that is named like one', () => {
    const env = { LAZARUS_TOKEN: 'token-value', GITEA_SECRET: 'secret-value', db_password: 'password-value' };
    expect(canariesIn({ ...env, PATH: '/usr/bin:/bin', HOME: '/home/ana' }).toSorted()).toEqual(
      Object.values(env).toSorted(),
    );
  });

  it.each([
    ['LAZARUS_TOKEN', 'short'],
    ['LAZARUS_PASSPHRASE', 'abc'],
    ['LAZARUS_GATE_KEY', '-----BEGIN PGP PRIVATE KEY BLOCK-----'],
    ['LAZARUS_WRITER_PASSPHRASE', 'x y'],
    ['GITEA_TOKEN', '0123456789abcdef'],
    ['AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMI/K7MDENG'],
    ['npm_config_password', 'correct horse'],
  ])('is what %s holds', (name, value) => {
    expect(canariesIn({ [name]: value, HOME: '/home/ana' })).toEqual([value]);
  });

  it('is every variable that a job takes a key or a passphrase from, however short', () => {
    const named = JOB.match(/LAZARUS_\w+_(?:KEY|PASSPHRASE)/g) ?? [];
    expect(named.length).toBeGreaterThan(3);
    for (const name of new Set(named)) expect(canariesIn({ [name]: 'k' }), name).toEqual(['k']);
  });

  it('is none of what everybody may know: honest work that names the server or a principal is taken', () => {
    const env = { LAZARUS_TOKEN_ORIGIN: 'https://git.example.org', LAZARUS_KEY: 'ana@example', LAZARUS_USER: 'ana' };
    expect(canariesIn(env)).toEqual([]);
    const open = ENVIRONMENT.filter(({ name }) => name !== 'LAZARUS_TOKEN' && name !== 'LAZARUS_PASSPHRASE');
    expect(canariesIn(Object.fromEntries(open.map(({ name }) => [name, 'some longer text'])))).toEqual([]);
  });

  it('is nothing empty, nothing that other programs keep short, and counts once', () => {
    expect(
      canariesIn({
        LAZARUS_TOKEN: '',
        LAZARUS_PASSPHRASE: undefined,
        KEYBOARD: 'us',
        B_TOKEN: undefined,
        A_TOKEN: '1234567',
      }),
    ).toEqual([]);
    expect(canariesIn({ C_TOKEN: '1234567', D_TOKEN: '12345678' })).toEqual(['12345678']);
    expect(canariesIn({ LAZARUS_TOKEN: 'the same one', GITEA_TOKEN: 'the same one' })).toEqual(['the same one']);
  });

  it('is taken out of what a cell says, and no work that holds it is taken', () => {
    const canaries = canariesIn({ DEPLOY_TOKEN: 'glpat-0123456789' });
    expect(redactText('a glpat-0123456789 b', canaries)).not.toContain('glpat');
    expect(secretSearch(canaries)?.(utf8('{"t":"glpat-0123456789"}'))).toBe(true);
    expect(secretSearch(canariesIn({ DEPLOY: 'glpat-0123456789' }))).toBeUndefined();
  });
});
