// The story of the quickstart, told while it happens: a project for two people, one mission from its file to its receipts,
// and an auditor who believes nobody. Everything here is what the commands do; nothing is simulated. Where this machine
// cannot isolate an agent, only this example, which ships with lazarus, goes on without, and says so.
import { pushLedgers } from '../../../app/sync.ts';
import { ledgerName } from '../../../ledger/names.ts';
import { auditAlone, forged, proved, stockSays } from './audit.ts';
import { approveAsBo, proposeExample, runExample } from './mission.ts';
import { setUp } from './project.ts';
import type { Stage } from './world.ts';

export type Tell = (step: string, ...facts: readonly string[]) => void;
export type Story = {
  readonly mission: string;
  readonly genesis: string;
  readonly proof: string;
  readonly level: number;
  readonly receipts: readonly string[];
};

export async function tellStory(stage: Stage, tell: Tell): Promise<Story> {
  const { scratch } = stage;
  const cast = await setUp(stage, tell);
  const { ref, receipt, receipts } = await stage.inside('laptop', async (bench, app) => {
    const { ref, digest } = await proposeExample(stage, { bench, app, cast }, tell);
    await approveAsBo(stage, { bench, app, cast, ref }, digest, tell);
    return { ref, ...(await runExample(stage, { bench, app, cast, ref }, tell)) };
  });

  await scratch.initRepository('server.git', { bare: true });
  await stage.inside('laptop', async (bench) => void (await pushLedgers(bench)), 'server.git');
  await scratch.initRepository('auditor');
  const { genesis } = cast;
  const verified = await stage.inside('auditor', (bench) => auditAlone(bench, genesis), 'server.git');
  tell('The ledgers are pushed to a bare repository; an auditor is told the genesis and verifies alone', ...verified);
  const proof = await proved(stage, ref, { genesis, receipt });
  tell('One file proves that receipt to somebody without any repository', proof.says);
  tell('Stock git and gpg say the same of the signature', await stockSays(stage, ref));
  tell(
    'Somebody alters one event in the auditor’s copy, and keeps the signature',
    ...(await forged(stage, ref, genesis)),
  );
  return { mission: ledgerName(ref), genesis, proof: proof.path, level: cast.level, receipts };
}
