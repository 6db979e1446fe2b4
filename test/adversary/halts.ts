// Walks over a project's ledger: whoever may stops the project or lets it go on, registers missions meanwhile, or tries to.
// What a root stopped must stand until a root lifts it, and nothing is registered while the project stands still.
import * as fc from 'fast-check';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import type { Event } from '../../src/kernel/event.ts';
import { advance } from '../../src/ledger/advance.ts';
import { emptyProject, type Tip } from '../../src/ledger/tip.ts';
import { allCaused } from '../support/causes.ts';
import { event, uuid } from '../support/events.ts';
import { bytesOf } from '../support/given.ts';
import { KEYS, NAMES, PROJECT, SUCCESSIONS, type Name } from './cast.ts';
import { Draw } from './draw.ts';
import type { Found } from './walk.ts';

const ROSTER = SUCCESSIONS['nothing happens'][0]!;

class Project {
  readonly log: { readonly by: Name; readonly event: Event }[] = [];
  #tip: Tip = emptyProject(nodeCrypto);

  constructor() {
    this.append('ro', event('project.opened', { roster: ROSTER }, about('ro', 'opened', PROJECT)));
  }

  append(by: Name, said: Event): boolean {
    const [caused] = allCaused([said], this.#tip.state);
    const read = advance(nodeCrypto, this.#tip, {
      tx: uuid(`transaction of ${said.event_id}`),
      blobs: [bytesOf(caused!)],
      fingerprint: KEYS[by].fingerprint,
      project: undefined,
    });
    if (read.is === 'refused') return false;
    this.#tip = { ...read.value.tip, oid: 'ab'.repeat(20) };
    this.log.push({ by, event: caused! });
    return true;
  }

  /** Who stopped it, where it stands still: read off the log alone. */
  get stoppedBy(): Name | undefined {
    const last = this.log.findLast(({ event: { event_type } }) => event_type.startsWith('halt.'));
    return last?.event.event_type === 'halt.declared' ? last.by : undefined;
  }
}

function about(by: Name, word: string, entity_id: string) {
  const { principal_type: actor_type } = ROSTER.members.find(({ principal_id }) => principal_id === by)!;
  return { actor_id: by, actor_type, entity_id, event_id: uuid(`halts ${word}`), task_id: PROJECT } as const;
}

const numbers = fc.array(fc.noBias(fc.nat()), { minLength: 30, maxLength: 30 });

/** The walk that a seed stands for. */
export function haltsOf(seed: number): Found | undefined {
  const project = new Project();
  for (const [n, number] of fc.sample(numbers, { numRuns: 1, seed })[0]!.entries()) {
    const draw = new Draw(number);
    const by = draw.of(NAMES);
    const stopped = project.stoppedBy;
    const said = saying(draw, by, n);
    if (!project.append(by, said) || stopped === undefined) continue;
    const how = against(stopped, by, said);
    if (how !== undefined) return { invariant: 'stopped is stopped', how, steps: n + 1 };
  }
  return undefined;
}

function saying(draw: Draw, by: Name, n: number): Event {
  switch (draw.weighted({ stop: 3, goOn: 3, register: 1 })) {
    case 'stop':
      return event('halt.declared', {}, about(by, `stop ${n}`, PROJECT));
    case 'goOn':
      return event('halt.lifted', {}, about(by, `go on ${n}`, PROJECT));
    case 'register': {
      const mission_id = uuid(`mission ${n}`);
      const payload = { claims: [`lib/${n}/**`], genesis: 'ab'.repeat(20), mission_id };
      return event('mission.registered', payload, about(by, `register ${n}`, mission_id));
    }
  }
}

function against(stopped: Name, by: Name, { event_type }: Event): string | undefined {
  if (event_type === 'mission.registered') return `${by} registered a mission while ${stopped} had stopped the project`;
  const isLifted = event_type === 'halt.lifted' && isRoot(stopped) && !isRoot(by);
  return isLifted ? `${by} lifted what ${stopped} had stopped` : undefined;
}

function isRoot(name: Name): boolean {
  return ROSTER.members.find(({ principal_id }) => principal_id === name)!.roles.includes('root');
}
