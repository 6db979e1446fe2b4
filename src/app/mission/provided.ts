// Whether what a plan starts is there at its base: the agent's program, the checks' first words, the files that environments
// are prepared from. People would approve a run that cannot begin. What only a runner knows is found out where it runs.
import type { Oid } from '../../format/git/object.ts';
import { checksOf, type PlanDocument } from '../../kernel/mission/plan-document.ts';
import { startedBy, startedByText, type Around, type Started } from '../../kernel/policy/programs.ts';
import { overlappingClaim } from '../../kernel/project/claims.ts';
import { claimsOf } from '../../kernel/scope/globs.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import type { Workbench } from '../workbench.ts';
import { lookAtPath, type AtPath } from './target.ts';

export async function checkProvided(bench: Workbench, base: Oid, document: PlanDocument): Promise<Verdict<undefined>> {
  const [agent, checks, files] = await Promise.all([
    agentProvided(bench, base, document),
    checksProvided(bench, base, document),
    filesProvided(bench, base, document),
  ]);
  return [agent, checks, files].find(({ is }) => is === 'refused') ?? accept(undefined);
}

async function agentProvided(bench: Workbench, base: Oid, document: PlanDocument): Promise<Verdict<undefined>> {
  const { agent, proposal } = document;
  const started = startedBy(agent.command, { ...aroundOf(document), install: agent.install });
  const why = await lacking(bench, base, started);
  if (why === undefined) return accept(undefined);
  const name = 'name' in proposal.agent ? proposal.agent.name : agent.command.join(' ');
  return refuse('agent_unprovided', { agent: name, ...why });
}

async function checksProvided(bench: Workbench, base: Oid, document: PlanDocument): Promise<Verdict<undefined>> {
  const { proposal } = document;
  const claims = claimsOf(proposal.paths);
  for (const { shellText } of checksOf(proposal)) {
    const started = startedByText(shellText, aroundOf(document));
    // The work may bring it along, or change it.
    if (started.is === 'of_tree' && overlappingClaim(claims, [started.path]) !== undefined) continue;
    const why = await lacking(bench, base, started);
    if (why !== undefined) return refuse('check_unprovided', { command: shellText, ...why });
  }
  return accept(undefined);
}

async function filesProvided(
  bench: Workbench,
  base: Oid,
  { agent, environment }: PlanDocument,
): Promise<Verdict<undefined>> {
  const all = [...Object.values(environment), ...(agent.install === undefined ? [] : [agent.install])];
  for (const path of new Set(all.flatMap(({ files }) => files))) {
    const found = await lookAtPath(bench, base, path);
    // A link would lead on to what nobody named.
    if (found !== 'file' && found !== 'program') return refuse('environment_file_missing', { path, commit: base });
  }
  return accept(undefined);
}

function aroundOf({ environment, proposal }: PlanDocument): Around {
  return { backend: proposal.backend, environments: Object.values(environment) };
}

type Lacking = { readonly path: string; readonly why: string; readonly commit?: Oid };

async function lacking(bench: Workbench, base: Oid, started: Started): Promise<Lacking | undefined> {
  if (started.is === 'unknown') return undefined;
  const { path } = started;
  if (started.is === 'nowhere')
    return { path, why: 'no cell has this place, and no environment of the policy brings it' };
  const found = await lookAtPath(bench, base, path);
  if (found === undefined && started.how === 'reads' && (await hasEnding(bench, base, path))) return undefined;
  const why = FAULTS[started.how][found ?? 'nothing'];
  return why === undefined ? undefined : { path, why, commit: base };
}

/** As node finds `app` in `app.js`. */
async function hasEnding(bench: Workbench, base: Oid, path: string): Promise<boolean> {
  for (const ending of ['.js', '.mjs', '.cjs'])
    if ((await lookAtPath(bench, base, path + ending)) !== undefined) return true;
  return false;
}

type Faults = Readonly<Partial<Record<AtPath | 'nothing', string>>>;

/** Where a link leads is for the cell to find out. */
const FAULTS: Readonly<Record<'starts' | 'reads', Faults>> = {
  starts: {
    nothing: 'the base does not have it',
    file: 'it is not executable',
    folder: 'it is a folder',
    submodule: 'it is a submodule, which cells do not have',
  },
  reads: { nothing: 'the base does not have it', submodule: 'it is a submodule, which cells do not have' },
};
