// One mission of the walks as two readers know it: one that saw every event, and one that was restored from the state's
// canonical text after each transaction. What one accepts the other must accept, and both come to the same state.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { completeAll } from '../../src/app/draft.ts';
import { jcs } from '../../src/format/jcs.ts';
import { writeEvent } from '../../src/kernel/codec.ts';
import type { Drafts, Names } from '../../src/kernel/decide/about.ts';
import type { Event } from '../../src/kernel/event.ts';
import { checkClaimed } from '../../src/kernel/claimed.ts';
import type { Roster } from '../../src/kernel/roster/roster.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import type { TreeHead } from '../../src/kernel/values.ts';
import { accept, refuse, type Verdict } from '../../src/kernel/verdict.ts';
import { advance } from '../../src/ledger/advance.ts';
import { emptyMission, headOf, type Tip } from '../../src/ledger/tip.ts';
import { uuid } from '../support/events.ts';
import { CLAIMS, KEYS, type Name, type Succession } from './cast.ts';
import { founding, type Foundation } from './project.ts';
import { Story, type Entry } from './story.ts';

const OID = 'ab'.repeat(20);
const STARTED = Date.UTC(2026, 10, 18, 10);

/** Told of every transaction that was refused: whether it would be accepted, asked again at once, under other rules. */
export type OnRefused = (wouldPass: () => boolean) => void;

/** `under`: the number of the roster that the project had where it was decided; undefined: the mission’s first. */
type Transaction = { readonly by: Name; readonly events: readonly Event[]; readonly under: number | undefined };

export class World {
  readonly log: Entry[] = [];
  readonly transactions: Transaction[] = [];
  readonly disagreements: string[] = [];
  readonly project: Foundation;
  readonly #onRefused: OnRefused | undefined;
  #tip: Tip;
  #restored: Tip;
  #nowMs = STARTED;
  #round = 0;

  constructor(project: Succession | Foundation, onRefused?: OnRefused) {
    this.#onRefused = onRefused;
    this.project = typeof project === 'string' ? founding(project) : project;
    this.#tip = emptyMission(nodeCrypto, this.project.opened);
    this.#restored = this.#tip;
  }

  get state(): MissionState | undefined {
    return this.#tip.state as MissionState | undefined;
  }

  get roster(): Roster {
    return this.state?.roster ?? this.project.rosters[0]!;
  }

  get now(): string {
    return new Date(this.#nowMs).toISOString();
  }

  /** The project head under which the mission stands: whoever looks at a later one adopts what lies in between. */
  get head(): TreeHead {
    return this.#headAt(this.state?.roster.n);
  }

  #headAt(n: number | undefined): TreeHead {
    return headOf(n === undefined ? this.project.opened : this.project.tips[n]!);
  }

  /** Who adopts a roster cites the head that has it. */
  #cited(events: readonly Event[]): number | undefined {
    if (this.state === undefined) return undefined;
    const adopted = events.flatMap((one) => (one.event_type === 'roster.adopted' ? [one.payload.roster.n] : []));
    const n = Math.max(this.roster.n, ...adopted);
    return Math.min(n, this.project.tips.length - 1);
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

  /** A number that no comment had before. */
  comment(): number {
    return 1000 + (this.#round += 1);
  }

  /** The events that drafts become under somebody's key, as the program makes them; none where that one is nobody here. */
  written(by: Name, drafts: Drafts): Event[] {
    const member = this.roster.members.find(({ principal_id }) => principal_id === by);
    if (member === undefined) return [];
    const names = this.names();
    const drawn = { id: (n: number) => names(`event ${n}`), correlation: names('correlation'), occurredAt: this.now };
    return [...completeAll(drafts, member, drawn, this.state)];
  }

  /** Appends a transaction if the rules let it; what they answer either way. */
  append(by: Name, events: readonly Event[]): Verdict<unknown> {
    const under = this.#cited(events);
    const read = this.#read(by, events, under);
    if (read.is === 'refused') return read;
    [this.#tip, this.#restored] = read.value;
    const tx = this.transactions.length;
    this.transactions.push({ by, events, under });
    this.log.push(...events.map((one) => ({ event: one, by, tx })));
    return read;
  }

  /** What `append` would answer, and nothing comes of it. */
  judged(by: Name, events: readonly Event[]): Verdict<unknown> {
    return this.#read(by, events, this.#cited(events));
  }

  story(until = this.log.length): Story {
    return new Story(this.log.slice(0, until), this.project.rosters[0]!);
  }

  #read(by: Name, events: readonly Event[], under: number | undefined): Verdict<readonly [Tip, Tip]> {
    const blobs: Uint8Array[] = [];
    const readBack: Event[] = [];
    for (const one of events) {
      const written = writeEvent(one);
      if (written.is === 'refused') return written;
      blobs.push(written.value.blob);
      readBack.push(written.value.event);
    }
    if (events.length === 0) return refuse('transaction_size', { events: 0 });
    const tx = uuid(`transaction ${this.transactions.length} ${this.#round}`);
    const proposed = { tx, blobs, readBack, fingerprint: KEYS[by].fingerprint, project: this.#headAt(under) };
    const live = advance(nodeCrypto, this.#tip, proposed);
    const again = advance(nodeCrypto, this.#restored, proposed);
    const text = live.is === 'refused' ? live.code : jcs(live.value.tip.state);
    const other = again.is === 'refused' ? again.code : jcs(again.value.tip.state);
    if (text !== other) this.disagreements.push(`${events.map((one) => one.event_type).join()}: ${text} | ${other}`);
    if (live.is === 'refused') {
      this.#onRefused?.(() => advance(nodeCrypto, this.#tip, proposed).is === 'accepted');
      return live;
    }
    const after = live.value.tip.state as MissionState;
    for (const one of events) {
      const refused = checkClaimed(one, after, under === undefined ? undefined : CLAIMS);
      if (refused !== undefined) return refused;
    }
    const genesis = live.value.tip.genesis ?? OID;
    const tip = { ...live.value.tip, oid: OID, genesis };
    return accept([tip, { ...tip, state: restored(text) }]);
  }
}

const rosters = new Map<string, Roster>();

/** As a cache gives it back: the keys of every record in another order. Its roster is read once, for its keys are costly. */
function restored(text: string): MissionState {
  const state = JSON.parse(text) as MissionState;
  const known = jcs(state.roster);
  const roster = rosters.get(known) ?? state.roster;
  rosters.set(known, roster);
  return { ...state, roster };
}
