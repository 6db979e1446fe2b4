// `lazarus explain --output`: what every cell of a mission printed, opened with the keys that are here. What is for others is
// said to be; what is not what its document says is not shown.
import { ID_DIGITS_MIN } from '../../../app/causes.ts';
import { readDocument } from '../../../app/mission/documents.ts';
import { parsePrinted, type Printed } from '../../../app/printed/document.ts';
import { openPrinted, type Opening } from '../../../app/printed/open.ts';
import { readEvents } from '../../../app/read-events.ts';
import { Failure } from '../../../failure.ts';
import { fromUtf8 } from '../../../format/bytes.ts';
import type { ReadEvent } from '../../../kernel/read.ts';
import { REASONS, type ReasonCode } from '../../../reasons.ts';
import { readerNames, readerWords } from '../mission/reader-words.ts';
import type { MissionSite } from '../mission/site.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';
import { openingOf } from '../workspace.ts';

type Born = Extract<ReadEvent, { event_type: 'cell.spawned' }>;
type Closed = Extract<ReadEvent, { event_type: 'cell.closed' }>;

type Cell = { readonly closed: Closed; readonly output: string; readonly of: string };
type Shown = Cell & { readonly printed: Printed | undefined } & (
    | { readonly is: 'opened'; readonly content: string }
    | { readonly is: 'shut'; readonly failure: Failure }
  );

/** `typed`: index or id of the event that closed one cell; all of them where it is left out. */
export async function explainPrinted(site: MissionSite, options: Values, typed: string | undefined): Promise<number> {
  const { ctx, name } = site;
  const cells = await cellsOf(site);
  const wanted = cells.filter(({ closed }) => typed === undefined || isMeant(closed, typed));
  if (typed !== undefined && wanted.length === 0)
    throw new Failure('event_not_found', { event: typed }, { next: `lazarus explain ${name} --output` });
  const opening = openingOf(site.app, options);
  const shown: Shown[] = [];
  // One after the other: the first may ask for a passphrase.
  for (const cell of wanted) shown.push(await open(site, cell, opening));
  const shut = shown.flatMap((one) => (one.is === 'shut' ? [one.failure] : []));
  const worst = WORST.map((code) => shut.find((failure) => failure.code === code)).find((one) => one !== undefined);
  const names = readerNames(site.project.roster);
  // Where nothing can be shown, why is all there is to say.
  if (worst !== undefined && shut.length === shown.length) throw named(worst, shown, names);
  ctx.out.emit(shown.length === 0 ? ['no cell has printed anything yet'] : shown.flatMap((one) => lines(one, names)), {
    printed: shown.map(json),
  });
  return worst === undefined || worst.code === 'printed_not_kept' ? 0 : REASONS[worst.code].exit;
}

/** A digit or two are an index, and no id that happens to begin so. */
function isMeant({ index, event_id }: Closed, typed: string): boolean {
  return String(index) === typed || (typed.length >= ID_DIGITS_MIN && event_id.startsWith(typed.toLowerCase()));
}

/** By the names of people, where it is theirs. */
function named(failure: Failure, shown: readonly Shown[], names: ReadonlyMap<string, string>): Failure {
  if (failure.code !== 'printed_not_for_you') return failure;
  const readers = shown.flatMap(({ printed }) => printed?.encrypted_to ?? []);
  return new Failure(failure.code, { people: [...new Set(readers.map((one) => names.get(one) ?? one))] });
}

const WORST = [
  'printed_altered',
  'artifact_missing',
  'printed_not_for_you',
  'printed_not_kept',
] as const satisfies readonly ReasonCode[];

async function cellsOf({ bench, ref, ctx }: MissionSite): Promise<readonly Cell[]> {
  const born = new Map<string, Born>();
  const cells: Cell[] = [];
  const take = (event: ReadEvent): void => {
    if (event.event_type === 'cell.spawned') born.set(event.entity_id, event);
    if (event.event_type !== 'cell.closed' || event.payload.output === null) return;
    cells.push({ closed: event, output: event.payload.output, of: ranIn(born.get(event.entity_id)) });
  };
  await readEvents(bench, ref, take, { signal: ctx.signal });
  return cells;
}

function ranIn(birth: Born | undefined): string {
  const { purpose, check } = birth?.payload ?? { purpose: 'agent', check: null };
  if (purpose === 'prepare') return 'preparing the environment';
  return purpose === 'check' ? `check ${check ?? 0}` : 'the agent';
}

async function open({ bench, ref }: MissionSite, cell: Cell, opening: Opening): Promise<Shown> {
  let printed: Printed | undefined;
  try {
    printed = parsePrinted(await readDocument(bench, ref, cell.output));
    if (printed === undefined) throw new Failure('printed_altered', { because: 'no document of what was printed' });
    return { ...cell, printed, is: 'opened', content: fromUtf8(await openPrinted(opening, printed)) };
  } catch (error) {
    if (!(error instanceof Failure) || !WORST.some((code) => code === error.code)) throw error;
    return { ...cell, printed, is: 'shut', failure: error };
  }
}

function lines(one: Shown, names: ReadonlyMap<string, string>): Line[] {
  const { closed, of, printed } = one;
  const size =
    printed === undefined ? '' : `: ${printed.lines} ${printed.lines === 1 ? 'line' : 'lines'}, ${printed.bytes} bytes`;
  const cut = printed === undefined || printed.whole ? '' : ', of which only this beginning is kept';
  const readers = printed === undefined ? '' : `, ${readerWords(printed, names)}`;
  const head: Line = [{ text: `${String(closed.index).padStart(4)}  `, style: 'dim' }, `${of}${size}${cut}${readers}`];
  if (one.is === 'opened') return [head, ...contentLines(one.content)];
  const { code } = one.failure;
  return [head, [{ text: `      ${code}: `, style: 'yellow' }, REASONS[code].says]];
}

function contentLines(content: string): string[] {
  const all = content.split('\n');
  if (all.at(-1) === '') all.pop();
  return all.map((line) => `      ${line}`);
}

function json(one: Shown): Readonly<Record<string, unknown>> {
  const { closed, output, of, printed } = one;
  return {
    index: closed.index,
    cell: closed.entity_id,
    of,
    artifact: output,
    is: one.is === 'opened' ? 'opened' : one.failure.code,
    bytes: printed?.bytes ?? null,
    lines: printed?.lines ?? null,
    whole: printed?.whole ?? null,
    digest: printed?.digest ?? null,
    encrypted_to: printed?.encrypted_to ?? [],
    excerpt: printed?.excerpt ?? null,
    content: one.is === 'opened' ? one.content : null,
  };
}
