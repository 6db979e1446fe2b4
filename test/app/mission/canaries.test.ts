// What a job knows and its cell may never print: found by the names of variables, because no list of secrets is complete.
import { expect, it } from 'vitest';
import { canariesIn } from '../../../src/app/mission/canaries.ts';

it('takes the values of variables that are named like secrets', () => {
  const env = { LAZARUS_TOKEN: 'token-value', GITEA_SECRET: 'secret-value', db_password: 'password-value' };
  expect(canariesIn({ ...env, PATH: '/usr/bin:/bin', HOME: '/home/ana' }).toSorted()).toEqual(
    Object.values(env).toSorted(),
  );
});

it('leaves out what is empty, unset, or so short that it stands in harmless text', () => {
  expect(canariesIn({ A_TOKEN: '', B_TOKEN: undefined, C_TOKEN: '1234567', D_TOKEN: '12345678' })).toEqual([
    '12345678',
  ]);
});
