// Walks over a branch instead of one log: honest notes, garbage that anybody who may push leaves, repairs as they should be, and
// roots who use theirs to be rid of history. What verified once must be there whenever the branch verifies again.
import * as fc from 'fast-check';
import { createMemoryRepository } from '../../src/adapters/memory/memory-repository.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { verifyLedger } from '../../src/app/verify/verify-ledger.ts';
import { hex } from '../../src/format/bytes.ts';
import type { Oid } from '../../src/format/git/object.ts';
import type { Event } from '../../src/kernel/event.ts';
import { rosterDigest } from '../../src/kernel/roster/roster.ts';
import { missionRef, PROJECT_REF } from '../../src/ledger/names.ts';
import { emptyMission, headOf, type Tip } from '../../src/ledger/tip.ts';
import { event, uuid } from '../support/events.ts';
import { garbageOn } from '../support/forge/golden.ts';
import { KEYS, MISSION, PROJECT, type Name } from './cast.ts';
import { Draw } from './draw.ts';
import { foundation, type Foundation } from './project.ts';
import type { Found } from './walk.ts';
import { agreed } from '../support/people.ts';

/** A commit that was pushed; `tip`: what it made of the ledger, where it is no garbage. */
type Pushed = { readonly oid: Oid; readonly tip: Tip | undefined };

class Branch {
  readonly #project: Foundation = foundation('nothing happens');
  readonly #pushed: Pushed[] = [];
  /** Hashes of the events that a verifier saw last. */
  #seen: readonly string[] = [];

  get #head(): Oid {
    return this.#pushed.at(-1)?.oid ?? this.#project.opened.oid!;
  }

  get #good(): readonly number[] {
    return [...this.#pushed.keys()].filter((n) => this.#pushed[n]!.tip !== undefined);
  }

  async write(n: number): Promise<string | undefined> {
    const { tip } = this.#pushed.at(-1) ?? { tip: emptyMission(nodeCrypto, this.#project.opened) };
    if (tip === undefined) return undefined;
    const first = tip.state === undefined ? [said('mission.opened', this.#opening(tip), 'ana', MISSION)] : [];
    const note = { bytes: n, digest: `sha256:${'0a'.repeat(32)}`, media_type: 'text/plain' };
    return this.#push(tip, 'ana', [...first, said('note.recorded', note, 'ana', uuid(`note ${n}`))]);
  }

  litter(count: number): void {
    const { bench } = this.#project;
    for (let n = 0; n < count; n++) this.#pushed.push({ oid: garbageOn(bench, this.#head, 1), tip: undefined });
  }

  /** From the last good head on, as it should be; or from any, whatever came after it. */
  async repair(draw: Draw, isHonest: boolean): Promise<string | undefined> {
    const good = this.#good;
    const from = isHonest ? good.at(-1) : good[draw.below(good.length)];
    if (from === undefined || from === this.#pushed.length - 1) return undefined;
    const { tip } = this.#pushed[from]!;
    const repair = {
      foreign_count: this.#pushed.length - 1 - from,
      foreign_tip: this.#head,
      ledger_id: MISSION,
      roster: rosterDigest(nodeCrypto, tip!.state!.roster),
      valid_head: headOf(tip!),
    };
    return this.#push(tip!, 'ro', [
      said('ledger.repaired', agreed([KEYS.ro, KEYS.ru], 'repair', repair), 'ro', MISSION),
    ]);
  }

  #opening(tip: Tip): Extract<Event, { event_type: 'mission.opened' }>['payload'] {
    return { grew_from: tip.parent!.head, mission_id: MISSION, project_id: PROJECT, proposal: null };
  }

  /** What a verifier says of it decides whether it stays; then whether what was there before is. */
  async #push(from: Tip, by: Name, events: readonly Event[]): Promise<string | undefined> {
    const tip = this.#project.bench.honest(from, KEYS[by], events);
    const read = await this.#verified(tip.oid!);
    if (read === undefined) return undefined;
    this.#pushed.push({ oid: tip.oid!, tip });
    const before = this.#seen;
    this.#seen = read;
    return before.every((leaf, n) => read[n] === leaf)
      ? undefined
      : `${before.length} events had been verified, of which some are gone`;
  }

  async #verified(head: Oid): Promise<readonly string[] | undefined> {
    const { bench, opened, tips } = this.#project;
    const repository = createMemoryRepository();
    const updates = [
      { ref: PROJECT_REF, old: undefined, next: tips.at(-1)!.oid },
      { ref: missionRef(MISSION), old: undefined, next: head },
    ];
    await repository.commit({ objects: [...bench.objects.values()], updates });
    const leaves: string[] = [];
    const { report } = await verifyLedger({
      crypto: nodeCrypto,
      reader: repository,
      ref: missionRef(MISSION),
      genesis: opened.state!.project_genesis,
      mode: 'full',
      onCommit: (seen) => {
        if (seen.ledger === 'mission') leaves.push(...seen.leaves.map(hex));
      },
    });
    return report.integrity.is === 'ok' ? leaves : undefined;
  }
}

function said(type: Event['event_type'], payload: unknown, by: Name, entity_id: string): Event {
  return event(type, payload as never, { actor_id: by, entity_id, task_id: MISSION });
}

const numbers = fc.array(fc.noBias(fc.nat()), { minLength: 14, maxLength: 14 });

/** The walk that a seed stands for. */
export async function repairsOf(seed: number): Promise<Found | undefined> {
  const branch = new Branch();
  for (const [n, number] of fc.sample(numbers, { numRuns: 1, seed })[0]!.entries()) {
    const draw = new Draw(number);
    const how = await step(branch, n, draw);
    if (how !== undefined) return { invariant: 'nothing is lost', how, steps: n + 1 };
  }
  return undefined;
}

async function step(branch: Branch, n: number, draw: Draw): Promise<string | undefined> {
  switch (n === 0 ? 'write' : draw.weighted({ write: 4, litter: 3, repair: 3, lie: 2 })) {
    case 'write':
      return branch.write(n);
    case 'litter':
      return branch.litter(1 + draw.below(2)) as undefined;
    case 'repair':
      return branch.repair(draw, true);
    case 'lie':
      return branch.repair(draw, false);
  }
}
