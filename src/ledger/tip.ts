// A ledger up to some commit, as far as one must know it to append to it or to verify the next commit: one value,
// the same for writer and verifier. Holds no history.
import { hex } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import type { Oid } from '../format/git/object.ts';
import { emptyRoot, Frontier } from '../format/merkle.ts';
import type { LedgerKind } from '../kernel/traits.ts';
import type { ProjectState, State } from '../kernel/state.ts';
import type { TreeHead } from '../kernel/values.ts';
import { EMPTY_LAYOUT, type Layout } from './layout.ts';

export type Tip = {
  readonly kind: LedgerKind;
  /** The commit; undefined before the first one. */
  readonly oid: Oid | undefined;
  readonly size: number;
  readonly root: string;
  readonly frontier: Frontier;
  readonly layout: Layout;
  readonly state: State | undefined;
  /** The latest transaction ids, newest last. */
  readonly recent: readonly string[];
  /** Missions: their first commit; undefined before it. */
  readonly genesis: Oid | undefined;
  /** Missions: the project head last cited. It never decreases. */
  readonly project: TreeHead | undefined;
  /** Missions before their first commit: the project they will grow from. */
  readonly parent: { readonly head: TreeHead; readonly state: ProjectState } | undefined;
};

/** A tip without its trees: all that a proof can know. */
export type BareTip = Pick<Tip, 'kind' | 'oid' | 'size' | 'root' | 'state' | 'genesis' | 'project' | 'parent'>;

/** A project as far as a mission that grows out of it must know it. */
export type Ground = Pick<BareTip, 'oid' | 'size' | 'root' | 'state'>;

type Keys = Pick<State, 'roster' | 'cut_offs'>;

/** What decides who may sign next. */
export type Authority = Pick<Tip, 'kind' | 'size'> & {
  readonly state: Keys | undefined;
  readonly parent: { readonly state: Keys } | undefined;
};

export function emptyProject(crypto: Crypto): Tip {
  return emptyTip(crypto, 'project', undefined);
}

/** A mission that has not begun: it will grow out of `project`, with a fresh tree and a log of its own. */
export function emptyMission(crypto: Crypto, project: Ground): Tip {
  if (project.state?.kind !== 'project') throw new TypeError('a mission grows out of a project ledger that has begun');
  return emptyTip(crypto, 'mission', { head: headOf(project), state: project.state });
}

function emptyTip(crypto: Crypto, kind: LedgerKind, parent: Tip['parent']): Tip {
  return {
    kind,
    oid: undefined,
    size: 0,
    root: hex(emptyRoot(crypto)),
    frontier: new Frontier(crypto),
    layout: EMPTY_LAYOUT,
    state: undefined,
    recent: [],
    genesis: undefined,
    project: parent?.head,
    parent,
  };
}

/**
 * The same once its commit has a name. Spelled out, as all tips are: what an engine copies by spreading has a form of its
 * own, and everything that reads tips would be compiled once more for it.
 */
export function committed(tip: Tip, oid: Oid): Tip {
  const { kind, size, root, frontier, layout, state, recent, project, parent } = tip;
  const genesis = genesisAfter(tip, oid);
  return { kind, oid, size, root, frontier, layout, state, recent, genesis, project, parent };
}

/** What the commits behind this one will name. */
export function genesisAfter(tip: Pick<BareTip, 'kind' | 'genesis'>, oid: Oid): Oid | undefined {
  return tip.kind === 'project' ? undefined : (tip.genesis ?? oid);
}

export function headOf(tip: Pick<BareTip, 'oid' | 'size' | 'root'>): TreeHead {
  if (tip.oid === undefined) throw new TypeError('a ledger that has not begun has no head');
  return { size: tip.size, root: tip.root, oid: tip.oid };
}

/** The project ledger size that counts for key validity: its own in a project ledger, the cited one in a mission. */
export function basisOf(tip: Pick<Tip, 'kind' | 'size'>, cited: TreeHead | undefined): number {
  return tip.kind === 'project' ? tip.size : (cited?.size ?? 0);
}
