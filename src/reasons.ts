// Every reason code lazarus can give, with its exit code, the sentence a person reads and the step that follows.
// One spelling everywhere: JSON, comments, events and errors use these words. Additive only.
import { MACHINE } from './reasons/machine.ts';
import { BYTES } from './reasons/bytes.ts';
import { PROOFS } from './reasons/proofs.ts';
import { REMOTES } from './reasons/remotes.ts';
import { LEDGERS } from './reasons/ledgers.ts';
import { MISSIONS } from './reasons/missions.ts';
import { WORK } from './reasons/work.ts';
import { SECRETS } from './reasons/secrets.ts';

export type { Reason } from './reasons/reason.ts';

export const REASONS = {
  ...MACHINE,
  ...BYTES,
  ...PROOFS,
  ...REMOTES,
  ...LEDGERS,
  ...MISSIONS,
  ...WORK,
  ...SECRETS,
} as const;

export type ReasonCode = keyof typeof REASONS;

/** Facts that belong to a reason: plain data, no secret, no free text of strangers. */
export type Facts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
