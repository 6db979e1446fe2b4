// A plan as people read it before they approve it: every term that the approval covers. The same rows for a plan that was
// recorded and for one that is only tried out.
import type { Environment } from '../../../kernel/policy/environment.ts';
import { agentReach } from '../../../kernel/policy/reach.ts';
import type { Route } from '../../../kernel/policy/route.ts';
import { courseOf } from '../../../kernel/course/steps.ts';
import { toldBesides } from '../../../kernel/proposal/brief-of.ts';
import type { Planned } from '../../../app/mission/planning.ts';
import { outputWords } from '../../../forge-text/status-words.ts';
import { agentWords, type PlanDocument } from '../../../kernel/mission/plan-document.ts';
import { peopleWhoRead } from '../../../kernel/roster/people.ts';
import type { PlanTerms } from '../../../kernel/course/plan.ts';
import type { MissionState } from '../../../kernel/state.ts';

type Answer = { readonly what: string; readonly targets: readonly string[]; readonly result: string };

export type PlanShown = {
  readonly document: PlanDocument;
  readonly terms: Pick<
    PlanTerms,
    'backend' | 'base_commit' | 'budget_minutes' | 'level' | 'policy' | 'quorum' | 'tier' | 'ttl_minutes'
  >;
  /** What policy says to each thing asked for. */
  readonly answers: readonly Answer[];
  /** Undefined while it is only tried out: the digest has the mission inside. */
  readonly digest: string | undefined;
  /** Who could read what is printed in its cells, by the roster as it is. */
  readonly readers: readonly string[];
};

export function triedOut({ document, terms, actions }: Planned, project: Readers): PlanShown {
  const answers = actions.map(({ action_class, kind, targets, policy }) => ({
    what: kind ?? action_class,
    targets,
    result: policy.result,
  }));
  return { document, terms, answers, digest: undefined, readers: readersIn(project) };
}

/** Undefined while nothing is planned, or when the document was erased. */
export function recorded(state: MissionState, document: PlanDocument | undefined): PlanShown | undefined {
  const course = courseOf(state);
  if (course === undefined || course.plan === null || document === undefined) return undefined;
  const answers = Object.values(course.requests).map(({ action_class, kind, targets, policy }) => ({
    what: kind ?? action_class,
    targets,
    result: policy?.result ?? 'not asked yet',
  }));
  return { document, terms: course.plan, answers, digest: course.plan.plan_digest, readers: readersIn(state) };
}

type Readers = Parameters<typeof peopleWhoRead>[0];

function readersIn(state: Readers): readonly string[] {
  return peopleWhoRead(state).map(({ principal }) => principal);
}

export function planRows({ document, terms, answers, digest, readers }: PlanShown): string[][] {
  const { proposal, agent } = document;
  const { quorum, tier, policy } = terms;
  const named = 'name' in proposal.agent ? `${agentWords(document)}: ` : '';
  return [
    ['goal', proposal.goal],
    ...toldBesides(proposal).map(({ title, text }) => [title.toLowerCase(), text.replaceAll('\n', ' ')]),
    ['agent', named + agent.command.join(' ')],
    ['verify', proposal.verifyCommand],
    ...proposal.acceptance.map((check) => ['check', check]),
    ...proposal.paths.map((path) => ['may change', path]),
    ['base', `${proposal.base} at ${terms.base_commit.slice(0, 12)}`],
    ['tier', `${tier}, ${quorum === 0 ? 'which nobody has to approve' : `which ${quorum} must approve`}`],
    ['limits', `${terms.budget_minutes} min of work, closed after ${terms.ttl_minutes} min`],
    ['cell', `${terms.backend}, isolation of level ${terms.level} at least`],
    ...Object.entries(document.environment).map(([name, one]) => ['environment', environmentWords(name, one)]),
    ...Object.entries(document.routes).map(([name, one]) => ['route', routeWords(name, one)]),
    ['printed', outputWords({ ...document.output, readers })],
    ...answers.map(({ what, targets, result }) => [
      'asks for',
      `${what} ${targets.join(' ')}: policy ${policy.revision} says ${result}`,
    ]),
    ...(digest === undefined ? [] : [['digest', digest]]),
  ];
}

function environmentWords(name: string, { prepare, offline, tools }: Environment): string {
  const commands = [...prepare, ...offline].map((argv) => argv.join(' '));
  return `${name}: ${[...tools, ...commands].join(', ')}`;
}

/** Where it goes, whose key is added there, and where it ends. */
function routeWords(name: string, { origin, key, max_calls, max_tokens }: Route): string {
  const tokens = max_tokens === null ? '' : `, ${max_tokens} tokens`;
  return `${name}: ${origin} with the key ${key}, at most ${max_calls} calls${tokens}`;
}

export function planJson({ document, terms, answers, digest, readers }: PlanShown): Readonly<Record<string, unknown>> {
  const { proposal, agent } = document;
  return {
    digest: digest ?? null,
    goal: proposal.goal,
    base: proposal.base,
    base_commit: terms.base_commit,
    agent: 'name' in proposal.agent ? proposal.agent.name : null,
    agent_version: agent.version ?? null,
    command: agent.command,
    output: { ...document.output, readers },
    environment: document.environment,
    routes: document.routes,
    exposed_to: document.exposed_to,
    reach: agentReach(agent),
    verify_command: proposal.verifyCommand,
    acceptance: proposal.acceptance,
    paths: proposal.paths,
    capabilities: proposal.capabilities,
    effects: document.effects,
    tier: terms.tier,
    quorum: terms.quorum,
    budget_minutes: terms.budget_minutes,
    ttl_minutes: terms.ttl_minutes,
    backend: terms.backend,
    level: terms.level,
    policy_revision: terms.policy.revision,
    policy: answers,
  };
}
