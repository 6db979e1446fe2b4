// The lists of event types in docs/ledger-format.md against what the types say of themselves: whoever follows the page refuses
// and accepts the same.
import { expect, it } from 'vitest';
import { EVENT_TYPES, PLACES, type EventType } from '../../src/kernel/event.ts';
import type { Traits } from '../../src/kernel/traits.ts';
import { read } from './pages.ts';

const PAGE = read('docs/ledger-format.md').replaceAll(/\s+/g, ' ');

it.each<[keyof Traits, string, string]>([
  ['starts', 'stands only in what starts a chain: ', '(`cause_missing`)'],
  ['beside', 'What is open no more is forgotten; ', ' change nothing in it'],
  ['far', '- A `cause` is of the mission that the payload names, in ', '; in `mission.opened`'],
  ['follows', '`tree_head.recorded`; in ', ' it is the end of another mission'],
  ['draws', '**Ids** of ', ' are drawn once'],
  ['aftercare', 'After `mission.ended` stand only ', ' (`mission_over`'],
  ['untilHalted', 'at which the project is halted stand no ', ' (`project_halted`)'],
  ['untilCancelled', 'From then on there is no ', ' but with `cancelled` (`mission_cancelled`'],
  ['untilHeld', 'While it is held stand no ', ' above 1 (`mission_held`'],
  ['needsPaths', '**Claimed.** A ', ' stand only under a project head'],
  ['carried', 'the signer is looked up anew as in step 4, except for ', ' themselves: whoever is leaving'],
  ['inProofs', 'every one that holds an event of the types ', '. Another form is `bundle_malformed`'],
])('the page lists the types that say %s', (said, from, until) => {
  const saying = [...EVENT_TYPES].filter((type) => PLACES[type as EventType][said] !== undefined);
  expect(listedBetween(from, until)).toEqual(saying.toSorted());
});

function listedBetween(from: string, until: string): readonly string[] {
  const start = PAGE.indexOf(from) + from.length;
  const end = PAGE.indexOf(until, start);
  const names = [...PAGE.slice(start, end).matchAll(/`([a-z_]+\.(?:[a-z_]+|…))`/gu)].map(([, name]) => name!);
  // `artifact.…` is every one of that noun.
  const types = names.flatMap((name) =>
    name.endsWith('…') ? [...EVENT_TYPES].filter((type) => type.startsWith(name.slice(0, -1))) : [name],
  );
  return types.toSorted();
}
