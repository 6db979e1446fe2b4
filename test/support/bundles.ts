// Ledgers written in memory and the proof bundles made of them, honest ones and those of a liar: whoever holds a key can
// sign anything, so a liar's transaction is signed like any other.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { hex } from '../../src/format/bytes.ts';
import { encodeCommit, type CommitFields } from '../../src/format/git/commit.ts';
import { gitObject, type GitObject } from '../../src/format/git/object.ts';
import { leafHash } from '../../src/format/merkle.ts';
import { armor } from '../../src/format/openpgp/armor.ts';
import type { Event } from '../../src/kernel/event.ts';
import type { AdoptedFrom } from '../../src/kernel/mission/events.ts';
import { rosterDigest, type Roster } from '../../src/kernel/roster/roster.ts';
import type { TreeHead } from '../../src/kernel/values.ts';
import { ESSENTIAL } from '../../src/ledger/bundle-commits.ts';
import type { Bundle } from '../../src/ledger/bundle-format.ts';
import { writeBundle, type Extract, type Extracts, type Material } from '../../src/ledger/bundle-write.ts';
import { missionRef, PROJECT_REF } from '../../src/ledger/names.ts';
import { emptyMission, emptyProject, headOf, type Tip } from '../../src/ledger/tip.ts';
import { encodeMessage, type Claims } from '../../src/ledger/trailers.ts';
import type { Repository } from '../../src/ports/repository.ts';
import { bytesOf } from './given.ts';
import { sealedOn } from './sealed.ts';
import { taken } from './taken.ts';
import { event, T0_SECONDS, uuid } from './events.ts';
import { member, roster, rosterKey, testKey, agreed, nextRoster, type TestKey } from './people.ts';

export const PROJECT = uuid('bundle project');
export const MISSION = uuid('bundle mission');
export const ana = testKey('ana');
export const ben = testKey('ben');
export const eve = testKey('eve');
export const stranger = testKey('mallory');

export type Lies = {
  readonly claims?: Partial<Claims>;
  readonly fields?: Partial<CommitFields>;
  /** Event types for the first line, when not those of the events. */
  readonly said?: readonly string[];
  /** Whose key signs, when it is not the author's. */
  readonly signedBy?: TestKey;
};

/** A ledger as it is written, with what a proof of it needs. */
export class Writer {
  readonly leaves: Uint8Array[] = [];
  readonly transactions: Extract[] = [];
  /** Everything a repository must hold of it. */
  readonly objects: GitObject[] = [];
  readonly #tips: Tip[];

  constructor(tip: Tip) {
    this.#tips = [tip];
  }

  get tip(): Tip {
    return this.#tips.at(-1)!;
  }

  /** Forgets all but the first transactions. */
  rewindTo(transactions: number): void {
    this.#tips.splice(transactions + 1);
    this.transactions.splice(transactions);
    this.leaves.splice(this.tip.size);
  }

  say(by: TestKey, said: readonly Event[], project?: TreeHead): this {
    const tx = uuid(`${this.tip.state?.ledger_id ?? ''} tx ${this.tip.size} ${by.principalId}`);
    const atSeconds = T0_SECONDS + this.tip.size;
    const sealed = sealedOn(this.tip, by, said, { tx, atSeconds, ...(project && { project }) });
    const prevSize = this.tip.size;
    const shown = sealed.events.map((one, i) => ({ index: prevSize + i, bytes: bytesOf(one) }));
    this.leaves.push(...shown.map(({ bytes }) => leafHash(nodeCrypto, bytes)));
    this.transactions.push({ commit: sealed.commit.body, prevSize, size: sealed.tip.size, events: shown });
    this.objects.push(...sealed.objects);
    this.#tips.push(sealed.tip);
    return this;
  }

  /**
   * A transaction that no rule was asked about: signed, with the root that follows from it, and with whatever claims the
   * liar prefers.
   */
  lie(by: TestKey, blobs: readonly Uint8Array[], lies: Lies = {}): this {
    const { tip } = this;
    const frontier = tip.frontier.clone();
    const leaves = blobs.map((bytes) => leafHash(nodeCrypto, bytes));
    for (const leaf of leaves) frontier.append(leaf);
    const state = tip.state!;
    const root = hex(frontier.root());
    const tx = uuid(`lie ${root}`);
    const current = { n: state.roster.n, digest: rosterDigest(nodeCrypto, state.roster) };
    const told = {
      ledgerId: state.ledger_id,
      tx,
      prevSize: tip.size,
      size: frontier.size,
      prevRoot: tip.root,
      root,
      roster: current,
    };
    const inMission = tip.project && { genesis: tip.genesis ?? 'self', project: tip.project };
    const claims = { ...told, ...inMission, ...lies.claims };
    const atSeconds = T0_SECONDS + tip.size;
    const author = { name: by.principalId, email: `${by.fingerprint}@lazarus.invalid`, atSeconds };
    const fields = {
      tree: tip.layout.root!.oid,
      parents: [tip.oid!],
      author,
      message: encodeMessage(claims, lies.said ?? blobs.map(typeOf)),
      ...lies.fields,
    };
    const payload = encodeCommit(fields);
    const signature = armor('SIGNATURE', (lies.signedBy ?? by).signNow(payload, atSeconds));
    const commit = gitObject(nodeCrypto, 'commit', encodeCommit({ ...fields, signature }));
    const events = blobs.map((bytes, i) => ({ index: tip.size + i, bytes }));
    this.objects.push(commit);
    this.leaves.push(...leaves);
    this.transactions.push({ commit: commit.body, prevSize: tip.size, size: frontier.size, events });
    this.#tips.push({ ...tip, oid: commit.oid, size: frontier.size, root, frontier, project: claims.project });
    return this;
  }

