// What a writer seals a verifier accepts, down to the last byte of the tip; what may not be written is refused before
// anything is signed, by the same rule that would refuse it later.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { fromUtf8 } from '../../src/format/bytes.ts';
import type { Event } from '../../src/kernel/event.ts';
import { rosterDigest } from '../../src/kernel/roster/roster.ts';
import { emptyProject, headOf, type Tip } from '../../src/ledger/tip.ts';
import { readCommit, verifyCommit } from '../../src/ledger/verify-commit.ts';
import { T0_SECONDS, uuid } from '../support/events.ts';
import { exampleOf, repairOf, rosterAdoption, sealOf } from '../support/examples.ts';
import { CAST, PROJECT, STRANGER, TASK, castRoster, fact, openedProject } from '../support/given.ts';
import {
  notes,
  plain,
  prepare,
  reread,
  write,
  writtenMission,
  writtenProject,
  expectReread,
  expectRefused,
} from '../support/written.ts';
import { nextRoster } from '../support/people.ts';

const project = writtenProject();
const mission = writtenMission(project.tip);

describe('a verifier', () => {
  it('comes to the tip that the writer came to, from the first event of a project and of a mission', () => {
    expectReread(project);
    expectReread(mission);
  });

  it('says who signed, when, and what was said', () => {
    const events = notes(2);
    expect(reread(write(mission.tip, events, CAST.gate))).toMatchObject({
      value: { events, atSeconds: 1_795_000_000, signer: { member: { principal_id: 'gate' } } },
    });
  });

  it.each([1, 2, 255, 256])('agrees on a transaction of %i events', (count) => {
    expectReread(write(mission.tip, notes(count), CAST.gate));
  });

  it('agrees on ledgers of any transactions, across segments', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 256 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(sizes, (counts) => {
        let tip = mission.tip;
        for (const count of counts) {
          const written = write(tip, notes(count, tip.size), CAST.gate);
          expectReread(written);
          tip = written.tip;
        }
      }),
      { numRuns: 10 },
    );
  });

  it('agrees on every kind of project event', () => {
    let { tip } = project;
    const say = (event: Event, by = CAST.root): void => {
      const written = write(tip, [event], by);
      expectReread(written);
      ({ tip } = written);
    };
    for (const type of ['mission.registered', 'claims.released'] as const)
      say(exampleOf(type, CAST.gate).event, CAST.gate);
    for (const type of ['tree_head.recorded', 'halt.declared', 'halt.lifted', 'key.cut_off', 'roster.updated'] as const)
      say(exampleOf(type, CAST.root).event);
    const roster = rosterDigest(nodeCrypto, nextRoster(castRoster()));
    say(fact('ledger.sealed', sealOf({ ledger_id: PROJECT, roster }), CAST.root, { task: PROJECT }));
    expect(tip).toMatchObject({ size: 9, state: { sealed: true, roster: { n: 1 } } });
  });

  it('agrees on an adopted roster: the transaction is judged by the one before, the next one by the new one', () => {
    const next = nextRoster(castRoster(), { threshold: 2 });
    const adopted = write(mission.tip, [fact('roster.adopted', rosterAdoption(next), CAST.runner)], CAST.runner);
    expect(fromUtf8(adopted.commit.body)).toContain('Ledger-Roster: 0 ');
    expectReread(adopted);
    const later = write(adopted.tip, notes(1), CAST.gate);
    expect(fromUtf8(later.commit.body)).toContain('Ledger-Roster: 1 ');
    expectReread(later);
  });
});

