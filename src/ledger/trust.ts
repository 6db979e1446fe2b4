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
  | 'disowned'
  /** All such events are judged, and the roots rejected some of them: rely on the others only. */
  | 'rejected';

/** Events [from, until) of a cut-off key. */
export type Run = { readonly fingerprint: string; readonly from: number; readonly until: number };

/** Of what cut-offs disown: what nobody has judged yet, and what the roots rejected. */
export type Judged = { readonly disowned: readonly Run[]; readonly rejected: readonly Run[] };

export type Trust = Judged & { readonly is: TrustWord; readonly project_genesis: string };

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

/** The events that a cut-off disowns, by what the roots have said of them since. */
export function judgedEvents(state: State, cutOffs: readonly CutOffDocument[], runs: SignerRuns): Judged {
  const disowned: Run[] = [];
  const rejected: Run[] = [];
  for (const { fingerprint, heads } of cutOffs) {
    const trusted = heads.find((known) => known.ledger_id === state.ledger_id)?.head.size ?? 0;
    for (const { from, until } of runs.of(fingerprint)) {
      const run = { fingerprint, from: Math.max(from, trusted), until };
      if (run.until <= run.from) continue;
      const { open, refused } = split(run, state.annotations);
      disowned.push(...open);
      rejected.push(...refused);
    }
  }
  return { disowned, rejected };
}

/** Where judgements overlap the later one counts: it was made by roots who knew the earlier. */
function split(
  run: Run,
  annotations: readonly AnnotationDocument[],
): { readonly open: Run[]; readonly refused: Run[] } {
  let open = [run];
  const refused: Run[] = [];
  for (const judged of annotations.toReversed()) {
    if (judged.fingerprint !== run.fingerprint) continue;
    if (judged.judgement === 'rejected')
      refused.push(
        ...open.flatMap((part) => piece(part, Math.max(part.from, judged.from), Math.min(part.until, judged.until))),
      );
    open = open.flatMap((part) => [
      ...piece(part, part.from, Math.min(part.until, judged.from)),
      ...piece(part, Math.max(part.from, judged.until), part.until),
    ]);
  }
  return { open, refused: refused.sort((a, b) => a.from - b.from) };
}

function piece({ fingerprint }: Run, from: number, until: number): Run[] {
  return until > from ? [{ fingerprint, from, until }] : [];
}

export function trustOf(
  state: State,
  { disowned, rejected }: Judged,
  known: { readonly genesisConfirmed: boolean; readonly projectSeen: boolean },
): Trust {
  const word =
    disowned.length > 0
      ? 'disowned'
      : rejected.length > 0
        ? 'rejected'
        : !known.genesisConfirmed
          ? 'unpinned'
          : known.projectSeen
            ? 'confirmed'
            : 'project_unconfirmed';
  return { is: word, project_genesis: state.project_genesis, disowned, rejected };
}
