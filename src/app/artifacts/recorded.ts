// What a ledger says of its artifacts: recorded by whom, erased why. Knows their digests, never their bytes.
import { digestHex } from '../../format/artifact.ts';
import { Failure } from '../../failure.ts';
import type { EventOf } from '../../kernel/event.ts';
import type { ReadEvent } from '../../kernel/read.ts';
import { ledgerName } from '../../ledger/names.ts';
import { readEvents } from '../read-events.ts';
import type { Watch, Workbench } from '../workbench.ts';

export type Recorded = EventOf<'artifact.recorded'>['payload'] & {
  readonly entity: string;
  readonly task: string;
  readonly index: number;
  readonly by: string;
  readonly at: string;
  readonly erased: { readonly index: number; readonly because: string; readonly by: string } | undefined;
};

/** By digest, in the order of the ledger, which is verified in full on the way. */
export async function recordedArtifacts(
  bench: Workbench,
  ref: string,
  watch: Watch = {},
): Promise<ReadonlyMap<string, Recorded>> {
  const found = new Map<string, Recorded>();
  await readEvents(bench, ref, (event) => take(found, event), watch);
  return found;
}

/** The one artifact whose digest begins as typed: four hex digits at least, `sha256:` may stand before them. */
export function findRecorded(recorded: ReadonlyMap<string, Recorded>, typed: string, ref: string): Recorded {
  const digits = typed.replace(/^sha256:/, '').toLowerCase();
  if (!/^[0-9a-f]{4,64}$/.test(digits))
    throw new Failure('usage', { digest: typed, expected: 'four hex digits of the digest at least' });
  const found = [...recorded.values()].filter(({ digest }) => digestHex(digest).startsWith(digits));
  if (found.length > 1)
    throw new Failure('artifact_ambiguous', { typed, candidates: found.map(({ digest }) => digest) });
  if (found[0] === undefined) throw new Failure('artifact_unknown', { ledger: ledgerName(ref), typed });
  return found[0];
}

function take(found: Map<string, Recorded>, event: ReadEvent): void {
  if (event.event_type === 'artifact.recorded') {
    const { entity_id: entity, task_id: task, index, occurred_at: at, actor_id: by, payload } = event;
    // Said again, perhaps with another media type and after the erasure: the first word stands.
    if (!found.has(payload.digest))
      found.set(payload.digest, { ...payload, entity, task, index, by, at, erased: undefined });
  }
  if (event.event_type === 'artifact.erased') {
    const { index, actor_id: by, payload } = event;
    const known = found.get(payload.digest);
    if (known !== undefined && known.erased === undefined)
      found.set(payload.digest, { ...known, erased: { index, because: payload.because, by } });
  }
}