  /** Where the newest event stands, as whoever adopts it names it. */
  newest(): AdoptedFrom {
    return { index: this.tip.size - 1, leaf: hex(this.leaves.at(-1)!) };
  }

  get head(): TreeHead {
    return headOf(this.tip);
  }

  /** What a proof shows of it: everything that decides on signers, the events asked for, and the newest transaction. */
  extracts(indexes: readonly number[], sizes: readonly number[] = []): Extracts {
    const transactions = this.transactions.flatMap((one, i): Extract[] => {
      const events = one.events.filter(({ index, bytes }) => indexes.includes(index) || ESSENTIAL.has(typeOf(bytes)));
      const isLast = i === this.transactions.length - 1;
      return events.length > 0 || isLast || sizes.includes(one.size) ? [{ ...one, events }] : [];
    });
    return { leaves: this.leaves, transactions };
  }
}

export type World = {
  readonly project: Writer;
  readonly mission: Writer;
  readonly roster0: Roster;
  readonly roster1: Roster;
};

/**
 * A project of two roots with a threshold of two, which takes eve off the roster, and a mission that grew before that,
 * adopted it, and has notes by ana and, while she counted, by eve.
 */
export function world(): World {
  const eveAsRunner = member(eve, { roles: ['runner'], principal_type: 'runner', person_id: null });
  const roster0 = roster(PROJECT, [member(ana), member(ben), eveAsRunner], { threshold: 2 });
  const project = new Writer(emptyProject(nodeCrypto)).say(ana, [projectEvent('project.opened', { roster: roster0 })]);
  const mission = new Writer(emptyMission(nodeCrypto, project.tip));
  mission.say(ana, [
    missionEvent('mission.opened', {
      grew_from: project.head,
      mission_id: MISSION,
      project_id: PROJECT,
      proposal: null,
    }),
  ]);
  for (let i = 0; i < 5; i++) mission.say(ana, [noteBy(ana, i), noteBy(ana, 100 + i)]);
  mission.say(eve, [noteBy(eve, 5)]);
  const ended = { ...eveAsRunner, keys: [rosterKey(eve, { until: 1 })] };
  const roster1 = nextRoster(roster0, { members: [member(ana), member(ben), ended] });
  const update = agreed([ana, ben], 'roster', roster1);
  project.say(ana, [projectEvent('roster.updated', update)]);
  mission.say(
    ana,
    [missionEvent('roster.adopted', { ...update, from: project.newest() }, PROJECT), noteBy(ana, 6)],
    project.head,
  );
  for (let i = 7; i < 12; i++) mission.say(ben, [noteBy(ben, i)], project.head);
  return { project, mission, roster0, roster1 };
}

export function noteBy(by: TestKey, i: number): Event {
  return event(
    'note.recorded',
    { bytes: i, digest: `sha256:${String(i).padStart(64, '0')}`, media_type: 'text/plain' },
    {
      actor_id: by.principalId,
      actor_type: by === eve ? 'runner' : 'user',
      entity_id: uuid(`note ${i}`),
      task_id: MISSION,
    },
  );
}

export function missionEvent(type: Event['event_type'], payload: object, entity = MISSION, by = ana): Event {
  return event(type, payload as never, { actor_id: by.principalId, entity_id: entity, task_id: MISSION });
}

export function projectEvent(type: Event['event_type'], payload: object, by = ana): Event {
  return event(type, payload as never, { actor_id: by.principalId, entity_id: PROJECT, task_id: PROJECT });
}

/** Puts both ledgers into a repository. */
export async function store({ project, mission }: World, repository: Repository): Promise<void> {
  const updates = [
    { ref: PROJECT_REF, old: undefined, next: project.head.oid },
    { ref: missionRef(MISSION), old: undefined, next: mission.head.oid },
  ];
  await repository.commit({ objects: [...project.objects, ...mission.objects], updates });
}

/** A bundle that proves event `index` of the mission. */
export function missionMaterial({ project, mission }: World, index: number): Material {
  return { claim: { is: 'event', index }, ledger: mission.extracts([index]), project: grewFrom(project) };
}

/** The project as the mission's first commit has it behind it. */
export function grewFrom(project: Writer): Extracts {
  return { leaves: project.leaves.slice(0, 1), transactions: project.transactions.slice(0, 1) };
}

export function bundleOf(material: Material): Uint8Array {
  return taken(writeBundle(nodeCrypto, material));
}

export function parsed(bytes: Uint8Array): Bundle {
  return JSON.parse(new TextDecoder().decode(bytes)) as Bundle;
}

function typeOf(bytes: Uint8Array): Event['event_type'] {
  return eventIn(bytes).event_type;
}

function eventIn(bytes: Uint8Array): Event {
  return JSON.parse(new TextDecoder().decode(bytes)) as Event;
}
