// From who signed what, and what the project says of keys, to how far a ledger can be relied on.
import type { AnnotationDocument } from '../kernel/trust/events.ts';
import type { CutOffDocument } from '../kernel/project/events.ts';
import type { State } from '../kernel/state.ts';

export type TrustWord =
  /** The project's first event is the one a person vouched for, and nothing newer contradicts it. */
  | 'confirmed'
  /** No person has said that this is the right genesis: compare the fingerprint with one you got elsewhere. */
  | 'unpinned'
  /** The mission cites a project head that we have not seen: cut-offs made since are unknown. */
  | 'project_unconfirmed'
  /** Some events were signed by a key that is cut off, and no threshold has judged them yet. */
  | 'disowned';

export type Disowned = { readonly fingerprint: string; readonly from: number; readonly until: number };

export type Trust = {
  readonly is: TrustWord;
  readonly project_genesis: string;
  readonly disowned: readonly Disowned[];
};

/** Per key the runs of events it signed, in order; neighbouring transactions of one key are one run. */
export class SignerRuns {
  readonly #runs = new Map<string, { from: number; until: number }[]>();

  add(fingerprint: string, from: number, until: number): void {
    const runs = this.#runs.get(fingerprint) ?? [];
    const last = runs.at(-1);
    if (last !== undefined && last.until === from) last.until = until;
    else runs.push({ from, until });
    this.#runs.set(fingerprint, runs);
  }

  /** First and last index per key, for a pin. */
  bounds(): Record<string, readonly [number, number]> {
    return Object.fromEntries(
      [...this.#runs].map(([key, runs]) => [key, [runs[0]!.from, runs.at(-1)!.until - 1] as const]),
    );
  }

  of(fingerprint: string): readonly { readonly from: number; readonly until: number }[] {
    return this.#runs.get(fingerprint) ?? [];
  }
}

/** The events that a cut-off disowns and no threshold has accepted or rejected since. */
export function disownedEvents(
  state: State,
  cutOffs: readonly CutOffDocument[],
  runs: SignerRuns,
): readonly Disowned[] {
  return cutOffs.flatMap(({ fingerprint, heads }) => {
    const trusted = heads.find((known) => known.ledger_id === state.ledger_id)?.head.size ?? 0;
    const after = runs
      .of(fingerprint)
      .map(({ from, until }) => ({ fingerprint, from: Math.max(from, trusted), until }));
    return after.filter((run) => run.until > run.from).flatMap((run) => without(run, state.annotations));
  });
}

/** What is left of a run when the judged ranges are taken out. */
function without(run: Disowned, annotations: readonly AnnotationDocument[]): Disowned[] {
  let rest = [run];
  for (const judged of annotations.filter((annotation) => annotation.fingerprint === run.fingerprint)) {
    rest = rest.flatMap((part) =>
      [
        { ...part, until: Math.min(part.until, judged.from) },
        { ...part, from: Math.max(part.from, judged.until) },
      ].filter((piece) => piece.until > piece.from),
    );
  }
  return rest;
}

export function trustOf(
  state: State,
  disowned: readonly Disowned[],
  known: { readonly genesisConfirmed: boolean; readonly projectSeen: boolean },
): Trust {
  const word =
    disowned.length > 0
      ? 'disowned'
      : !known.genesisConfirmed
        ? 'unpinned'
        : known.projectSeen
          ? 'confirmed'
          : 'project_unconfirmed';
  return { is: word, project_genesis: state.project_genesis, disowned };
}
