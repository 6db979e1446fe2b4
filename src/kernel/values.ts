// The value types that events are made of. None admits free text: what people or agents write is an artifact, named by
// its digest, so that it can be erased while every signature over the ledger stays valid.
import { z } from 'zod';
import { CLAIM_CHARACTERS_MAX, LEDGER_EVENTS_MAX } from './limits.ts';

export const Uuid = z.string().regex(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
export const Digest = z.string().regex(/^sha256:[0-9a-f]{64}$/);
export const RootHash = z.string().regex(/^[0-9a-f]{64}$/);
export const ObjectName = z.string().regex(/^[0-9a-f]{40}$/);
export const KeyFingerprint = z.string().regex(/^[0-9A-F]{40}$/);
/** Principals and persons: a slug, never an e-mail address. */
export const Slug = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/);
export const MediaType = z.string().regex(/^[a-z0-9][a-z0-9.+-]{0,62}\/[a-z0-9][a-z0-9.+-]{0,62}$/);
export const ReasonWord = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);
/** UTC with milliseconds. Informational: order comes from position, never from a clock. */
export const Instant = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/);
export const Count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
export const Index = z.int().min(0).max(LEDGER_EVENTS_MAX);
export const Base64 = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);
/** A path or glob inside a repository: relative, `/`-separated, no `.` or `..` step, no control character or line break. */
export const PathGlob = z
  .string()
  .min(1)
  .max(CLAIM_CHARACTERS_MAX)
  // eslint-disable-next-line no-control-regex -- refusing control characters is the point
  .regex(/^(?!\/)(?!.*\/\/)(?!.*\/$)[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff\\]+$/u)
  .refine((glob) => !glob.split('/').some((step) => step === '.' || step === '..'));

/** A signed size and root of a ledger, and the commit that carries them. */
export const TreeHead = z.strictObject({ size: Index, root: RootHash, oid: ObjectName });
export type TreeHead = z.infer<typeof TreeHead>;

/** `m-` and the first twelve hex digits of the mission id: the name in refs, comments and commands. */
export function missionName(missionId: string): string {
  return `m-${missionId.replaceAll('-', '').slice(0, 12)}`;
}

export const Tier = z.int().min(0).max(3);
/** How strongly a cell is isolated, as probed: 0 none to 4. */
export const Level = z.int().min(0).max(4);
export const Backend = z.enum(['process', 'docker', 'venv', 'remote']);
/** What a participant of a cell is there for. */
export const CellRole = z.enum(['director', 'executor', 'observer', 'guest', 'substitute']);
export type CellRole = z.infer<typeof CellRole>;