describe('a transaction', () => {
  it.each([0, 257])('of %i events is refused', (count) => {
    expectRefused(prepare(mission.tip, notes(count), CAST.gate), 'transaction_size');
  });

  it('is all or nothing: one event that breaks a rule refuses it, at that event’s index', () => {
    const wrong = fact('task.readied', {}, CAST.gate, { task: TASK });
    expect(prepare(mission.tip, [...notes(2), wrong], CAST.gate)).toMatchObject({
      code: 'task_unknown',
      facts: { index: 3 },
    });
  });

  it('may not hold what its own seal forbids', () => {
    const seal = sealOf();
    const root = [fact('ledger.sealed', seal, CAST.root), fact('ledger.sealed', seal, CAST.root)];
    expectRefused(prepare(mission.tip, root, CAST.root), 'ledger_sealed');
  });

  it('is recognised when it comes again, for as long as its id is remembered', () => {
    const tx = uuid('the very same');
    let { tip } = write(mission.tip, notes(1), CAST.gate, { tx });
    expectRefused(prepare(tip, notes(1), CAST.gate, { tx }), 'transaction_duplicate');
    for (let i = 0; i < 255; i++) ({ tip } = write(tip, notes(1, i), CAST.gate));
    expectRefused(prepare(tip, notes(1), CAST.gate, { tx }), 'transaction_duplicate');
    ({ tip } = write(tip, notes(1), CAST.gate));
    expect(prepare(tip, notes(1), CAST.gate, { tx }).is).toBe('accepted');
  });

  it('is refused past the largest size of a ledger', () => {
    const full: Tip = { ...mission.tip, size: 256_000_000 - 1 };
    expectRefused(prepare(full, notes(2), CAST.gate), 'limit_reached');
  });

  it('with a repair holds nothing else, and goes on from the head that the repair names', () => {
    const here = repairOf({ valid_head: headOf(mission.tip) });
    const elsewhere = fact('ledger.repaired', repairOf(), CAST.root);
    const repair = fact('ledger.repaired', here, CAST.root);
    expectRefused(prepare(mission.tip, [repair, repair], CAST.root), 'repair_not_alone');
    expectRefused(prepare(mission.tip, [elsewhere], CAST.root), 'repair_wrong_head');
  });

  it('with a repair stands on the foreign tip, and is believed only if history is as it says', () => {
    const repair = fact('ledger.repaired', repairOf({ valid_head: headOf(mission.tip) }), CAST.root);
    const { commit, blobs, tip } = write(mission.tip, [repair], CAST.root);
    const read = readCommit(nodeCrypto, commit);
    if (read.is === 'refused') throw new Error(read.code);
    const foreign = { tip: 'ef'.repeat(20), count: 2 };
    expect(read.value.commit.parents).toEqual([foreign.tip]);
    const verify = (seen?: typeof foreign) => verifyCommit(nodeCrypto, mission.tip, read.value, blobs, seen);
    expect(verify(foreign)).toMatchObject({ value: { tip: { oid: tip.oid, size: 2 } } });
    expectRefused(verify({ ...foreign, count: 3 }), 'repair_mismatch');
    expectRefused(verify({ ...foreign, tip: 'ee'.repeat(20) }), 'commit_reparented');
    expectRefused(verify(), 'commit_reparented');
  });
});

describe('preparing', () => {
  it('leaves the tip as it was: a lost race is decided again on a newer one', () => {
    const before = JSON.stringify(plain(mission.tip));
    const lost = prepare(mission.tip, notes(3), CAST.gate);
    expect(lost.is).toBe('accepted');
    expect(JSON.stringify(plain(mission.tip))).toBe(before);
    const winner = write(mission.tip, notes(1, 7), CAST.gate);
    expectReread(write(winner.tip, notes(3), CAST.gate));
  });

  it('gives the same bytes for the same draft, whoever asks', () => {
    const twice = [0, 1].map(() => prepare(mission.tip, notes(3), CAST.gate));
    const [one, other] = twice.map((made) => (made.is === 'accepted' ? made.value : undefined));
    expect(one!.payload).toEqual(other!.payload);
    expect(one!.finish(CAST.gate.signNow(one!.payload, T0_SECONDS)).tip.oid).toBe(
      other!.finish(CAST.gate.signNow(one!.payload, T0_SECONDS)).tip.oid,
    );
  });

  it('does not begin a project with somebody else’s fingerprint', () => {
    const said = fact('project.opened', { roster: openedProject().roster }, STRANGER);
    expectRefused(prepare(emptyProject(nodeCrypto), [said], STRANGER), 'signer_unknown');
  });
});
