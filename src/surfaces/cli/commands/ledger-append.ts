// `lazarus ledger append`: events by type and payload, one transaction or one per line of a file.
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { appendWanted, Wanted } from '../../../app/append.ts';
import type { Landed } from '../../../app/ledger-session.ts';
import { knownProject } from '../../../app/project-fold.ts';
import { Failure } from '../../../failure.ts';
import { landCold } from '../append-cold.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';
import { signerOf, unwrap, withWorkbench } from '../workspace.ts';

export async function run(ctx: Context, args: Values, options: Values): Promise<void> {
  const transactions = await wantedFrom(args, options);
  const ledger = args.need('ledger');
  const url = options.text('cold');
  const landed =
    url === undefined
      ? await land(ctx, ledger, options, transactions)
      : await landCold(ctx, { ledger, url }, options, transactions);
  const last = landed.at(-1)!;
  const events = transactions.reduce((sum, one) => sum + one.length, 0);
  ctx.out.emit(
    [
      `appended ${events} ${events === 1 ? 'event' : 'events'} from index ${landed[0]!.from}`,
      `  head  ${last.head.oid} (size ${last.head.size})`,
    ],
    {
      events,
      transactions: landed.map(({ tx, from, head, attempts }) => ({ tx, from, head, attempts })),
      head: last.head,
    },
  );
}

function land(
  ctx: Context,
  ledger: string,
  options: Values,
  transactions: readonly (readonly Wanted[])[],
): Promise<readonly Landed[]> {
  return withWorkbench(ctx, options, async ({ app, bench }) => {
    const ref = await bench.find(ledger);
    const view = await knownProject(bench);
    const signer = await signerOf(app, options, view.tip.state!.roster);
    const session = bench.session(ref, signer, view);
    const progress = ctx.out.progress('appending');
    const expect = options.whole('expectSize');
    const submitted = transactions.map((events) => session.submit(appendWanted(events, app.ids, expect)));
    const verdicts = await Promise.all(
      submitted.map(async (one, i) => {
        const verdict = await one;
        progress.update(i + 1, submitted.length);
        return verdict;
      }),
    );
    progress.end();
    return verdicts.map(unwrap);
  });
}

/** One transaction from the options, or one per line of --events. */
async function wantedFrom(args: Values, options: Values): Promise<readonly (readonly Wanted[])[]> {
  const file = options.text('events');
  const type = args.text('type');
  if ((file === undefined) === (type === undefined))
    throw new Failure('usage', { expected: 'either an event type or --events <file>' });
  if (type !== undefined) {
    const payload = parseJson(options.text('payload') ?? '{}', '--payload');
    return [[wantedOf({ event_type: type, payload, ...idsOf(options) }, '--payload')]];
  }
  const lines = (await readText(file!)).split('\n').filter((line) => line.trim() !== '');
  const all = lines.map((line, i) => wantedOf(parseJson(line, `${file}:${i + 1}`), `${file}:${i + 1}`));
  if (all.length === 0) throw new Failure('usage', { file: file!, expected: 'one event at least' });
  const size = options.whole('perTransaction', 1) ?? 1;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

function idsOf(options: Values): Record<string, string> {
  const named = {
    entity_id: options.text('entity'),
    task_id: options.text('task'),
    correlation_id: options.text('correlation'),
  };
  return Object.fromEntries(Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function wantedOf(value: unknown, where: string): Wanted {
  const parsed = Wanted.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Failure('usage', { where, field: issue?.path.map(String).join('.') ?? '', problem: issue?.message ?? '' });
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Failure('usage', { where, expected: 'JSON' }, { cause });
  }
}

/** `-` is standard input. */
async function readText(path: string): Promise<string> {
  try {
    return path === '-' ? await text(process.stdin) : await readFile(path, 'utf8');
  } catch (cause) {
    throw new Failure(
      'usage',
      { file: path, problem: (cause as NodeJS.ErrnoException).code ?? 'unreadable' },
      { cause },
    );
  }
}
