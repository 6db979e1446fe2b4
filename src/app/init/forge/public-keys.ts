// Public keys that the forge has to know, because it refuses commits onto ledgers that none of the keys it knows signed.
// It shows a challenge and sees it signed; whose account holds the key means nothing to lazarus.
import { armor } from '../../../format/openpgp/armor.ts';
import type { Forge } from '../../../ports/forge.ts';
import type { Signer } from '../../../ports/keys.ts';
import type { Identity } from '../identity.ts';
import type { Item, Would } from '../items.ts';
import type { Project } from '../project.ts';

export function publicKeyItem(
  forge: Forge,
  identities: readonly Identity[],
  { project, nowSeconds }: { readonly project: Project; readonly nowSeconds: () => number },
): Item {
  return {
    name: 'public_keys',
    title: 'public keys at the forge',
    async would(): Promise<Would> {
      const members = (await project.state())?.roster.members ?? [];
      const due: string[] = [];
      for (const { principal, signer } of identities) {
        const key = signer();
        // Made by the items before this one, unless the roster has it: then it was handed over.
        const isDue =
          key === undefined
            ? !members.some((one) => one.principal_id === principal)
            : !(await forge.hasPublicKey(key.fingerprint));
        if (isDue) due.push(principal);
      }
      return due.length > 0
        ? { is: 'would', says: due.join(', ') }
        : { is: 'already there', says: 'registered before' };
    },
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
