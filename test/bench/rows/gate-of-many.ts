// What the gate costs in a project that has had many missions, against one that has had few: on two real Giteas, each job
// from the start of its process to its end. A gate has no clone: it begins at what the schedule left of the project's ledger.
import { execFileSync } from 'node:child_process';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import { TEAM_REPOSITORY } from '../../support/gitea/missions.ts';
import { giteaPrograms, TO_INCLUDE } from '../../support/gitea/obtain.ts';
import { BEN } from '../../support/people.ts';
import { git } from '../../support/repos.ts';
import type { Bench } from '../bench.ts';
import { jobsByHand, newJobsByHand, whereItWent, type JobsByHand, type Timed } from '../inputs/jobs-by-hand.ts';
import { grownLedgers, pastReferences, registerPast, type Past, type ProjectCommit } from '../inputs/past-missions.ts';
import { inRounds, ratios } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const gateOfMany: Row = { name: 'gate of a project of many missions', run };

const FEW = 10;
const MANY = 10_000;
const LIMIT = { unit: '×', budget: { atMost: 1.5 }, needsQuiet: true } as const;
const JOBS = {
  form: 'a form',
  status: '/status',
} as const;
type Kind = keyof typeof JOBS;
const KINDS = Object.keys(JOBS) as readonly Kind[];

type Site = JobsByHand & { readonly issue: number };

async function run(bench: Bench): Promise<readonly Line[]> {
  const had = Math.min(MANY, bench.sizes.missions);
  const against = `of ${had} against of ${FEW}`;
  if (giteaPrograms() === undefined)
    return KINDS.map((kind) => ({ ...LIMIT, what: judged(kind, against), values: [], beside: TO_INCLUDE }));
  const few = await siteOf(await jobsByHand(bench));
  const many = await siteOf(await newJobsByHand(bench, 'of-many'));
  bench.say(`two projects: one has had ${FEW} missions, one ${had}`);
  const past = { from: 0, to: had };
  for (const [site, to] of [
    [few, FEW],
    [many, had],
  ] as const)
    giveReferences(site, { from: 0, to });
  await giveHistory(bench, few, { from: 0, to: FEW });
  bench.say('asking both gates');
  const byReferences = await inTurns(bench, few, many);
  await giveHistory(bench, many, past);
  // As it comes by every few minutes: what it leaves for the gate spares that the past.
  for (const site of [few, many]) await site.schedule();
  bench.say('asking both gates, with what is registered');
  const whole = await inTurns(bench, few, many);
  return KINDS.flatMap((kind) => [
    { ...LIMIT, what: judged(kind, against), ...told(whole[kind], lessPushes) },
    { unit: '×', what: `${JOBS[kind]}, whole process, with the hooks of this server`, ...told(whole[kind], wholly) },
    {
      unit: '×',
      what: `${JOBS[kind]}, whole process, with their references alone, and not what the project’s ledger has of them`,
      ...told(byReferences[kind], wholly),
    },
  ]);
}

async function siteOf(jobs: JobsByHand): Promise<Site> {
  const { issue } = await jobs.form({ paths: 'docs/**' });
  return { ...jobs, issue };
}

function giveReferences({ team: { gitea } }: Site, past: Past): void {
  gitea.gitIn(TEAM_REPOSITORY, ['fast-import', '--quiet'], pastReferences(past));
  gitea.gitIn(TEAM_REPOSITORY, ['pack-refs', '--all']);
}

/**
 * Made beside the server and put where it has the repository: thousands of pushes would take it an hour. And tidied up, as
 * its own git does after every forty missions: Gitea compares each new branch with every other one, and without the
 * commit-graph that comes of tidying up, that alone takes longer than all the rest.
 */
async function giveHistory(bench: Bench, { team: { gitea, cloneUrl } }: Site, past: Past): Promise<void> {
  const aside = bench.path(`history-${past.to}`);
  git('.', ['init', '-q', '--bare', aside]);
  git(aside, ['fetch', '-q', cloneUrl, `${PROJECT_REF}:${PROJECT_REF}`]);
  await registerPast(aside, BEN, past);
  const pack = execFileSync('git', ['pack-objects', '-q', '--revs', '--stdout'], {
    cwd: aside,
    input: `${PROJECT_REF}\n`,
    maxBuffer: 1 << 30,
  });
  gitea.gitIn(TEAM_REPOSITORY, ['index-pack', '--stdin'], pack);
  gitea.gitIn(TEAM_REPOSITORY, ['update-ref', PROJECT_REF, git(aside, ['rev-parse', PROJECT_REF])]);
  const ledgers = grownLedgers(past, commitsOf(aside));
  gitea.gitIn(TEAM_REPOSITORY, ['fast-import', '--quiet', '--force'], ledgers);
  gitea.gitIn(TEAM_REPOSITORY, ['gc', '--quiet', '--prune=now']);
}

function commitsOf(repository: string): readonly ProjectCommit[] {
  const lines = git(repository, ['log', '--reverse', '--format=%H %ct', PROJECT_REF]).split('\n');
  return lines.map((line) => {
    const [oid, seconds] = line.split(' ');
    return { oid: oid!, seconds: Number(seconds) };
  });
}

type Both = { readonly few: readonly Timed[]; readonly many: readonly Timed[] };

async function inTurns(bench: Bench, few: Site, many: Site): Promise<Readonly<Record<Kind, Both>>> {
  return {
    form: await both(bench, { few, many }, ({ form }, n) => form({ paths: `docs/${n}/**` })),
    status: await both(bench, { few, many }, ({ status, issue }) => status(issue)),
  };
}

async function both(
  bench: Bench,
  sites: Readonly<Record<keyof Both, Site>>,
  ask: (site: Site, n: number) => Promise<Timed>,
): Promise<Both> {
  const all: Record<keyof Both, Timed[]> = { few: [], many: [] };
  const asked = (name: keyof Both) => async (): Promise<number> => {
    const one = await ask(sites[name], all[name].length);
    all[name].push(one);
    return one.ms;
  };
  await inRounds(bench.sizes.rounds, { few: asked('few'), many: asked('many') });
  // The first round is thrown away.
  return { few: all.few.slice(1), many: all.many.slice(1) };
}

/** The limit was made for git's own server: what hooks of a forge make of a push is listed beside it. */
function judged(kind: Kind, against: string): string {
  return `${JOBS[kind]}, less its pushes, ${against}`;
}

type Part = (one: Timed) => number;
const wholly: Part = ({ ms }) => ms;
const lessPushes: Part = ({ ms, pushMs }) => ms - pushMs;

function told({ few, many }: Both, part: Part): Pick<Line, 'values' | 'beside'> {
  return {
    values: ratios(many.map(part), few.map(part)),
    beside: `of many, ${whereItWent(many)}; of few, ${whereItWent(few)}`,
  };
}
