// The ledgers as the forges of this clone have them: each there, not set back behind what this clone holds, and verified.
// Asked for, because it fetches all of them. Changes no ledger, here or there.
import { openPointers } from '../gate/open-missions.ts';
import { compareWithRemote, type Compared } from '../sync.ts';
import { knownProjectIfHere } from '../project-fold.ts';
import type { Workbench } from '../workbench.ts';
import { fetchedRef, LEDGER_REFS } from '../../ledger/names.ts';
import { missing, ok, type Finding } from './finding.ts';
import type { Here } from './here.ts';

/** So that everything stays on one screen. */
const SHOWN_MAX = 8;

export async function lookAtLedgers(here: Here): Promise<readonly Finding[]> {
  if ((await here.opened()) === undefined) return [];
  const remotes = await here.remotes();
  return (await Promise.all(remotes.map(({ name }) => lookAtThose(here, name)))).flat();
}

async function lookAtThose({ far }: Here, remote: string): Promise<readonly Finding[]> {
  const about = { item: 'ledger', title: `ledgers of ${remote}` };
  const bench = await far(remote);
  const wereThere = await seenThere(bench);
  const compared = await compareWithRemote(bench);
  const open = [...(await openPointers(bench)).keys()];
  const lost = open.filter((name) => compared.every(({ ledger, there }) => ledger !== name || there === undefined));
  const found: Finding[] = lost.map((name) =>
    missing(about, `${name} is missing there, and its mission is open`, pushLine(remote, name)),
  );
  for (const one of compared)
    if (!lost.includes(one.ledger)) found.push(...(await judge(bench, one, { about, remote, wereThere })));
  if (found.length === 0)
    return [ok(about, `${compared.filter(({ there }) => there !== undefined).length}, all in order`)];
  const more = found.length - SHOWN_MAX;
  const rest = more > 0 ? [missing(about, `and ${more} more`, `lazarus ledger compare ${remote}`)] : [];
  return [...found.slice(0, SHOWN_MAX), ...rest];
}

/** What was fetched before: of a ledger that is only here, nobody deleted anything there. */
async function seenThere({ parts }: Workbench): Promise<ReadonlySet<string>> {
  const fetched = await parts.repository.list(fetchedRef(LEDGER_REFS));
  return new Set(fetched.map(({ ref }) => ref));
}

type Judging = {
  readonly about: { readonly item: string; readonly title: string };
  readonly remote: string;
  readonly wereThere: ReadonlySet<string>;
};

async function judge(
  bench: Workbench,
  { ref, ledger, relation }: Compared & { readonly ref: string },
  { about, remote, wereThere }: Judging,
): Promise<readonly Finding[]> {
  switch (relation) {
    case 'absent_there':
      return wereThere.has(fetchedRef(ref))
        ? [missing(about, `${ledger} was deleted there`, pushLine(remote, ledger))]
        : [];
    case 'ahead':
      return [
        missing(about, `${ledger} holds less there than here: set back, or not sent yet`, pushLine(remote, ledger)),
      ];
    default: {
      const project = await knownProjectIfHere(bench);
      const { report } = await bench.verifyAt(ref, fetchedRef(ref), project);
      if (report.integrity.is === 'ok' && relation !== 'forked') return [];
      const { integrity } = report;
      return integrity.is === 'ok'
        ? [missing(about, `${ledger}: another history than here`, `lazarus ledger compare ${remote} ${ledger}`)]
        : [missing(about, `${ledger}: ${integrity.code}`, `lazarus ledger repair ${ledger} --remote ${remote}`)];
    }
  }
}

function pushLine(remote: string, ledger: string): string {
  return `lazarus ledger push ${remote} ${ledger}`;
}
