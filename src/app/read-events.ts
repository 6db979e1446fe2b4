// The events of a ledger as people and programs read them, each one verified on the way.
import { EventReader, type ReadEvent } from '../kernel/read.ts';
import { PROJECT_REF } from '../ledger/names.ts';
import type { Watch, Workbench } from './workbench.ts';
import { refuseFlawed } from './workbench.ts';

type Take = (event: ReadEvent, atSeconds: number) => void;

/** Calls `take` for every event of the ledger, in order. Throws the ledger's flaw after the last good event. */
export async function readEvents(bench: Workbench, ref: string, take: Take, watch: Watch = {}): Promise<void> {
  const reader = new EventReader(bench.parts.crypto);
  // What was pushed a moment ago is copied here behind its answer.
  await bench.place.upToDate();
  const kind = ref === PROJECT_REF ? 'project' : 'mission';
  const { report } = await bench.verify(ref, 'full', {
    ...watch,
    onCommit: (seen) => {
      watch.onCommit?.(seen);
      if (seen.ledger !== kind) return;
      for (const event of reader.take(seen, seen.blobs)) take(event, seen.atSeconds);
    },
  });
  refuseFlawed(report);
}
