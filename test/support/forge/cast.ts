// The people of the golden ledgers: one for each part that an attack can be about. Real keys, made from their names.
import type { Member, Roster } from '../../../src/kernel/roster/roster.ts';
import { uuid } from '../events.ts';
import { encryptTo, member, nextRoster, roster, rosterKey, testKey } from '../people.ts';

export const PROJECT_ID = uuid('golden project');

export const KEY = {
  /** A root with two keys: one person all the same. */
  ana: testKey('ana'),
  anaSecond: testKey('ana', 'ana second'),
  ben: testKey('ben'),
  gus: testKey('gus'),
  kim: testKey('kim'),
  lee: testKey('lee'),
  rob: testKey('rob'),
  robSecond: testKey('rob', 'rob second'),
  sam: testKey('sam'),
  /** The same person as sam. */
  sid: testKey('sid'),
  /** Valid until the project has 2 events. */
  tom: testKey('tom'),
  /** Valid from the project's event 1000 on. */
  uma: testKey('uma'),
  wes: testKey('wes'),
  /** On no roster. */
  mallory: testKey('mallory'),
} as const;

/** A thousand project events: later than anything that happens here. */
export const UMA_FROM = 1000;
const TOM_UNTIL = 2;
/** Project size from which rob's second key counts and his first does not. */
const ROB_ROTATES_AT = 5;

export const ROSTER_0: Roster = roster(PROJECT_ID, members([rosterKey(KEY.rob)], []), { threshold: 2 });
export const ROSTER_1: Roster = nextRoster(ROSTER_0, {
  members: roster(
    PROJECT_ID,
    members(
      [rosterKey(KEY.rob, { until: ROB_ROTATES_AT }), rosterKey(KEY.robSecond, { from: ROB_ROTATES_AT })],
      [member(KEY.lee, { roles: ['person'], forge_user_id: 103, encrypt_to: encryptTo(KEY.lee, 'lee') })],
    ),
  ).members,
});

function members(rob: Member['keys'], more: readonly Member[]): Member[] {
  return [
    member(KEY.ana, { roles: ['person', 'root'], keys: [rosterKey(KEY.ana), rosterKey(KEY.anaSecond)] }),
    member(KEY.ben, { roles: ['person', 'root'] }),
    member(KEY.gus, { roles: ['gate'], principal_type: 'service', person_id: null }),
    member(KEY.kim, { roles: ['root'] }),
    member(KEY.rob, { roles: ['runner'], principal_type: 'runner', person_id: null, keys: rob }),
    member(KEY.sam, { roles: ['person'], forge_user_id: 102 }),
    member(KEY.sid, { roles: ['person'], person_id: 'sam' }),
    member(KEY.tom, { roles: ['person'], keys: [rosterKey(KEY.tom, { until: TOM_UNTIL })] }),
    member(KEY.uma, { roles: ['person'], keys: [rosterKey(KEY.uma, { from: UMA_FROM })] }),
    member(KEY.wes, { roles: ['writer'], principal_type: 'service', person_id: null }),
    ...more,
  ];
}

const TYPES = new Map(ROSTER_1.members.map((one) => [one.principal_id, one.principal_type]));

export function typeOf(principalId: string): Member['principal_type'] {
  return TYPES.get(principalId) ?? 'user';
}
