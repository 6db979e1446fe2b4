// The keys of gate and writer: made in this clone, put on the roster, handed to the forge as secrets of its jobs, and then
// forgotten here. Each has its own, so that the job which reads strangers' words cannot sign receipts.
import { Failure } from '../../../failure.ts';
import type { StoredKey } from '../../../ports/keys.ts';
import type { Project } from '../project.ts';
import { identityToMake, type Identity } from '../identity.ts';
import type { Found, Item } from '../items.ts';
import type { Machine } from '../wishes.ts';
import type { ForgeWorld } from './world.ts';

export type ForgeMachine = Machine & {
  readonly secret: string;
  readonly isLost: () => boolean;
  readonly keyItem: Item;
  /** Undefined once it was handed over. */
  readonly stored: () => Promise<StoredKey | undefined>;
};

const MACHINES = [
  { principal: 'gate', secret: 'LAZARUS_GATE_KEY' },
  { principal: 'writer', secret: 'LAZARUS_WRITER_KEY' },
] as const;

export async function forgeMachines(
  { onTheirWay, near, repository }: ForgeWorld,
  project: Project,
): Promise<readonly ForgeMachine[]> {
  const keys = await onTheirWay.list();
  return MACHINES.map(({ principal, secret }) => {
    const isTheirs = ({ userId }: StoredKey): boolean => userId.startsWith(`${principal} <`);
    const { identity, item } = identityToMake(
      { principal, stored: keys.find(isTheirs) },
      {
        store: onTheirWay,
        nowSeconds: () => near.parts.clock.nowSeconds(),
        protection: () => Promise.resolve({ unprotected: true }),
        ask: () => Promise.reject(new Failure('passphrase_needed', { principal })),
      },
      { name: `${principal}_key`, title: `key of the ${principal}` },
    );
    let isLost = false;
    return {
      identity,
      type: 'service',
      roles: [principal],
      secret,
      isLost: () => isLost,
      keyItem: unlessHandedOver(item, identity, async () => {
        const standing = await standingOf(identity, project);
        isLost = standing === 'elsewhere' && !(await repository.secretNames()).includes(secret);
        return isLost ? 'lost' : standing;
      }),
      stored: async () => (await onTheirWay.list()).find(isTheirs),
    };
  });
}

/**
 * Only keys that count are handed over, and only to a forge that keeps jobs and ledgers apart (`loose`: why it does
 * not). Before that, this clone is the one place that has them.
 */
export function secretItem(
  { repository, onTheirWay }: ForgeWorld,
  { secret, identity, stored, isLost }: ForgeMachine,
  { project, loose }: { readonly project: Project; readonly loose: readonly string[] },
): Item {
  const { principal } = identity;
  return {
    name: `${principal}_secret`,
    title: `secret ${secret}`,
    async look(): Promise<Found> {
      const key = await stored();
      const member = (await project.state())?.roster.members.find((one) => one.principal_id === principal);
      if (key === undefined)
        return member === undefined || isLost()
          ? { is: 'absent', says: `the key of the ${principal}` }
          : { is: 'there', says: 'handed over before' };
      if (loose.length > 0) return { is: 'differs', says: `not handed over while ${loose.join(' and ')}` };
      return member?.keys.some(({ fingerprint, until }) => until === null && fingerprint === key.fingerprint) === true
        ? { is: 'absent', says: `the key of the ${principal}` }
        : { is: 'differs', says: `the roster has to know the key of the ${principal} first` };
    },
    async act() {
      const { fingerprint } = (await stored())!;
      await repository.setSecret(secret, () => onTheirWay.exportPrivate(fingerprint));
      await onTheirWay.remove(fingerprint);
      return `the key of the ${principal}, which is no longer on this computer`;
    },
  };
}

type Standing =
  | 'new'
  /** The roster lists the key that this clone has. */
  | 'here'
  /** The roster lists another one, which was handed over. */
  | 'elsewhere'
  /** It was, and the forge has it no more: removed there, by hand or by `init --remove`. */
  | 'lost';

async function standingOf({ principal, signer }: Identity, project: Project): Promise<Standing> {
  const roster = (await project.state())?.roster;
  const member = roster?.members.find((one) => one.principal_id === principal);
  if (member === undefined) return 'new';
  return member.keys.some(({ fingerprint, until }) => until === null && fingerprint === signer()?.fingerprint)
    ? 'here'
    : 'elsewhere';
}

function unlessHandedOver(item: Item, { principal, signer }: Identity, standing: () => Promise<Standing>): Item {
  if (!('look' in item)) return item;
  return {
    ...item,
    async look() {
      return (await standing()) === 'elsewhere' && signer() === undefined
        ? { is: 'there', says: `${principal} is on the roster, and the forge has its key` }
        : item.look();
    },
  };
}
