// Which of its keys the job of a runner signs with: after a rotation the old one mostly still lies beside the new one.
import { describe, expect, it } from 'vitest';
import { fileKeys } from '../../../src/adapters/keys/file-keys.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { keyOfJob } from '../../../src/app/gate/job-key.ts';
import { base64 } from '../../../src/format/bytes.ts';
import { ANA, KEYS_MADE_AT_SECONDS, member, roster } from '../../support/people.ts';
import { scratch } from '../../support/repos.ts';

const PROJECT = '7c9a3c0e-2f0a-4c55-9d6e-0f5a3e0d3b11';

async function machine() {
  const store = fileKeys(scratch('runner'), { gpg: undefined as never, crypto: nodeCrypto });
  for (let n = 0; n < 2; n++) await store.generate('runner', KEYS_MADE_AT_SECONDS, { unprotected: true });
  const opened = await Promise.all(
    (await store.list()).map(({ fingerprint }) => store.open(fingerprint, () => Promise.reject(new Error('none')))),
  );
  const signs = async (until: readonly (number | null)[]): Promise<string> => {
    const keys = opened.map(({ fingerprint, publicKey }, i) => ({
      fingerprint,
      from: i,
      public_key: base64(publicKey),
      until: until[i]!,
    }));
    const runner = member(ANA, { keys, principal_id: 'runner', principal_type: 'runner', roles: ['runner'] });
    const sources = { roster: roster(PROJECT, [runner]), env: {}, store: () => Promise.resolve(store) };
    const { fingerprint } = await keyOfJob('cell', { ...sources, fromText: () => Promise.reject(new Error('none')) });
    return fingerprint;
  };
  return { signs, fingerprints: opened.map(({ fingerprint }) => fingerprint) };
}

describe('a runner with the key that was ended and the one that came for it', () => {
  it('signs with the newer one, whichever is found first', async () => {
    const { signs, fingerprints } = await machine();
    expect(await signs([8, null])).toBe(fingerprints[1]);
    expect(await signs([null, 8])).toBe(fingerprints[0]);
  });

  it('tries the ended one where there is no other, and is told so by whoever it signs for', async () => {
    const { signs, fingerprints } = await machine();
    expect(fingerprints).toContain(await signs([8, 9]));
  });
});
