// Public keys that the forge has to know, because it refuses commits onto ledgers that none of the keys it knows signed.
// It shows a challenge and sees it signed; whose account holds the key means nothing to lazarus.
import { armor } from '../../../format/openpgp/armor.ts';
import type { Forge } from '../../../ports/forge.ts';
import type { Signer } from '../../../ports/keys.ts';
import type { Identity } from '../identity.ts';
import type { Item } from '../items.ts';

export function publicKeyItem(forge: Forge, identities: readonly Identity[], nowSeconds: () => number): Item {
  return {
    name: 'public_keys',
    title: 'public keys at the forge',
    would: identities.map(({ principal }) => principal).join(', '),
    async ensure() {
      const told: string[] = [];
      let isNew = false;
      for (const { principal, signer } of identities) {
        const key = signer();
        // Handed over: registered before that.
        if (key === undefined) continue;
        isNew = (await registerKey(forge, key, nowSeconds())) === 'registered' || isNew;
        told.push(principal);
      }
      const says = told.length === 0 ? 'registered before' : told.join(', ');
      return { is: isNew ? 'done' : 'already there', says };
    },
  };
}

export async function registerKey(forge: Forge, key: Signer, atSeconds: number): Promise<'registered' | 'present'> {
  return forge.registerPublicKey({
    armored: armor('PUBLIC KEY BLOCK', key.publicKey),
    fingerprint: key.fingerprint,
    sign: async (challenge) => armor('SIGNATURE', await key.sign(challenge, atSeconds)),
  });
}
