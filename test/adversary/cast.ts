// The people and machines of the walks: one per role, a second account of the one who proposes, two roots of whom both
// must sign. Which of them lies, and what later rosters say of them, is drawn anew for every walk.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { rosterDigest, type Member, type Roster } from '../../src/kernel/roster/roster.ts';
import { uuid } from '../support/events.ts';
import { member, roster, testKey, type TestKey } from '../support/people.ts';

export const PROJECT = uuid('project of the walks');
export const MISSION = uuid('mission of the walks');
/** The paths that it asks for, and that the project holds for it. */
export const CLAIMS: readonly string[] = ['src/**'];

export const NAMES = ['ana', 'ana-second', 'bo', 'cy', 'gil', 'rex', 'ron', 'ro', 'ru', 'wim'] as const;
export type Name = (typeof NAMES)[number];

export const KEYS = Object.fromEntries(NAMES.map((name) => [name, testKey(name)])) as Record<Name, TestKey>;

const MEMBERS: Readonly<Record<Name, Member>> = {
  ana: member(KEYS.ana, { roles: ['person'], forge_user_id: 11 }),
  'ana-second': member(KEYS['ana-second'], { roles: ['person'], forge_user_id: 12, person_id: 'ana' }),
  bo: member(KEYS.bo, { roles: ['person'], forge_user_id: 13 }),
  cy: member(KEYS.cy, { roles: ['person'], forge_user_id: 14 }),
  gil: member(KEYS.gil, { roles: ['gate'], principal_type: 'service', person_id: null }),
  rex: member(KEYS.rex, { roles: ['runner'], principal_type: 'runner', person_id: null }),
  ron: member(KEYS.ron, { roles: ['runner'], principal_type: 'runner', person_id: null }),
  ro: member(KEYS.ro, { roles: ['root'] }),
  ru: member(KEYS.ru, { roles: ['root'] }),
  wim: member(KEYS.wim, { roles: ['writer'], principal_type: 'service', person_id: null }),
};

/** What a roster says otherwise than `MEMBERS`: of one member, or that it is not there. */
export type Changes = Partial<Readonly<Record<Name, Partial<Member> | null>>>;

export function rosterOf(changes: Changes, before?: Roster): Roster {
  const members = NAMES.flatMap((name): Member[] => {
    const change = changes[name];
    return change === null ? [] : [{ ...MEMBERS[name], ...change }];
  });
  const follows = before === undefined ? {} : { n: before.n + 1, prev: rosterDigest(nodeCrypto, before) };
  return roster(PROJECT, members, { threshold: 2, ...follows });
}

function succession(first: Changes, ...later: readonly Changes[]): readonly Roster[] {
  const rosters = [rosterOf(first)];
  for (const changes of later) rosters.push(rosterOf(changes, rosters.at(-1)));
  return rosters;
}

/** The rosters of a project, one after the other, by what happens to its people. */
export const SUCCESSIONS = {
  'nothing happens': succession({}),
  'ana leaves, and her second account stays': succession({}, { ana: null }),
  'ana has another account': succession({}, { ana: { forge_user_id: 15 } }, { ana: null }),
  'ana changes her name': succession({}, { ana: { person_id: 'anna' } }),
  'ana-second turns out to be ana': succession({ 'ana-second': { person_id: null } }, {}),
  'bo turns out to be cy': succession({}, { cy: { person_id: 'bo' } }),
  'bo leaves': succession({}, { bo: null }),
  'cy comes later': succession({ cy: null }, {}),
  'two may vote': succession({ cy: null, 'ana-second': null }),
  'one may vote': succession({ bo: null, cy: null, 'ana-second': null }),
} as const satisfies Record<string, readonly Roster[]>;
export type Succession = keyof typeof SUCCESSIONS;

/**
 * Who lies: one of them, or all keys of one role; gate and writer, who may say most, more often. Roots who reach the
 * threshold are the project.
 */
export const LIARS: readonly (readonly Name[])[] = [
  ['ana'],
  ['ana', 'ana-second'],
  ['bo'],
  ['gil'],
  ['gil'],
  ['gil'],
  ['ron'],
  ['rex', 'ron'],
  ['wim'],
  ['wim'],
  ['ro'],
];
