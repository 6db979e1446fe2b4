// The golden ledgers: one project and its missions, as honest people write them, with everything a format-1 ledger can
// hold. Built from words alone, so that two builds are the same objects.
import type { Oid } from '../../../src/format/git/object.ts';
import { gitObject } from '../../../src/format/git/object.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import type { Event } from '../../../src/kernel/event.ts';
import { missionRef, PROJECT_REF } from '../../../src/ledger/names.ts';
import { emptyMission, emptyProject, headOf, type Tip } from '../../../src/ledger/tip.ts';
import { uuid } from '../events.ts';
import type { TestKey } from '../people.ts';
import { pathsOf } from '../../../src/kernel/course/plan.ts';
import { terms } from '../course/asked.ts';
import { ABOUT, COURSE_ID, STAGES, transactionsOf } from './course.ts';
import { SEGMENT_EVENTS } from '../../../src/kernel/limits.ts';
import { KEY, ROSTER_0, ROSTER_1, PROJECT_ID } from './cast.ts';
import {
  adopted,
  annotated,
  cutOff,
  fromAt,
  note,
  notes,
  opened,
  repair,
  rosterUpdate,
  said,
  sealed as sealing,
} from './facts.ts';
import { Workshop, type Honest } from './workshop.ts';

export const MISSION_ID = {
  long: uuid('golden mission long'),
  cut: uuid('golden mission cut'),
  repaired: uuid('golden mission repaired'),
  sealed: uuid('golden mission sealed'),
  gpg: uuid('golden mission gpg'),
  course: COURSE_ID,
} as const;
export type MissionWord = keyof typeof MISSION_ID;

export const LEDGER_REF: Readonly<Record<MissionWord | 'project', string>> = {
  project: PROJECT_REF,
  long: missionRef(MISSION_ID.long),
  cut: missionRef(MISSION_ID.cut),
  repaired: missionRef(MISSION_ID.repaired),
  sealed: missionRef(MISSION_ID.sealed),
  gpg: missionRef(MISSION_ID.gpg),
  course: missionRef(MISSION_ID.course),
};

/** A ledger as it grew, with some of its tips under a word. */
class Chronicle {
  readonly tips: Tip[] = [];
  readonly #bench: Workshop;
  readonly #marks = new Map<string, Tip>();
  #tip: Tip;

  constructor(bench: Workshop, start: Tip) {
    this.#bench = bench;
    this.#tip = start;
  }

  get tip(): Tip {
    return this.#tip;
  }

