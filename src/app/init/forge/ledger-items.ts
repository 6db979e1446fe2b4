// The items that bring the project ledger of this clone and the one on the forge to one head, before anything is appended.
import { PROJECT_REF } from '../../../ledger/names.ts';
import { introduceShelves } from '../../artifacts/documents.ts';
import { compareWithRemote, pullLedgers, pushLedgers, type Relation } from '../../sync.ts';
import type { Project } from '../project.ts';
import type { Found, Item } from '../items.ts';
import type { ForgeWorld } from './world.ts';

const REFS = [PROJECT_REF];

export function pullItem({ far }: ForgeWorld, near: Project): Item {
  return {
    name: 'pull_ledger',
    title: 'project ledger of the forge',
    async look(): Promise<Found> {
      const relation = await relationTo(far);
      return relation === 'behind' || relation === 'absent_here'
        ? { is: 'absent', says: 'to be taken over' }
        : { is: 'there', says: relation === 'absent_there' ? 'none yet' : 'nothing newer there' };
    },
    async act() {
      await pullLedgers(far, REFS);
      near.changed();
      return 'verified and taken over';
    },
  };
}

/** Before the rules of the branch: under them nobody could begin a ledger that grows out of nothing. */
export function pushItem({ far }: ForgeWorld, there: Project): Item {
  return {
    name: 'push_ledger',
    title: 'project ledger on the forge',
    async look(): Promise<Found> {
      const relation = await relationTo(far);
      return relation === 'equal' ? { is: 'there', says: 'the same as here' } : { is: 'absent', says: 'forwards only' };
    },
    async act() {
      await pushLedgers(far, REFS);
      await introduceShelves(far);
      there.changed();
      return 'the same as here';
    },
  };
}

async function relationTo(far: ForgeWorld['far']): Promise<Relation> {
  const [compared] = await compareWithRemote(far, REFS);
  return compared!.here === undefined && compared!.there === undefined ? 'absent_there' : compared!.relation;
}
