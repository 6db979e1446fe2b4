// `lazarus receipt list|show`: what was intended, authorised, done and seen, one receipt each, with the isolation that was
// really had.
import { z } from 'zod';
import { readJson } from '../../../app/mission/documents.ts';
import { readEvents } from '../../../app/read-events.ts';
import { Failure } from '../../../failure.ts';
import { exposedWords, spentWords } from '../../../forge-text/status-words.ts';
import { ExposedTo } from '../../../kernel/policy/exposure.ts';
import type { ReadEvent } from '../../../kernel/read.ts';
import type { Context } from '../command.ts';
import { atMission, type MissionSite } from '../mission/site.ts';
import { cellWords } from '../../../kernel/cell/words.ts';
import { aligned } from '../output.ts';
import type { Values } from '../values.ts';

type Receipt = Extract<ReadEvent, { event_type: 'receipt.issued' }>;

export const list = {
  run: (ctx: Context, args: Values, options: Values): Promise<void> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) => {
      const receipts = await receiptsOf(site);
      const rows = receipts.map(({ entity_id, index, payload }) => [
        entity_id,
        `event ${index}`,
        payload.receipt_class,
        `${payload.result_code} (${payload.result_summary})`,
      ]);
      ctx.out.emit(rows.length === 0 ? ['no receipts yet'] : aligned(rows), { receipts: receipts.map(receiptJson) });
    }),
};

export const show = {
  run: (ctx: Context, args: Values, options: Values): Promise<void> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) => {
      const typed = args.need('receipt').toLowerCase();
      const receipt = find(await receiptsOf(site), typed, site.name);
      const ran = await ranUnder(site, receipt);
      const cell = await environmentOf(site, receipt);
      const rows = Object.entries(receiptJson(receipt)).map(([name, value]) => [name, words(value)]);
      if (cell?.agent?.name)
        rows.push(['agent', [cell.agent.name, ...(cell.agent.version === null ? [] : [cell.agent.version])].join(' ')]);
      for (const key of ran?.environment ?? []) rows.push(['prepared', key]);
      for (const reached of ran?.reach ?? []) rows.push(['reaches', reached]);
      for (const { tokens_in: tokensIn, tokens_out: tokensOut, ...line } of ran?.spent ?? [])
        rows.push(['spent', spentWords({ ...line, tokensIn, tokensOut })]);
      if (cell !== undefined) rows.push(['cell', `${cell.backend}, ${cellWords(cell)}, user ${cell.uid}`]);
      if (cell !== undefined && cell.exposed_to !== null)
        rows.push(['keys', exposedWords({ to: cell.exposed_to, by: 'runner' })]);
      ctx.out.emit(aligned(rows), { receipt: receiptJson(receipt), cell: cell ?? null, ran: ran ?? null });
    }),
};

/** What stood in the cell that the receipt is about, what it opened and what that cost; undefined where it is about none. */
async function ranUnder({ bench, ref, ctx }: MissionSite, { payload }: Receipt) {
  const facts = payload.environment_ref;
  if (facts === null) return undefined;
  const born = new Map<string, Pick<Birth['payload'], 'environment' | 'reach'>>();
  let ran: (Pick<Birth['payload'], 'environment' | 'reach'> & Pick<End['payload'], 'spent'>) | undefined;
  const take = (event: ReadEvent): void => {
    if (event.event_type === 'cell.spawned') born.set(event.entity_id, event.payload);
    if (event.event_type !== 'cell.closed' || event.payload.facts !== facts) return;
    const { environment = [], reach = [] } = born.get(event.entity_id) ?? {};
    ran = { environment, reach, spent: event.payload.spent };
  };
  await readEvents(bench, ref, take, { signal: ctx.signal });
  return ran;
}

type Birth = Extract<ReadEvent, { event_type: 'cell.spawned' }>;
type End = Extract<ReadEvent, { event_type: 'cell.closed' }>;

async function receiptsOf({ bench, ref, ctx }: MissionSite): Promise<readonly Receipt[]> {
  const receipts: Receipt[] = [];
  const take = (event: ReadEvent): void => {
    if (event.event_type === 'receipt.issued') receipts.push(event);
  };
  await readEvents(bench, ref, take, { signal: ctx.signal });
  return receipts;
}

function find(receipts: readonly Receipt[], typed: string, mission: string): Receipt {
  const found = receipts.filter(({ entity_id }) => entity_id.startsWith(typed));
  const [only] = found;
  const next = `lazarus receipt list ${mission}`;
  if (only === undefined || typed === '') throw new Failure('event_not_found', { mission, receipt: typed }, { next });
  if (found.length > 1) throw new Failure('event_ambiguous', { mission, receipt: typed }, { next });
  return only;
}

function receiptJson({ entity_id, index, occurred_at, commit, signer, payload }: Receipt) {
  const { decision_ref = null, ...said } = payload;
  return { id: entity_id, index, occurred_at, commit, signer: signer.principal_id, ...said, decision_ref };
}

const Hold = z.enum(['hard', 'soft', 'none']);
const Holds = z.object({ cpu: Hold, memory: Hold, processes: Hold });

const Environment = z.object({
  agent: z.object({ name: z.string().nullable(), version: z.string().nullable() }).optional(),
  exposed_to: ExposedTo.optional(),
  facts: z.object({ backend: z.string(), level: z.int(), uid: z.int(), limits: Holds }),
});

/** What the cell really was; undefined where the receipt is about something else, or the document was erased. */
async function environmentOf({ bench, ref }: MissionSite, { payload }: Receipt) {
  if (payload.environment_ref === null) return undefined;
  const found = await readJson(bench, ref, payload.environment_ref, Environment);
  return found && { ...found.facts, exposed_to: found.exposed_to ?? null, agent: found.agent ?? null };
}

function words(value: string | number | readonly string[] | Receipt['payload']['rollback'] | null): string {
  if (value === null) return '-';
  if (typeof value !== 'object') return String(value);
  return 'how' in value ? `${value.supported} (${value.how})` : value.join(' ');
}