  add(key: TestKey, events: readonly Event[], options: Honest = {}): this {
    this.#tip = this.#bench.honest(this.#tip, key, events, options);
    this.tips.push(this.#tip);
    return this;
  }

  mark(word: string): this {
    this.#marks.set(word, this.#tip);
    return this;
  }

  at(word: string): Tip {
    const tip = this.#marks.get(word);
    if (tip === undefined) throw new Error(`nothing is marked ${word}`);
    return tip;
  }
}

export type Golden = { readonly bench: Workshop; readonly project: Chronicle } & Readonly<
  Record<MissionWord, Chronicle>
>;

/** `gpgSign` makes the one signature that stock gpg made: frozen, or made anew when the vectors are. */
export function buildGolden(gpgSign: (payload: Uint8Array) => Uint8Array): Golden {
  const bench = new Workshop();
  const project = new Chronicle(bench, emptyProject(nodeCrypto));
  project.add(KEY.ana, [said('project.opened', { roster: ROSTER_0 }, KEY.ana)]).mark('opened');

  const mission = (word: MissionWord): Chronicle => {
    const id = MISSION_ID[word];
    const chronicle = new Chronicle(bench, emptyMission(nodeCrypto, project.tip));
    return chronicle.add(KEY.gus, [opened(KEY.gus, id, project.tip)]).mark('opened');
  };
  const long = mission('long');
  const cut = mission('cut')
    .add(KEY.rob, notes(KEY.rob, MISSION_ID.cut, 0, 3))
    .mark('trusted');
  cut.add(KEY.rob, notes(KEY.rob, MISSION_ID.cut, 3, 2)).mark('untrusted');
  const sealed = mission('sealed')
    .add(KEY.sam, notes(KEY.sam, MISSION_ID.sealed, 0, 2))
    .mark('written');
  sealed.add(KEY.ana, [sealing(KEY.ana, sealed.tip)]);
  const gpg = mission('gpg').add(KEY.sam, notes(KEY.sam, MISSION_ID.gpg, 0, 2), { signature: gpgSign });
  const repaired = mission('repaired')
    .add(KEY.sam, notes(KEY.sam, MISSION_ID.repaired, 0, 2))
    .mark('valid');
  repairIt(bench, repaired);

  register(project, 'long', long.at('opened').oid!, ['lib/**']);
  project.mark('registered');
  project.add(KEY.ana, [said('halt.declared', {}, KEY.ana), said('halt.lifted', {}, KEY.ana)]).mark('halted');
  const update = rosterUpdate(KEY.ana, ROSTER_1);
  project.add(KEY.ana, [update]).mark('rotated');
  const updatedAt = project.tip.size - 1;
  growLong(long, project, adopted(KEY.sam, MISSION_ID.long, update, updatedAt));
  const cutting = cutOff(KEY.ben, KEY.rob, ROSTER_1, [cut.at('trusted'), long.at('fourth')]);
  project.add(KEY.ben, [cutting]).mark('cut');
  const cutAt = project.tip.size - 1;
  project.add(KEY.ana, [concluded('sealed', sealed.tip), concluded('repaired', repaired.tip)]);

  const changes = [adopted(KEY.sam, MISSION_ID.cut, update, updatedAt), adoptedCutOff(cutting, cutAt)];
  cut.add(KEY.sam, changes, { project: headOf(project.tip) }).mark('adopted');
  const [from, until] = [cut.at('trusted').size, cut.at('untrusted').size];
  cut.add(KEY.ana, [annotated(KEY.ana, cut.tip, KEY.rob.fingerprint, from, until)]);
  const course = mission('course');
  register(project, 'course', course.at('opened').oid!, pathsOf(terms(ABOUT)));
  return { bench, project, long, cut, repaired, sealed, gpg, course: wholeCourse(course, project) };
}

/** From proposal to receipts, tier 2, with a segment boundary in the middle of its effects, where a state is kept. */
function wholeCourse(course: Chronicle, project: Chronicle): Chronicle {
  let isHeld = false;
  for (const stage of STAGES) {
    if (stage === 'observed') fillSegment(course);
    // Whoever begins has seen that the project holds the paths.
    isHeld ||= stage === 'leased';
    const options = isHeld ? { project: headOf(project.tip) } : {};
    for (const { by, events } of transactionsOf(stage)) course.add(by, events, options);
    course.mark(stage);
  }
  return course;
}

function fillSegment(course: Chronicle): void {
  while (course.tip.size < SEGMENT_EVENTS) {
    const { size } = course.tip;
    course.add(KEY.gus, notes(KEY.gus, MISSION_ID.course, size, Math.min(64, SEGMENT_EVENTS - size)));
  }
}

/** With what came before, more transactions than a tip remembers. */
const SINGLE_EVENTS = 250;

/** Crosses two segments; `base`, soon behind the first, is what most attacks start from. */
function growLong(long: Chronicle, project: Chronicle, adoption: Event): void {
  const id = MISSION_ID.long;
  const about = { task: uuid('golden task') };
  const create = said('task.created', { contract: null }, KEY.gus, about);
  long.add(KEY.gus, [create, said('task.readied', {}, KEY.gus, about)]);
  long.add(KEY.rob, notes(KEY.rob, id, 290, 1));
  for (let i = 0; i < 4; i++) long.add(KEY.sam, notes(KEY.sam, id, i * 64, 64));
  long.add(KEY.rob, notes(KEY.rob, id, 256, 3)).mark('fourth');
  long.add(KEY.gus, [said('task.cancelled', { because: 'no_longer_wanted' }, KEY.gus, about)]).mark('third');
  long.add(KEY.sam, [adoption, note(KEY.sam, id, 259)], { project: headOf(project.at('rotated')) }).mark('second');
  long.add(KEY.robSecond, notes(KEY.robSecond, id, 260, 3)).mark('base');
  for (let i = 0; i < SINGLE_EVENTS; i++) {
    const by = i % 2 === 0 ? KEY.sam : KEY.robSecond;
    long.add(by, [note(by, id, 300 + i)]);
  }
  for (let i = 0; i < 2; i++) long.add(KEY.lee, notes(KEY.lee, id, 600 + i * 64, 64));
}

/** Garbage by somebody who may push but not sign, then the roots' way around it. */
function repairIt(bench: Workshop, repaired: Chronicle): void {
  const garbage = garbageOn(bench, repaired.tip.oid!, 2);
  const event = repair(KEY.ana, repaired.tip, { foreignTip: garbage, foreignCount: 2 });
  repaired.add(KEY.ana, [event]).add(KEY.sam, [note(KEY.sam, MISSION_ID.repaired, 2)]);
}

/** `count` unsigned commits on top of `parent`, as any git client makes them. */
export function garbageOn(bench: Workshop, parent: Oid, count: number): Oid {
  const tree = bench.keep('tree', gitObject(nodeCrypto, 'tree', new Uint8Array(0)).body);
  const who = 'mallory <mallory@example.invalid> 1795000000 +0000';
  let tip = parent;
  for (let i = 0; i < count; i++) {
    const before = tip;
    tip = bench.keep(
      'commit',
      utf8(`tree ${tree}\nparent ${before}\nauthor ${who}\ncommitter ${who}\n\ngarbage ${i}\n`),
    );
    bench.shown.set(tip, { kind: 'mission', before, blobs: [] });
  }
  return tip;
}

function register(project: Chronicle, word: MissionWord, genesis: Oid, claims: readonly string[]): void {
  const mission_id = MISSION_ID[word];
  project.add(KEY.gus, [
    said('mission.registered', { claims: [...claims], genesis, mission_id }, KEY.gus, { entity: mission_id }),
  ]);
}

function concluded(because: 'sealed' | 'repaired', tip: Tip): Event {
  const ledger_id = tip.state!.ledger_id;
  return said('tree_head.recorded', { because, head: headOf(tip), ledger_id }, KEY.ana, {
    entity: ledger_id,
    task: PROJECT_ID,
  });
}

function adoptedCutOff(cutting: ReturnType<typeof cutOff>, index: number): Event {
  return said('cut_off.adopted', { ...cutting.payload, from: fromAt(cutting, index) }, KEY.sam, {
    task: MISSION_ID.cut,
    entity: PROJECT_ID,
  });
}
