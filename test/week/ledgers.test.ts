// What the judge counts in a ledger, on events of a few words.
import { expect, it } from 'vitest';
import { grantedBy, type Event } from './ledgers.ts';

const event = (event_type: string, payload: object): Event => ({ event_type, entity_id: '', occurred_at: '', payload });
const asked = (approval_type = 'plan'): Event => event('approval.requested', { approval_type });
const granted = (...votes: readonly string[]): Event => event('approval.granted', { votes });
const grantedIn = (...events: readonly Event[]): readonly string[] => [
  ...grantedBy({ tip: '', commits: 0, events: [event('mission.opened', {}), ...events] }),
];

it('are the votes that the latest plan was granted for, and none where people are asked anew', () => {
  expect(grantedIn(asked(), granted('ana'))).toEqual(['ana']);
  expect(grantedIn(asked(), granted('ana'), asked(), granted('ben'))).toEqual(['ben']);
  expect(grantedIn(asked(), granted('ana'), asked())).toEqual([]);
  expect(grantedIn(asked(), granted('ana'), asked('effects'), granted('ben'))).toEqual(['ana', 'ben']);
  expect(grantedIn()).toEqual([]);
});
