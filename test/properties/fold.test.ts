// A ledger's state is what its events add up to, wherever one starts to add: from the first event, from any tip, or from
// a state and a frontier that were written down, in whatever order.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { rosterDigest } from '../../src/kernel/roster/roster.ts';
import { jcs } from '../../src/format/jcs.ts';
import { readFrontier } from '../../src/ledger/derived.ts';
import type { Tip } from '../../src/ledger/tip.ts';
import { readCommit, verifyCommit } from '../../src/ledger/verify-commit.ts';
import { base64, utf8 } from '../../src/format/bytes.ts';
import { courseRoster, eventsUpTo, turnsOf } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { rosterAdoption, sealOf } from '../support/examples.ts';
import { CAST, DIGEST, fact, RUT } from '../support/given.ts';
import type { Event } from '../../src/kernel/event.ts';
import { nextRoster, type TestKey } from '../support/people.ts';
import { shuffled } from '../support/shuffled.ts';
import { notes, plain, write, writtenMission, writtenProject, type Written } from '../support/written.ts';

const project = writtenProject(courseRoster());
const history: readonly Written[] = aMissionsLife();

/** A walk from proposal to receipts, tasks beside it, an adopted roster, and more than one segment of notes. */
function aMissionsLife(): Written[] {
  const made = [writtenMission(project.tip)];
  const say = (by: TestKey, ...events: Event[]): void => {
    made.push(write(made.at(-1)!.tip, events, by));
  };
  const walk = (from: number, to: number): void => {
    for (const { events, by } of turnsOf(eventsUpTo('ended').slice(from, to))) say(by, ...events);
  };
  const [born, intended] = [eventsUpTo('spawned').length, eventsUpTo('intended').length];
  walk(0, born);
  for (let i = 0; i < 6; i++) {
    const task = uuid(`task ${i}`);
    say(
      CAST.gate,
      fact('task.created', { contract: DIGEST }, CAST.gate, { task }),
      fact('task.readied', {}, CAST.gate, { task }),
    );
    if (i === 4) say(CAST.gate, fact('task.cancelled', { because: 'withdrawn' }, CAST.gate, { task }));
  }
  walk(born, intended);
  say(CAST.gate, ...notes(200));
  const second = nextRoster(courseRoster(), { threshold: 2 });
  say(CAST.runner, fact('roster.adopted', rosterAdoption(second), CAST.runner));
  say(CAST.gate, ...notes(120, 200));
  const third = nextRoster(second, { threshold: 1 });
  say(CAST.gate, fact('roster.adopted', rosterAdoption(third, [CAST.root, RUT]), CAST.gate));
  say(CAST.gate, ...notes(150, 320));
  walk(intended, Infinity);
  say(CAST.root, fact('ledger.sealed', sealOf({ roster: rosterDigest(nodeCrypto, third) }), CAST.root));
  return made;
}

/** Verifies the transactions from a tip on. */
function verifyFrom(start: Tip, from: number): Tip {
  let tip = start;
  for (const { commit, blobs } of history.slice(from)) {
    const read = readCommit(nodeCrypto, commit);
    const verified = read.is === 'refused' ? read : verifyCommit(nodeCrypto, tip, read.value, blobs);
    if (verified.is === 'refused') throw new Error(`${verified.code} ${JSON.stringify(verified.facts)}`);
    ({ tip } = verified.value);
  }
  return tip;
}

/** What is left of a tip when only what was kept of it remains: state, recent ids and frontier pass through their bytes. */
function throughFiles(tip: Tip, seed: number): Tip {
  const { state, recent } = shuffled({ state: tip.state, recent: tip.recent }, seed);
  const lines = tip.frontier.hashes().map((hash) => `${base64(hash)}\n`);
  const frontier = readFrontier(nodeCrypto, utf8(lines.join('')), tip.size, tip.root);
  if (frontier.is === 'refused') throw new Error('the files of a good tip are good');
  return { ...tip, state, recent, frontier: frontier.value };
}

describe('a mission’s state', () => {
  const whole = verifyFrom(history[0]!.before, 0);

  it('is the one its writer had', () => {
    expect(plain(whole)).toEqual(plain(history.at(-1)!.tip));
    expect(whole.state).toMatchObject({
      notes: 470,
      sealed: true,
      roster: { n: 2 },
      course: { end: { outcome: 'done' } },
    });
    expect(whole.size).toBeGreaterThan(2 * 256 - 50);
  });

  it('is the same from any tip on, be it remembered or read back with its keys in any order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: history.length - 1 }), fc.integer(), (from, seed) => {
        const { before } = history[from]!;
        expect(plain(verifyFrom(before, from))).toEqual(plain(whole));
        expect(plain(verifyFrom(throughFiles(before, seed), from))).toEqual(plain(whole));
      }),
      { numRuns: 12 },
    );
  });

  it('is plain data: its canonical text says all of it', () => {
    for (const { tip } of history) expect(JSON.parse(jcs(tip.state))).toEqual(tip.state);
  });
});
