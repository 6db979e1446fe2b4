// One exact effect, as an executor reads it and as its digest covers it: nothing is left to be filled in later.
import { z } from 'zod';
import { fromUtf8, hex, utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { jcs, parseCanonical } from '../../format/jcs.ts';
import { Failure } from '../../failure.ts';
import { EFFECTS_PER_ATTEMPT_MAX } from '../limits.ts';
import { Count, ObjectName, PathGlob } from '../values.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

const BODY_CHARACTERS_MAX = 60_000;
const TITLE_CHARACTERS_MAX = 200;

export const EffectSpec = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({ branch: PathGlob, commit: ObjectName, kind: z.literal('write_local_branch') }),
    z.strictObject({ branch: PathGlob, commit: ObjectName, kind: z.literal('push_branch') }),
    z.strictObject({
      base: PathGlob,
      body: z.string().max(BODY_CHARACTERS_MAX),
      branch: PathGlob,
      commit: ObjectName,
      kind: z.literal('open_pull_request'),
      title: z.string().min(1).max(TITLE_CHARACTERS_MAX),
    }),
    z.strictObject({ body: z.string().min(1).max(BODY_CHARACTERS_MAX), issue: Count, kind: z.literal('post_comment') }),
  ]),
);
export type EffectSpec = z.infer<typeof EffectSpec>;

const EffectSpecs = z.lazy(() =>
  z.strictObject({
    effects: z.array(EffectSpec).min(1).max(EFFECTS_PER_ATTEMPT_MAX),
    schema: z.literal('lazarus.effects.v1'),
  }),
);

/** What of an effect is known before the work is. */
type Aim =
  | { readonly kind: 'write_local_branch' | 'push_branch'; readonly branch: string }
  | { readonly kind: 'open_pull_request'; readonly base: string }
  | { readonly kind: 'post_comment'; readonly issue: number };

/** What a request and a grant are for, in the spelling of resource scopes. */
export function targetOf(aim: Aim): string {
  switch (aim.kind) {
    case 'write_local_branch':
    case 'push_branch':
      return aim.branch;
    case 'open_pull_request':
      return `pulls/${aim.base}`;
    case 'post_comment':
      return `issues/${aim.issue}`;
  }
}

export function effectHash(crypto: Crypto, spec: EffectSpec): string {
  return hex(crypto.hash('sha256', utf8(`lazarus effect v1\n${jcs(spec)}`)));
}

export function effectsBytes(effects: readonly EffectSpec[]): Uint8Array {
  return utf8(jcs({ effects, schema: 'lazarus.effects.v1' }));
}

export function parseEffects(bytes: Uint8Array): Verdict<readonly EffectSpec[]> {
  try {
    const parsed = EffectSpecs.safeParse(parseCanonical(fromUtf8(bytes)));
    return parsed.success ? accept(parsed.data.effects) : refuse('effect_unplanned', { why: 'not a list of effects' });
  } catch (cause) {
    return refuse('effect_unplanned', { why: cause instanceof Failure ? cause.code : 'not UTF-8' });
  }
}
