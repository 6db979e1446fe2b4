// One mission of the walks as two readers know it: one that saw every event, and one that was restored from the state's
// canonical text after each transaction. What one accepts the other must accept, and both come to the same state.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { completeAll } from '../../src/app/draft.ts';
import { jcs } from '../../src/format/jcs.ts';
import { writeEvent } from '../../src/kernel/codec.ts';
import type { Drafts, Names } from '../../src/kernel/decide/about.ts';
import type { Event } from '../../src/kernel/event.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import type { TreeHead } from '../../src/kernel/values.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import { advance } from '../../src/ledger/advance.ts';
import { emptyMission, emptyProject, type Tip } from '../../src/ledger/tip.ts';
import { event, uuid } from '../support/events.ts';
import { Workshop } from '../support/forge/workshop.ts';
import { KEYS, memberOf, PROJECT, ROSTER, type Name } from './cast.ts';

/** An event that was accepted: what it says, and whose key signed the transaction it stands in. */
export type Entry = { readonly event: Event; readonly by: Name };

const OID = 'ab'.repeat(20);
const STARTED = Date.UTC(2026, 10, 18, 10);

const PROJECT_TIP = foundation().project;

export class World {
  readonly log: Entry[] = [];
  readonly transactions: { readonly by: Name; readonly events: readonly Event[] }[] = [];
  readonly disagreements: string[] = [];
  #tip: Tip = emptyMission(nodeCrypto, PROJECT_TIP);
  #restored: Tip = this.#tip;
  #nowMs = STARTED;
  #round = 0;

  get state(): MissionState | undefined {
    return this.#tip.state as MissionState | undefined;
  }

  get now(): string {
    return new Date(this.#nowMs).toISOString();
  }

  get head(): TreeHead {
    return this.#tip.parent?.head ?? this.#tip.project!;
  }

  in(seconds: number): string {
    return new Date(this.#nowMs + seconds * 1000).toISOString();
  }

  pass(seconds: number): void {
    this.#nowMs += seconds * 1000;
  }

  names(): Names {
    const round = (this.#round += 1);
    return (what) => uuid(`${round} ${what}`);
  }

  /** The events that drafts become under somebody's key, as the program makes them. */
  written(by: Name, drafts: Drafts): Event[] {
    const names = this.names();
    const drawn = { id: (n: number) => names(`event ${n}`), correlation: names('correlation'), occurredAt: this.now };
    return [...completeAll(drafts, memberOf(by)!, drawn, this.state)];
  }

  /** Appends a transaction if the rules let it; what they answer either way. */
  append(by: Name, events: readonly Event[]): Verdict<unknown> {
    const read = this.#read(by, events);
    if (read.is === 'refused') return read;
    this.transactions.push({ by, events });
    this.log.push(...events.map((one) => ({ event: one, by })));
    return read;
  }

  #read(by: Name, events: readonly Event[]): Verdict<unknown> {
    const blobs: Uint8Array[] = [];
    for (const one of events) {
      const encoded = writeEvent(one);
      if (encoded.is === 'refused') return encoded;
      blobs.push(encoded.value.blob);
    }
    const proposed = {
      tx: uuid(`transaction ${this.transactions.length} ${this.#round}`),
      blobs,
      fingerprint: KEYS[by].fingerprint,
      project: this.head,
    };
    const live = advance(nodeCrypto, this.#tip, proposed);
    const again = advance(nodeCrypto, this.#restored, proposed);
    const answers = [live, again].map((one) => (one.is === 'refused' ? one.code : jcs(one.value.tip.state)));
    if (answers[0] !== answers[1])
      this.disagreements.push(`${events.map((one) => one.event_type).join()}: ${answers.join(' | ')}`);
    if (live.is === 'refused') return live;
    this.#tip = { ...live.value.tip, oid: OID };
    this.#restored = { ...this.#tip, state: restored(live.value.tip.state!) };
    return live;
  }
}

/** As a cache gives it back: the keys of every record in another order. */
function restored<T>(state: T): T {
  return JSON.parse(jcs(state)) as T;
}

/** The project that all missions of the walks grow out of, as real commits. */
export function foundation(): { readonly bench: Workshop; readonly project: Tip } {
  const bench = new Workshop();
  const opened = event('project.opened', { roster: ROSTER }, { actor_id: 'ro', entity_id: PROJECT, task_id: PROJECT });
  return { bench, project: bench.honest(emptyProject(nodeCrypto), KEYS.ro, [opened]) };
}
