// The beginning of the quickstart: the example project, keys of two people and a computer, and what `lazarus init` makes of
// them. Says loudly when this machine has nothing to isolate an agent with.
import { identityOf } from '../../../app/init/identity.ts';
import { initHere } from '../../../app/init/init-here.ts';
import { PROJECT_REF } from '../../../ledger/names.ts';
import { Failure } from '../../../failure.ts';
import { fromUtf8, utf8 } from '../../../format/bytes.ts';
import type { Cells } from '../../../ports/cells.ts';
import type { Signer } from '../../../ports/keys.ts';
import { rosterWith, submitRoster } from './second-person.ts';
import type { Tell } from './story.ts';
import type { Stage } from './world.ts';

export type Cast = {
  readonly ana: Signer;
  readonly bo: Signer;
  readonly laptop: Signer;
  readonly genesis: string;
  /** The isolation that is to be had here. */
  readonly level: number;
};

const EXAMPLE = ['src/greet.sh', 'test/greet.test.sh', 'tools/example-agent.sh'];

export async function setUp(stage: Stage, tell: Tell): Promise<Cast> {
  const { scratch, app } = stage;
  await scratch.initRepository('laptop');
  const files = await Promise.all(EXAMPLE.map(async (path) => [path, await app.template(`example/${path}`)] as const));
  await scratch.commitFiles('laptop', Object.fromEntries(files), 'the example project');
  const [ana, bo, laptop] = [await stage.newKey('ana'), await stage.newKey('bo'), await stage.newKey('laptop')];
  tell(
    'Two people and a computer make keys',
    `ana     ${ana.fingerprint}`,
    `bo      ${bo.fingerprint}`,
    `laptop  ${laptop.fingerprint}`,
  );
  const level = await isolationHere(stage, tell);
  const genesis = await stage.inside('laptop', async (bench, here) => {
    const policy = await policyFor(stage, level);
    await initHere(
      { bench, workTree: await here.workTree() },
      {
        person: identityOf('ana', ana),
        machine: identityOf('laptop', laptop),
        keyItems: [],
        forgeUserId: null,
        templates: { policy, sacred: await app.template('sacred.yml') },
        commits: true,
        agree: () => Promise.reject(new Failure('agreement_needed')),
      },
      { isDryRun: false },
    );
    const project = bench.session(PROJECT_REF, ana);
    const { state } = await project.tip();
    await submitRoster(app, project, ana, rosterWith(app.crypto, state!.roster, 'bo', bo));
    return state!.project_genesis;
  });
  tell(
    'ana sets up the repository: a project ledger with a policy, and a roster of ana, bo and the laptop',
    `everybody’s trust starts from ${genesis}`,
  );
  return { ana, bo, laptop, genesis, level };
}

async function isolationHere({ app, ctx }: Stage, tell: Tell): Promise<number> {
  const { cells } = await app.cells();
  const probe = await cells.probe();
  if (probe.is === 'fit') return probe.level;
  const why = lacking(probe);
  ctx.out.warn({ text: `NO ISOLATION: ${why}`, style: 'red' });
  tell(
    'This machine cannot isolate an agent',
    why,
    'the example that ships with lazarus goes on WITHOUT ISOLATION (level 0), and its receipt says so;',
    'lazarus run would refuse here',
  );
  return 0;
}

function lacking(probe: Extract<Awaited<ReturnType<Cells['probe']>>, { is: 'unfit' }>): string {
  return probe.code === 'sandbox_missing' ? 'bubblewrap is not installed (apt install bubblewrap)' : probe.why;
}

/** The policy that ships asks for level 2; only here, and only for want of it, for none. */
async function policyFor({ app }: Stage, level: number): Promise<Uint8Array> {
  const shipped = fromUtf8(await app.template('policy.yml'));
  return utf8(level === 0 ? shipped.replace(/^( {2}process:) \d+$/m, '$1 0') : shipped);
}
