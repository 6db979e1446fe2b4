// Why an event happened: the event before it, and what made that one happen, back to one that started it all, across a
// mission and its project. What is named in another ledger counts only if that ledger holds it there.
import { Failure } from '../failure.ts';
import { hex } from '../format/bytes.ts';
import type { FarCause } from '../kernel/envelope.ts';
import { EventReader, type ReadEvent } from '../kernel/read.ts';
import { ledgerName, missionRef, PROJECT_REF } from '../ledger/names.ts';
import { refuseFlawed, type Watch, type Workbench } from './workbench.ts';

/** A verified ledger as far as causes ask for it. */
export type ReadLedger = {
  readonly ledger: string;
  readonly id: string;
  readonly events: readonly ReadEvent[];
  readonly leaves: readonly string[];
};

type Link = { readonly ledger: string; readonly event: ReadEvent };

export type Chain = {
  /** The event, what caused it, what caused that, and so on. */
  readonly links: readonly Link[];
  /** `start`: the last one starts a chain. `elsewhere`: its cause is in a ledger that is not here. `other`: not what it says. */
  readonly end: 'start' | 'elsewhere' | 'other';
};

/** The mission first, then its project, then the missions that it goes on from, as far as they are here. */
export async function readRecords(bench: Workbench, ref: string, watch: Watch): Promise<readonly ReadLedger[]> {
  await bench.place.upToDate();
  const records = [await readRecord(bench, ref, watch), await readRecord(bench, PROJECT_REF, watch)];
  for (let next = records[0]; next !== undefined && records.length < RECORDS_MAX;) {
    const from: string | undefined = next.events[0]?.cause?.ledger_id;
    const isNew = from !== undefined && records.every(({ id }) => id !== from);
    const other: string | undefined = isNew ? missionRef(from) : undefined;
    const isHere = other !== undefined && (await bench.parts.repository.resolve(other)) !== undefined;
    next = isHere ? await readRecord(bench, other, watch) : undefined;
    if (next !== undefined) records.push(next);
  }
  return records;
}

/** Each is verified in full. */
const RECORDS_MAX = 20;

async function readRecord(bench: Workbench, ref: string, watch: Watch): Promise<ReadLedger> {
  const events: ReadEvent[] = [];
  const leaves: string[] = [];
  const reader = new EventReader(bench.parts.crypto);
  const { report } = await bench.verify(ref, 'full', {
    ...watch,
    onCommit: (seen) => {
      if (seen.ledger !== (ref === PROJECT_REF ? 'project' : 'mission')) return;
      events.push(...reader.take(seen, seen.blobs));
      leaves.push(...seen.leaves.map(hex));
    },
  });
  refuseFlawed(report);
  return { ledger: ledgerName(ref), id: report.state!.ledger_id, events, leaves };
}

/** `typed`: an index in the first ledger, or the beginning of an event's id in any of them. */
export function causesOf(typed: string, records: readonly ReadLedger[]): Chain {
  const links = [find(typed, records)];
  for (;;) {
    const { ledger, event } = links.at(-1)!;
    const { causation_id } = event;
    const cause = farCauseOf(event, records);
    const home = records.find((one) => one.ledger === ledger)!;
    if (cause === null) {
      const next = home.events.findLast((one) => one.event_id === causation_id && one.index < event.index);
      if (next === undefined) return { links, end: 'start' };
      links.push({ ledger, event: next });
      continue;
    }
    const from = records.find(({ id }) => id === cause.ledger_id);
    if (from === undefined) return { links, end: 'elsewhere' };
    const next = from.events[cause.index];
    // Two ledgers can name each other only if one of them lies.
    const isThere = next !== undefined && from.leaves[cause.index] === cause.leaf;
    if (!isThere || links.some((link) => link.event === next)) return { links, end: 'other' };
    links.push({ ledger: from.ledger, event: next });
  }
}

/** Of what a mission adopts, `from` says where in the project it stands. */
function farCauseOf({ event_type, cause, payload }: ReadEvent, records: readonly ReadLedger[]): FarCause | null {
  if (event_type !== 'roster.adopted' && event_type !== 'cut_off.adopted') return cause;
  const project = records.find(({ ledger }) => ledger === ledgerName(PROJECT_REF));
  return { ...payload.from, ledger_id: project?.id ?? '' };
}

export const ID_DIGITS_MIN = 4;

function find(typed: string, records: readonly ReadLedger[]): Link {
  const at = /^\d{1,9}$/.test(typed) ? records[0]!.events[Number(typed)] : undefined;
  if (at !== undefined) return { ledger: records[0]!.ledger, event: at };
  const digits = typed.toLowerCase();
  const found = records.flatMap(({ ledger, events }) =>
    events.filter(({ event_id }) => event_id.startsWith(digits)).map((event): Link => ({ ledger, event })),
  );
  if (digits.length < ID_DIGITS_MIN || found.length === 0) throw new Failure('event_not_found', { typed });
  if (found.length > 1) throw new Failure('event_ambiguous', { typed });
  return found[0]!;
}
