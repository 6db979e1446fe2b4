// Why something failed, as far as whoever explains the attempt may be told: never a message that quotes what a cell wrote.
import { utf8 } from '../../format/bytes.ts';
import { jcs } from '../../format/jcs.ts';
import { Failure } from '../../failure.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { NewDocument } from '../artifacts/documents.ts';

export type Trouble = { readonly code: string; readonly why: string };

/** A refusal's facts say more than its code; any other message may be a stranger's. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof Failure)
    return { code: error.code, why: String(error.facts['why'] ?? error.facts['says'] ?? '') };
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return { code: typeof code === 'string' ? code : 'internal', why: error instanceof Error ? error.name : '' };
}

/** The reason an attempt ends by: a refusal's own, or that whoever supervised it fell. */
export function codeOf(error: unknown): ReasonCode {
  return error instanceof Failure ? error.code : 'supervision_failed';
}

/** A document of a cell's facts, where they are few. */
export function jsonDocument(facts: object): NewDocument {
  return { content: utf8(jcs(facts)), mediaType: 'application/json' };
}
