// What lazarus asks of whoever can cause an effect: look whether it is there, and cause it. Looking comes first, always:
// after a crash an effect is observed, never repeated.
import type { Oid } from '../format/git/object.ts';
import type { EffectSpec } from '../kernel/effect/spec.ts';
import type { ReasonCode } from '../reasons.ts';

export type Seen =
  | { readonly is: 'absent' }
  | { readonly is: 'applied'; readonly oid: Oid | null; readonly number: number | null }
  /** Something else stands in its place, or whoever guards it said no. */
  | { readonly is: 'refused'; readonly reason: ReasonCode }
  /** Nobody could be asked. */
  | { readonly is: 'unknown'; readonly reason: ReasonCode };

export interface Executor<Kind extends EffectSpec['kind'] = EffectSpec['kind']> {
  /** Whether causing it while an earlier try is still on its way can only end in one of it. */
  readonly isIdempotent: boolean;
  observe(spec: Extract<EffectSpec, { kind: Kind }>): Promise<Seen>;
  /** Causes it. What became of it is asked afterwards, of `observe`. */
  apply(spec: Extract<EffectSpec, { kind: Kind }>): Promise<void>;
}

export type Executors = { readonly [Kind in EffectSpec['kind']]?: Executor<Kind> };
