// What a mission says of its artifacts: recorded by whom, erased why. Knows their digests, never their bytes.
import { z } from 'zod';
import { digestHex } from '../../format/artifact.ts';
import { Failure } from '../../failure.ts';
import { ArtifactRecorded } from '../../kernel/artifact/events.ts';
import type { Event } from '../../kernel/event.ts';
import type { ReadEvent } from '../../kernel/read.ts';
import { Index, Instant, ReasonWord, Slug, Uuid } from '../../kernel/values.ts';
import { ledgerName, PROJECT_REF } from '../../ledger/names.ts';
import type { Tip } from '../../ledger/tip.ts';
import type { ProjectView } from '../adoption.ts';
import { folded } from '../folded.ts';
import type { Fold } from '../folding.ts';
import { readEvents } from '../read-events.ts';
import type { Watch, Workbench } from '../workbench.ts';

const Recorded = z.lazy(() =>
  z.strictObject({
    ...ArtifactRecorded.shape.payload.shape,
    entity: Uuid,
    task: Uuid,
    index: Index,
    by: Slug,
    at: Instant,
    erased: z.strictObject({ index: Index, because: ReasonWord, by: Slug }).optional(),
  }),
);
export type Recorded = Readonly<z.infer<typeof Recorded>>;

/** By digest, in the order of the ledger. */
export type RecordedArtifacts = ReadonlyMap<string, Recorded>;

/** From the first event, whatever was kept: for whoever holds bytes against them. */
export async function recordedArtifacts(bench: Workbench, ref: string, watch: Watch = {}): Promise<RecordedArtifacts> {
  const found = new Map<string, Recorded>();
  await readEvents(bench, ref, (event) => take(found, event, event.index), watch);
  return found;
}

/** Verified since this clone last did, for whoever looks for one of them. `tip`: where the mission stands then. */
export async function knownArtifacts(
  bench: Workbench,
  ref: string,
  options: Watch & { readonly project?: ProjectView } = {},
): Promise<{ readonly artifacts: RecordedArtifacts; readonly tip: Tip | undefined }> {
  // Only missions record any.
  if (ref === PROJECT_REF) return { artifacts: new Map(), tip: undefined };
  const { value, verified } = await folded(bench, ref, ARTIFACTS, options);
  return { artifacts: value, tip: verified.tip };
}

const ARTIFACTS: Fold<Map<string, Recorded>> = {
  name: 'artifacts',
  version: 1,
  kind: 'mission',
  start: () => new Map(),
  take: (found, { tip, events }) => {
    const first = tip.size - events.length;
    for (const [i, event] of events.entries()) take(found, event, first + i);
  },
  write: (found) => [...found.values()],
  read: (kept) => {
    const { data } = z.array(Recorded).safeParse(kept);
    return data && new Map(data.map((one) => [one.digest, one]));
  },
};

/** The one artifact whose digest begins as typed: four hex digits at least, `sha256:` may stand before them. */
export function findRecorded(recorded: RecordedArtifacts, typed: string, ref: string): Recorded {
  const digits = typed.replace(/^sha256:/, '').toLowerCase();
  if (!/^[0-9a-f]{4,64}$/.test(digits))
    throw new Failure('usage', { digest: typed, expected: 'four hex digits of the digest at least' });
  const found = [...recorded.values()].filter(({ digest }) => digestHex(digest).startsWith(digits));
  if (found.length > 1)
    throw new Failure('artifact_ambiguous', { typed, candidates: found.map(({ digest }) => digest) });
  if (found[0] === undefined) throw new Failure('artifact_unknown', { ledger: ledgerName(ref), typed });
  return found[0];
}

function take(found: Map<string, Recorded>, event: Event | ReadEvent, index: number): void {
  const { actor_id: by } = event;
  if (event.event_type === 'artifact.recorded') {
    const { entity_id: entity, task_id: task, occurred_at: at, payload } = event;
    // Said again, perhaps with another media type and after the erasure: the first word stands.
    if (!found.has(payload.digest)) found.set(payload.digest, { ...payload, entity, task, index, by, at });
  }
  if (event.event_type === 'artifact.erased') {
    const { because, digest } = event.payload;
    const known = found.get(digest);
    if (known !== undefined && known.erased === undefined)
      found.set(digest, { ...known, erased: { index, because, by } });
  }
}
