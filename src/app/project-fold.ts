// What missions need of their project's past, folded and kept: which heads it had, which rosters and cut-offs came with
// them, what it recorded of its missions. So a long project is verified since its pin, and a mission can still be held to any head that it cites.
import { z } from 'zod';
import { utf8 } from '../format/bytes.ts';
import { jcs } from '../format/jcs.ts';
import { LEDGER_FORMAT } from '../kernel/limits.ts';
import { AdoptedFrom } from '../kernel/mission/events.ts';
import { CutOff, RosterUpdate } from '../kernel/project/events.ts';
import { STATE_VERSION } from '../kernel/state.ts';
import { ledgerName, PROJECT_REF } from '../ledger/names.ts';
import { headOf } from '../ledger/tip.ts';
import { ProjectView } from './adoption.ts';
import { folded } from './folded.ts';
import type { Fold } from './folding.ts';
import type { KeptFold } from '../ports/folds.ts';
import { KeptHistory, type HistorySource } from './verify/project-history.ts';
import { verifyLedger } from './verify/verify-ledger.ts';
import type { Seen } from './verify/walk.ts';
import { refuseFlawed, type Watch, type Workbench } from './workbench.ts';

const Known = z.lazy(() =>
  z.strictObject({
    history: KeptHistory,
    changes: z.array(
      z.discriminatedUnion('is', [
        z.strictObject({ is: z.literal('roster'), update: RosterUpdate, from: AdoptedFrom }),
        z.strictObject({ is: z.literal('cut_off'), cutOff: CutOff, from: AdoptedFrom }),
      ]),
    ),
  }),
);

/** Beside its own, that of the states in it. */
const VERSION = 1000 * STATE_VERSION + 7;
const NAME = ledgerName(PROJECT_REF);

function foldOf(bench: Workbench): Fold<ProjectView> {
  const { crypto, folds, repository } = bench.parts;
  const digestOf = (page: unknown): string => `sha256:${crypto.hashHex('sha256', utf8(jcs(page)))}`;
  const source: HistorySource = {
    readPage: async (name, digest) => {
      const kept = await folds?.read(NAME, name);
      return kept !== undefined && digestOf(kept.value) === digest ? kept.value : undefined;
    },
    whole: async ({ oid }) => {
      await bench.place.upToDate();
      const view = new ProjectView();
      const onCommit = (seen: Seen): void => view.add(seen);
      refuseFlawed(
        (await verifyLedger({ crypto, reader: repository, ref: PROJECT_REF, head: oid, mode: 'full', onCommit }))
          .report,
      );
      return view.history;
    },
  };
  return {
    name: NAME,
    version: VERSION,
    kind: 'project',
    start: () => new ProjectView(undefined, source),
    take: (view, step) => view.add(step),
    write: (view) =>
      view.known(async (name, value) => {
        await folds?.write?.(NAME, name, { version: VERSION, format: LEDGER_FORMAT, head: headOf(view.tip), value });
        return digestOf(value);
      }),
    read: (kept) => {
      const known = Known.safeParse(kept);
      return known.success ? new ProjectView(known.data, source) : undefined;
    },
  };
}

/** The names of all pages that it was kept with. */
export function pagesOf({ value }: KeptFold): readonly string[] {
  const known = Known.safeParse(value);
  if (!known.success) return [];
  const { heads, eras, record } = known.data.history;
  return [heads, eras, record.pages].flatMap(Object.keys);
}

/** A clone may hold a mission without the project's own branch. */
export async function knownProjectIfHere(bench: Workbench): Promise<ProjectView | undefined> {
  return (await bench.ledgers()).includes(PROJECT_REF) ? knownProject(bench) : undefined;
}

/** The project ledger, verified since this clone last did. */
export async function knownProject(
  bench: Workbench,
  options: Watch & { readonly genesis?: string } = {},
): Promise<ProjectView> {
  const { value, verified } = await folded(bench, PROJECT_REF, foldOf(bench), options);
  value.standAt(verified.tip);
  await value.history.bring({});
  return value;
}
