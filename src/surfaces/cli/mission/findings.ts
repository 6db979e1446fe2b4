// What the document of a cell's facts has to say to whoever asks why: what was in the way, what was left out of the work.
// Says nothing where the document was erased, or is none.
import { z } from 'zod';
import { readJson } from '../../../app/mission/documents.ts';
import type { ReadEvent } from '../../../kernel/read.ts';
import type { MissionSite } from './site.ts';

const Facts = z.object({
  trouble: z.object({ code: z.string(), why: z.string() }).nullish(),
  dropped: z.object({ count: z.int(), paths: z.array(z.string()) }).nullish(),
});

const PATHS_SHOWN = 5;

export async function findings({ bench, ref }: MissionSite, event: ReadEvent): Promise<readonly string[]> {
  if (event.event_type !== 'cell.closed' || event.payload.facts === null) return [];
  const { trouble, dropped } = (await readJson(bench, ref, event.payload.facts, Facts)) ?? {};
  const shown = dropped?.paths.slice(0, PATHS_SHOWN).map((path) => JSON.stringify(path)) ?? [];
  const more = (dropped?.count ?? 0) - shown.length;
  return [
    ...(trouble ? [`because ${trouble.code}${trouble.why === '' ? '' : `: ${trouble.why}`}`] : []),
    ...(shown.length > 0 ? [`left out of the work: ${shown.join(' ')}${more > 0 ? ` and ${more} more` : ''}`] : []),
  ];
}
