// The end of the quickstart: what somebody finds out alone who believes nobody: by verifying, by one proof, by the stock
// tools, and when something was altered.
import type { ProjectView } from '../../../app/adoption.ts';
import { prove } from '../../../app/prove.ts';
import { pullLedgers } from '../../../app/sync.ts';
import { tamperWithHead } from '../../../app/tamper.ts';
import { refuseFlawed, type Workbench } from '../../../app/workbench.ts';
import { checkBundle } from '../../../ledger/bundle.ts';
import { PROJECT_REF } from '../../../ledger/names.ts';
import { unwrap } from '../workspace.ts';
import type { Stage } from './world.ts';

export async function auditAlone(bench: Workbench, genesis: string): Promise<readonly string[]> {
  const facts: string[] = [];
  let project: ProjectView | undefined;
  for (const { ledger } of await pullLedgers(bench)) {
    const ref = await bench.find(ledger);
    const { report } = await bench.verify(ref, 'full', { genesis, ...(project === undefined ? {} : { project }) });
    refuseFlawed(report);
    if (ref === PROJECT_REF) project = await bench.project();
    facts.push(`ok ${ledger}: ${report.events} events, trust ${report.trust.is}`);
  }
  return facts;
}

export async function proved(
  { app, scratch, ...stage }: Stage,
  ref: string,
  { genesis, receipt }: { readonly genesis: string; readonly receipt: number },
): Promise<{ readonly path: string; readonly says: string }> {
  const { bytes } = await stage.inside('laptop', (bench) => prove(bench, ref, { event: String(receipt) }));
  const path = await scratch.write('proof.json', bytes);
  const { claim, head } = unwrap(checkBundle(app.crypto, bytes, { genesis }));
  const what = claim.is === 'event' ? `event ${claim.index} (${claim.event.event_type})` : 'the growth';
  return { path, says: `${path}: ${what} is in the ledger of ${head.size} events` };
}

export async function stockSays({ scratch, ...stage }: Stage, ref: string): Promise<string> {
  const head = await stage.inside('laptop', (bench) => bench.parts.repository.resolve(ref));
  const opinion = await scratch.stockOpinion(scratch.at('laptop'), head!);
  if (opinion.is === 'absent') return 'gpg is not installed here: this step was left out';
  return opinion.is === 'agrees'
    ? `git verify-commit: good signature by ${opinion.signer}`
    : `git verify-commit: ${opinion.says}`;
}

/** The newest event says how the mission ended: somebody would like it to have ended otherwise. */
const FORGERY = ['"outcome":"done"', '"outcome":"gone"'] as const;

export async function forged({ app, ...stage }: Stage, ref: string, genesis: string): Promise<readonly string[]> {
  return stage.inside('auditor', async (bench) => {
    await tamperWithHead(app.crypto, bench.parts.repository, ref, FORGERY);
    const { report } = await bench.verify(ref, 'full', { genesis });
    if (report.integrity.is === 'ok') throw new TypeError('a forged ledger was accepted');
    const { code, index, oid } = report.integrity;
    return [
      `lazarus verify: ${code} at index ${index}, commit ${oid.slice(0, 12)}; everything before it still verifies`,
    ];
  });
}
