// The policy as missions from here would be judged by it: readable where it stands at HEAD, and the one in force.
import type { PolicySource } from '../init/policy-files.ts';
import { POLICY_PATH } from '../init/policy-files.ts';
import { isInForce, rulesIn } from '../init/policy.ts';
import { fileAt } from '../mission/target.ts';
import { missing, ok, type Finding } from './finding.ts';
import type { Here } from './here.ts';
import { word } from './typed.ts';

const POLICY = { item: 'policy', title: 'policy' };

export async function lookAtPolicy({ opened, head, project }: Here): Promise<readonly Finding[]> {
  const [bench, commit] = await Promise.all([opened(), head()]);
  if (bench === undefined || commit === undefined) return [];
  const rules = await rulesIn(
    bench.parts.crypto,
    committedAt((path) => fileAt(bench, commit, path)),
  );
  if (rules.is === 'refused') {
    const { file = POLICY_PATH, why, line, column, at } = rules.facts;
    if (why === 'is not there') return [missing(POLICY, `${String(file)} is not committed`, 'lazarus init --commit')];
    const where = line === undefined ? '' : ` line ${String(line)}${column === undefined ? '' : `:${String(column)}`}`;
    const what = [at, why].filter((one) => one !== undefined).join(' ');
    return [missing(POLICY, `${rules.code}: ${String(file)}${where}: ${what}`, correcting(String(file)))];
  }
  // Without a project nothing can be in force, and that is told where the project is.
  const state = await project().catch(() => undefined);
  if (state === undefined) return [];
  if (state.policy === undefined) return [missing(POLICY, 'none is in force yet', ADOPT)];
  const { revision } = state.policy;
  return isInForce(state, rules.value)
    ? [ok(POLICY, `${rules.value.profile}, revision ${revision}, in force`)]
    : [missing(POLICY, `drifted: what is committed here is not revision ${revision}, which is in force`, ADOPT)];
}

const ADOPT = 'lazarus policy adopt';

function correcting(file: string): string {
  return `correct it, then: lazarus policy check && git commit -m "Policy" -- ${word(file)} && ${ADOPT}`;
}

function committedAt(read: (path: string) => Promise<Uint8Array | undefined>): PolicySource {
  return {
    find: async (path) => ({ inTree: undefined, committed: await read(path) }),
    difference: () => Promise.resolve([]),
  };
}
