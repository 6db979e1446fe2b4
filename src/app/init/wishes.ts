// What a set-up wants of a roster: a machine on it, a person's account known. Says whether it is so, and which change
// would make it so; signs nothing.
import { base64 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import type { PrincipalType, Role } from '../../kernel/principal.ts';
import type { Member, Roster } from '../../kernel/roster/roster.ts';
import { publicKeysFrom } from '../threshold/key-text.ts';
import { addMember, layerFor, rotateKey, setMember, type RosterChange } from '../threshold/roster-change.ts';
import { unwrap } from '../unwrap.ts';
import { signerOf, type Identity } from './identity.ts';
import type { Found } from './items.ts';

export type Machine = {
  readonly identity: Identity;
  readonly type: PrincipalType;
  readonly roles: readonly Role[];
  /** Nobody has the key that the roster lists: another one takes its place. */
  readonly isLost?: () => boolean;
};

export type Wish = {
  readonly says: string;
  look(roster: Roster): Found;
  /** After `absent`. `from`: the size of the project ledger. */
  change(crypto: Crypto, from: number): RosterChange;
  /** What a person types instead who may. */
  byHand(): string;
};

export function machineWish({ identity, type, roles, isLost = () => false }: Machine): Wish {
  const { principal } = identity;
  const says = `${principal} as a ${type}`;
  return {
    says,
    look(roster) {
      const member = roster.members.find((one) => one.principal_id === principal);
      if (member !== undefined && isLost()) return { is: 'absent', says: `a new key for ${principal}` };
      return member === undefined ? { is: 'absent', says } : standingOf(member, identity, roles);
    },
    change(crypto, from) {
      const { key } = unwrap(publicKeysFrom(crypto, base64(signerOf(identity).publicKey)));
      if (isLost()) return rotateKey(key, from, 0);
      return addMember(key, from, { ...machineFacts(type, roles), roles: [...roles] });
    },
    byHand() {
      const key = base64(signerOf(identity).publicKey);
      return isLost()
        ? `lazarus roster rotate ${key}`
        : `lazarus roster add ${key} --type ${type} --roles ${roles.join(',')}`;
    },
  };
}

/** Only a vote that comes from the account counts for the person; a name can be taken over, the number cannot. */
export function accountWish(principal: string, forgeUserId: number): Wish {
  const says = `${principal} is user ${forgeUserId} of the forge`;
  return {
    says,
    look(roster) {
      const known = roster.members.find((one) => one.principal_id === principal)?.forge_user_id;
      if (known === forgeUserId || known === undefined) return { is: 'there', says };
      return known === null
        ? { is: 'absent', says }
        : {
            is: 'differs',
            says: `${principal} is on the roster as user ${known} of the forge, not ${forgeUserId}`,
            next: `lazarus roster set ${principal} --forge-user-id ${forgeUserId}`,
          };
    },
    change: () => setMember(principal, { forge_user_id: forgeUserId }),
    byHand: () => `lazarus roster set ${principal} --forge-user-id ${forgeUserId}`,
  };
}

export function machineMember({ identity, type, roles }: Machine): Member {
  return { ...machineFacts(type, roles), keys: [keyOf(identity)], principal_id: identity.principal, roles: [...roles] };
}

export function keyOf(identity: Identity): Member['keys'][number] {
  const { fingerprint, publicKey } = signerOf(identity);
  return { fingerprint, from: 0, public_key: base64(publicKey), until: null };
}

function machineFacts(type: PrincipalType, roles: readonly Role[]) {
  return { forge_user_id: null, layer: layerFor(type, roles), person_id: null, principal_type: type } as const;
}

function standingOf(member: Member, identity: Identity, roles: readonly Role[]): Found {
  const { principal_id } = member;
  const fingerprint = identity.signer()?.fingerprint;
  const lasting = member.keys.filter(({ until }) => until === null);
  // Without a key here it was handed over, and the roster is all there is to go by.
  if (fingerprint !== undefined && !lasting.some((key) => key.fingerprint === fingerprint))
    return {
      is: 'differs',
      says: `${principal_id} is on the roster with a key that is not on this computer`,
      next: 'give this one another name: lazarus init --machine <name>',
    };
  const missing = roles.filter((role) => !member.roles.includes(role));
  return missing.length === 0
    ? { is: 'there', says: `${principal_id}: ${member.roles.join(', ')}` }
    : {
        is: 'differs',
        says: `${principal_id} lacks ${missing.join(', ')}`,
        next: `lazarus roster set ${principal_id} --roles ${roles.join(',')}`,
      };
}
