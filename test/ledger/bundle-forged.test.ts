// Forged proof bundles: each is refused, by name, and one name does not stand for another.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { checkBundle } from '../../src/ledger/bundle.ts';
import { attacks } from '../support/bundle-attacks.ts';

const forged = attacks();

describe('a forged proof bundle is refused', () => {
  it.each(forged)('where $name: $refusedFor', ({ bytes, known, refusedFor }) => {
    expect(checkBundle(nodeCrypto, bytes, known)).toMatchObject({ is: 'refused', code: refusedFor });
  });
});
