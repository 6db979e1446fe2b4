// What a log tells, for those who judge it: who said what, in which transaction, and which roster was in force when. Reads
// nothing else, and knows no state.
import type { Event, EventOf, EventType } from '../../src/kernel/event.ts';
import type { Member, Roster } from '../../src/kernel/roster/roster.ts';
import type { Name } from './cast.ts';

/** An event that was accepted: what it says, whose key signed the transaction it stands in, and which one that was. */
export type Entry = { readonly event: Event; readonly by: Name; readonly tx: number };

export type Said<T extends EventType> = {
  readonly event: EventOf<T>;
  readonly by: Name;
  readonly at: number;
  readonly tx: number;
};

export class Story {
  readonly entries: readonly Entry[];
  readonly #first: Roster;
  readonly #byType = new Map<EventType, Said<EventType>[]>();

  /** `first`: the roster that the mission grew up under. */
  constructor(entries: readonly Entry[], first: Roster) {
    this.entries = entries;
    this.#first = first;
    entries.forEach(({ event, by, tx }, at) => {
      const same = this.#byType.get(event.event_type) ?? [];
      same.push({ event, by, at, tx });
      this.#byType.set(event.event_type, same);
    });
  }

  all<T extends EventType>(type: T): readonly Said<T>[] {
    return (this.#byType.get(type) ?? []) as unknown as readonly Said<T>[];
  }

  last<T extends EventType>(type: T): Said<T> | undefined {
    return this.all(type).at(-1);
  }

  /** The one that is about this thing. */
  of<T extends EventType>(type: T, entity: string | null): Said<T> | undefined {
    return this.all(type).find(({ event }) => event.entity_id === entity);
  }

  until(at: number): Story {
    return new Story(this.entries.slice(0, at), this.#first);
  }

  get roster(): Roster {
    return this.rostersSince(this.entries.length)[0]!;
  }

  /** The one that was in force there, and all after it. */
  rostersSince(at: number): readonly Roster[] {
    const adopted = this.all('roster.adopted');
    const before = adopted.findLast((one) => one.at < at)?.event.payload.roster ?? this.#first;
    return [before, ...adopted.filter((one) => one.at >= at).map(({ event }) => event.payload.roster)];
  }

  member(name: string): Member | undefined {
    return this.roster.members.find(({ principal_id }) => principal_id === name);
  }

  speaks(name: string, role: Member['roles'][number]): boolean {
    return this.member(name)?.roles.includes(role) === true;
  }
}

export function personBehind({ person_id, principal_id }: Member): string {
  return person_id ?? principal_id;
}

/** Whose word counts as a person's. */
export function isVoter({ principal_type, roles }: Member): boolean {
  return principal_type === 'user' && roles.includes('person');
}
