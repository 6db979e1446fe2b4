// A commit from the bytes that were signed: nothing but the signature may come between them.
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { concat } from '../../../src/format/bytes.ts';
import { encodeCommit, parseCommit, signedCommit } from '../../../src/format/git/commit.ts';
import { armor } from '../../../src/format/openpgp/armor.ts';

it('signedCommit puts the signature where encodeCommit does, and the payload comes out again', () => {
  const oid = fc.stringMatching(/^[0-9a-f]{40}$/);
  const name = fc.constantFrom('ana', 'gpgsig x', 'o-neill');
  const message = fc.constantFrom('a\n', 'ledger: 1 event\n\nLedger-Format: 1\n', 'gpgsig fake\n\n more\n');
  fc.assert(
    fc.property(
      fc.record({
        tree: oid,
        parents: fc.array(oid, { maxLength: 2 }),
        name,
        message,
        packet: fc.uint8Array({ minLength: 1 }),
      }),
      ({ tree, parents, name: who, message: text, packet }) => {
        const fields = {
          tree,
          parents,
          author: { name: who, email: 'a@lazarus.invalid', atSeconds: 7 },
          message: text,
        };
        const signature = armor('SIGNATURE', packet);
        const payload = encodeCommit(fields);
        const body = signedCommit(payload, signature);
        expect(body).toEqual(encodeCommit({ ...fields, signature }));
        const read = parseCommit(body);
        expect({ ...read, payload: concat(read.payload) }).toEqual({ ...fields, signature, payload });
      },
    ),
  );
});

it('signedCommit ends even where bytes that are no payload have no headers', () => {
  expect(signedCommit(new Uint8Array(0), 'x\n')).toEqual(new TextEncoder().encode('gpgsig x\n'));
});
