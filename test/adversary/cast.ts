// The people and machines of the walks: one per role, a second account of the one who proposes, two roots of whom both
// must sign. Which of them lies is drawn anew for every walk.
import type { Member, Roster } from '../../src/kernel/roster/roster.ts';
import { uuid } from '../support/events.ts';
import { member, roster, testKey, type TestKey } from '../support/people.ts';

export const PROJECT = uuid('project of the walks');
export const MISSION = uuid('mission of the walks');

const NAMES = ['ana', 'ana-second', 'bo', 'cy', 'gil', 'rex', 'ron', 'ro', 'ru', 'wim'] as const;
export type Name = (typeof NAMES)[number];

export const KEYS = Object.fromEntries(NAMES.map((name) => [name, testKey(name)])) as Record<Name, TestKey>;

export const ROSTER: Roster = roster(
  PROJECT,
  [
    member(KEYS.ana, { roles: ['person'], forge_user_id: 11 }),
    member(KEYS['ana-second'], { roles: ['person'], forge_user_id: 12, person_id: 'ana' }),
    member(KEYS.bo, { roles: ['person'], forge_user_id: 13 }),
    member(KEYS.cy, { roles: ['person'], forge_user_id: 14 }),
    member(KEYS.gil, { roles: ['gate'], principal_type: 'service', person_id: null }),
    member(KEYS.rex, { roles: ['runner'], principal_type: 'runner', person_id: null }),
    member(KEYS.ron, { roles: ['runner'], principal_type: 'runner', person_id: null }),
    member(KEYS.wim, { roles: ['writer'], principal_type: 'service', person_id: null }),
    member(KEYS.ro, { roles: ['root'] }),
    member(KEYS.ru, { roles: ['root'] }),
  ],
  { threshold: 2 },
);

export function memberOf(name: string): Member | undefined {
  return ROSTER.members.find(({ principal_id }) => principal_id === name);
}

export function personBehind(name: string): string {
  const found = memberOf(name);
  return found?.person_id ?? name;
}

/** Who lies: one of them, or all keys of one role. */
export const LIARS: readonly (readonly Name[])[] = [
  ['ana'],
  ['ana', 'ana-second'],
  ['bo'],
  ['gil'],
  ['ron'],
  ['rex'],
  ['rex', 'ron'],
  ['wim'],
  ['ro'],
];
