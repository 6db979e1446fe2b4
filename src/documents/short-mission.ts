// A mission in one line, as the file that somebody would have written: what is not said has the value that the file's own
// example has, or follows from the tree. Text in, text out; reads nothing.
import { stringify } from 'yaml';

export type ShortMission = {
  readonly goal: string;
  readonly agent: string;
  readonly owns: readonly string[];
  readonly verify: string;
  readonly checks: readonly string[];
  readonly base: string;
  readonly tier: number;
  readonly minutes: number;
  readonly purpose: string;
};

/** The cell outlives its agent by as much again, so that work can be taken and looked at. */
const TTL_TIMES = 2;

export function missionFileText(mission: ShortMission): string {
  const { goal, agent, owns, verify, checks, base, tier, minutes, purpose } = mission;
  return stringify({
    version: 1,
    goal,
    base,
    files_owned: [...owns],
    verify_command: verify,
    acceptance: [...checks],
    agent,
    tier,
    budget_minutes: minutes,
    ttl_minutes: minutes * TTL_TIMES,
    brief: {
      purpose,
      context: {},
      whats_done: [],
      current_task: goal,
      done_criteria: `\`${verify}\` exits with 0.`,
      key_decisions: [],
      relevant_memories: [],
    },
  });
}

/** Files that say how a project is tested, in the order in which they are believed. */
export const TESTED_BY = ['package.json', 'pyproject.toml', 'pytest.ini', 'go.mod', 'Cargo.toml', 'Makefile'] as const;
type TestedBy = (typeof TESTED_BY)[number];

/** The command that the project tests itself with; undefined where its files do not say. */
export function verifyCommandOf(files: Readonly<Partial<Record<TestedBy, string>>>): string | undefined {
  if (hasTestScript(files['package.json'])) return 'npm test';
  if (files['pytest.ini'] !== undefined || files['pyproject.toml']?.includes('pytest') === true)
    return 'python3 -m pytest -q';
  if (files['go.mod'] !== undefined) return 'go test ./...';
  if (files['Cargo.toml'] !== undefined) return 'cargo test';
  return /^test:/m.test(files['Makefile'] ?? '') ? 'make test' : undefined;
}

/** What `npm init` writes where there are no tests ends with an error on purpose. */
function hasTestScript(text: string | undefined): boolean {
  try {
    const { scripts } = JSON.parse(text ?? '{}') as { scripts?: { test?: unknown } };
    return typeof scripts?.test === 'string' && !scripts.test.includes('no test specified');
  } catch {
    return false;
  }
}
