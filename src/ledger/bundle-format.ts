// The text of a proof bundle: one canonical JSON document with everything a checker needs and no repository. Says what
// it looks like and how large it may be; whether it proves anything is decided in bundle.ts.
import { z } from 'zod';
import { fromUtf8, utf8 } from '../format/bytes.ts';
import { jcs, parseCanonical } from '../format/jcs.ts';
import { Failure } from '../failure.ts';
import { EVENT_BYTES_MAX, EVENTS_PER_TRANSACTION_MAX, MEMBERS_MAX } from '../kernel/limits.ts';
import { Base64, Index, KeyFingerprint, RootHash } from '../kernel/values.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';

export const BUNDLE_KIND = 'lazarus.proof';
export const BUNDLE_VERSION = 1;
export const BUNDLE_BYTES_MAX = 16 * 1024 * 1024;
/** Transactions shown of one ledger: roster changes, cut-offs, annotations and repairs are rare. */
export const BUNDLE_COMMITS_MAX = 1024;
const COMMIT_BYTES_MAX = 8 * 1024;
const PROOF_HASHES_MAX = 64;

const Hash = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);
const Proof = z.array(Hash).max(PROOF_HASHES_MAX);

const Carried = z.strictObject({
  /** The event's bytes, as text. */
  event: z.string().max(EVENT_BYTES_MAX),
  /** From the event's leaf to the root that its own commit signed. */
  inclusion: Proof,
  index: Index,
});

/** One transaction: its commit, of its events those that matter, and how it continues what was shown before. */
const ShownCommit = z.lazy(() =>
  z.strictObject({
    commit: z.string().max(COMMIT_BYTES_MAX),
    events: z.array(Carried).max(EVENTS_PER_TRANSACTION_MAX),
    /** Consistency from the commit's previous root to its root. */
    grown: Proof,
    /** Consistency from the root of the commit before to the commit's previous root. */
    since: Proof,
  }),
);
export type ShownCommit = z.infer<typeof ShownCommit>;

/** A tree head that somebody else on the roster signed; the signature is detached, purpose `cosign`. */
export const Cosignature = z.strictObject({
  fingerprint: KeyFingerprint,
  root: RootHash,
  signature: Base64.max(1024),
  size: Index,
});
export type Cosignature = z.infer<typeof Cosignature>;

export const Bundle = z.lazy(() =>
  z.strictObject({
    /** What is proved: that an event stands at an index, or that the ledger at an old size is the beginning of today's. */
    claim: z.discriminatedUnion('is', [
      z.strictObject({ index: Index, is: z.literal('event') }),
      z.strictObject({ is: z.literal('continuation'), old_size: Index }),
    ]),
    cosignatures: z.array(Cosignature).max(MEMBERS_MAX),
    kind: z.literal(BUNDLE_KIND),
    /** From the first transaction of the ledger to its newest head. */
    ledger: z.array(ShownCommit).min(1).max(BUNDLE_COMMITS_MAX),
    /** Missions: the project ledger from its first transaction to the commit that the mission grew from. */
    project: z.array(ShownCommit).max(BUNDLE_COMMITS_MAX),
    schema_version: z.literal(BUNDLE_VERSION),
  }),
);
export type Bundle = z.infer<typeof Bundle>;

export function encodeBundle(bundle: Bundle): Verdict<Uint8Array> {
  const bytes = utf8(`${jcs(bundle)}\n`);
  return bytes.length > BUNDLE_BYTES_MAX ? tooLarge(bytes) : accept(bytes);
}

export function decodeBundle(bytes: Uint8Array): Verdict<Bundle> {
  if (bytes.length > BUNDLE_BYTES_MAX) return tooLarge(bytes);
  const parsed = parse(bytes);
  if (parsed.is === 'refused') return parsed;
  const { value } = parsed;
  if (field(value, 'kind') !== BUNDLE_KIND) return refuse('bundle_malformed', { at: 'kind' });
  const version = field(value, 'schema_version');
  if (typeof version === 'number' && version > BUNDLE_VERSION)
    return refuse('bundle_newer', { schema_version: version, reads: BUNDLE_VERSION });
  const bundle = Bundle.safeParse(value);
  if (bundle.success) return accept(bundle.data);
  const issue = bundle.error.issues[0];
  return refuse('bundle_malformed', { at: issue?.path.map(String).join('.') ?? '', why: issue?.code ?? '' });
}

function parse(bytes: Uint8Array): Verdict<unknown> {
  try {
    const text = fromUtf8(bytes);
    if (!text.endsWith('\n')) return refuse('bundle_not_canonical', { why: 'no final LF' });
    return accept(parseCanonical(text.slice(0, -1)));
  } catch (cause) {
    if (cause instanceof TypeError) return refuse('bundle_malformed', { at: 'bytes', why: 'not UTF-8' });
    if (!(cause instanceof Failure)) throw cause;
    return refuse(cause.code === 'json_not_canonical' ? 'bundle_not_canonical' : 'bundle_malformed', {
      why: cause.code,
    });
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function tooLarge(bytes: Uint8Array): Verdict<never> {
  return refuse('bundle_too_large', { bytes: bytes.length, bytes_max: BUNDLE_BYTES_MAX });
}
