// What a ledger commit claims in its message: which transaction it is, where it stands, what it was decided under.
// All of it lies inside the signed bytes. Writes one spelling and reads only that.
import { LEDGER_FORMAT } from '../kernel/limits.ts';
import type { TreeHead } from '../kernel/values.ts';
import { accept, refuse, type Refused, type Verdict } from '../kernel/verdict.ts';

export type Claims = {
  readonly ledgerId: string;
  /** Mission ledgers: their first commit, which says `self`. */
  readonly genesis?: string | undefined;
  readonly tx: string;
  readonly prevSize: number;
  readonly size: number;
  readonly prevRoot: string;
  readonly root: string;
  readonly roster: { readonly n: number; readonly digest: string };
  /** Mission ledgers: the project head the transaction was decided under. */
  readonly project?: TreeHead | undefined;
  /** Only on a repair: the head it goes on from, and how many foreign commits it leaves behind. */
  readonly repairs?: { readonly validHead: string; readonly foreign: number } | undefined;
};

export function encodeMessage(claims: Claims, eventTypes: readonly string[]): string {
  const { roster, genesis, project, repairs } = claims;
  const lines = [
    subject(claims, eventTypes),
    '',
    `Ledger-Format: ${LEDGER_FORMAT}`,
    `Ledger-Id: ${claims.ledgerId}`,
    ...(genesis === undefined ? [] : [`Ledger-Genesis: ${genesis}`]),
    `Ledger-Tx: ${claims.tx}`,
    `Ledger-Prev-Size: ${claims.prevSize}`,
    `Ledger-Size: ${claims.size}`,
    `Ledger-Prev-Root: ${claims.prevRoot}`,
    `Ledger-Root: ${claims.root}`,
    `Ledger-Roster: ${roster.n} ${roster.digest}`,
  ];
  if (project !== undefined) lines.push(`Ledger-Project: ${project.size} ${project.root} ${project.oid}`);
  if (repairs !== undefined) lines.push(`Ledger-Repairs: ${repairs.validHead} ${repairs.foreign}`);
  return `${lines.join('\n')}\n`;
}

/** The first line: derived, so that it can be checked and carries nobody's words. */
export function subject(claims: Pick<Claims, 'prevSize' | 'size'>, eventTypes: readonly string[]): string {
  const count = eventTypes.length;
  const kinds = [...new Set(eventTypes)];
  const more = kinds.length > SUBJECT_TYPES_MAX ? ` +${kinds.length - SUBJECT_TYPES_MAX}` : '';
  const range = count === 1 ? `1 event ${claims.prevSize}` : `${count} events ${claims.prevSize}..${claims.size - 1}`;
  return `ledger: ${range} ${kinds.slice(0, SUBJECT_TYPES_MAX).join(' ')}${more}`;
}

export function parseMessage(message: string): Verdict<Claims> {
  const match = MESSAGE.exec(message);
  if (match === null) return refuseMessage(message);
  const [projectSize, projectRoot, projectOid, validHead, foreign] = match.slice(10);
  // One literal with every field: claims of as many shapes as there are combinations slow down whoever reads them.
  return accept({
    ledgerId: match[1]!,
    genesis: match[2],
    tx: match[3]!,
    prevSize: Number(match[4]),
    size: Number(match[5]),
    prevRoot: match[6]!,
    root: match[7]!,
    roster: { n: Number(match[8]), digest: match[9]! },
    project:
      projectSize === undefined ? undefined : { size: Number(projectSize), root: projectRoot!, oid: projectOid! },
    repairs: validHead === undefined ? undefined : { validHead, foreign: Number(foreign) },
  });
}

function refuseMessage(message: string): Refused {
  const format = FORMAT.exec(message)?.[1];
  if (format === undefined) return refuse('foreign_commit');
  if (Number(format) > LEDGER_FORMAT) return refuse('format_newer', { format: Number(format), reads: LEDGER_FORMAT });
  if (Number(format) < LEDGER_FORMAT)
    return refuse('format_lowered', { format: Number(format), lowest: LEDGER_FORMAT });
  return refuse('trailers_malformed');
}

/** What a mission's first commit says instead of its own name, which follows from what it says. */
export const GENESIS_SELF = 'self';

const SUBJECT_TYPES_MAX = 3;
// The format stands first in every version, so that an older reader can say which version it needs.
const FORMAT = /^ledger: [^\n]*\n\nLedger-Format: (0|[1-9]\d{0,8})\n/;
const NUMBER = '0|[1-9]\\d{0,8}';
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const HASH = '[0-9a-f]{64}';
const OID = '[0-9a-f]{40}';
const MESSAGE = new RegExp(
  `^ledger: [^\\n]*\\n\\nLedger-Format: ${LEDGER_FORMAT}\\nLedger-Id: (${UUID})\\n` +
    `(?:Ledger-Genesis: (self|${OID})\\n)?Ledger-Tx: (${UUID})\\n` +
    `Ledger-Prev-Size: (${NUMBER})\\nLedger-Size: (${NUMBER})\\n` +
    `Ledger-Prev-Root: (${HASH})\\nLedger-Root: (${HASH})\\n` +
    `Ledger-Roster: (${NUMBER}) (${HASH})\\n` +
    `(?:Ledger-Project: (${NUMBER}) (${HASH}) (${OID})\\n)?` +
    `(?:Ledger-Repairs: (${OID}) (${NUMBER})\\n)?$`,
);
