// `lazarus init --forge`: what a forge needs before somebody files the first mission. In this order, because each item
// stands on those before it: the ledger is pushed before the rules that would refuse it, files before they are protected,
// public keys before the commits they sign, and secrets last.
import { Failure } from '../../../failure.ts';
import { LABELS } from '../../../forge-text/states.ts';
import type { BranchRule, RepositoryName } from '../../../ports/forge.ts';
import type { Identity } from '../identity.ts';
import { policyItem, type PolicyRevision } from '../policy.ts';
import { countingBytes, findFile, POLICY_PATH, SACRED_PATH } from '../policy-files.ts';
import { projectIn, projectItem, rosterItem } from '../project.ts';
import { setUp, type Course, type Found, type Item, type ItemResult } from '../items.ts';
import { accountWish, machineWish } from '../wishes.ts';
import { actionCommit, actionItem, type BuiltAction } from './action.ts';
import { branchFilesItem, changedFilesItem, defaultBranchFiles } from './branch-files.ts';
import { pullItem, pushItem } from './ledger-items.ts';
import { forgeMachines, secretItem } from './machine-keys.ts';
import { publicKeyItem } from './public-keys.ts';
import { defaultBranchRule, isEarlier, LEDGER_RULE, ruleItem, WORK_RULE } from './rules.ts';
import { MARKED_PATHS, setUpFiles, type BranchFile, type PolicyTexts } from './set-up-files.ts';
import { requireSafeWorkflows } from './workflow-files.ts';
import type { ForgeWorld } from './world.ts';

export type InitForge = {
  readonly person: Identity;
  /** The person's own account. */
  readonly forgeUserId: number;
  readonly keyItems: readonly Item[];
  readonly templates: PolicyTexts;
  readonly action: { readonly home: RepositoryName; readonly files: BuiltAction };
  readonly agree: (revision: PolicyRevision) => Promise<void>;
  /** Paths of files that people changed and no longer want to keep. */
  readonly overwrite?: readonly string[];
};

export async function initForge(world: ForgeWorld, wanted: InitForge, course: Course): Promise<readonly ItemResult[]> {
  const { near, far, forge, repository, facts } = world;
  const { person, forgeUserId, templates, action, agree, overwrite = [] } = wanted;
  const notOurs = overwrite.find((path) => !MARKED_PATHS.includes(path));
  if (notOurs !== undefined)
    throw new Failure('usage', { overwrite: notOurs, expected: `one of ${MARKED_PATHS.join(', ')}` });
  const [here, there] = [projectIn(near), projectIn(far)];
  const machines = await forgeMachines(world, here);
  const identities = [person, ...machines.map(({ identity }) => identity)];
  const built = actionCommit(near.parts.crypto, action.files);
  const pin = { address: `${forge.displayUrl}/${action.home.owner}/${action.home.name}`, commit: built.commit };
  requireSafeWorkflows(pin);
  const files = async (): Promise<readonly BranchFile[] | undefined> => {
    const state = await there.state();
    if (state === undefined) return undefined;
    const texts = {
      policy: await mine(world, POLICY_PATH, templates.policy),
      sacred: await mine(world, SACRED_PATH, templates.sacred),
    };
    return setUpFiles(near.parts.crypto, state, { pin, texts });
  };
  let waitsFor: string | undefined;
  const loose: string[] = [];
  const onLoose = (why: string): void => void loose.push(why);
  const onBranch = {
    files,
    overwrite,
    onWaiting: (forWhat: string): void => void (waitsFor = forWhat),
    onUnsafe: (path: string): void => onLoose(`${path} breaks a rule for workflows`),
  };
  const fixed = (rule: BranchRule) => ({ pattern: rule.pattern, rule: () => Promise.resolve(rule) });
  const branchRule = {
    pattern: facts.defaultBranch,
    rule: async () => defaultBranchRule(facts.defaultBranch, await repository.writers()),
  };
  const branchItem = ruleItem(world, 'branch_rule', branchRule, onLoose);
  // What an earlier version made locks the files that are to be brought up to date, for everybody.
  const isLocked = await isEarlier(repository, await branchRule.rule());
  return setUp(
    [
      pullItem(world, here),
      ...wanted.keyItems,
      ...machines.map(({ keyItem }) => keyItem),
      projectItem(here, undefined, { person, machines, forgeUserId }),
      publicKeyItem(forge, identities, { project: here, nowSeconds: () => near.parts.clock.nowSeconds() }),
      pushItem(world, there),
      rosterItem(there, person, [accountWish(person.principal, forgeUserId), ...machines.map(machineWish)]),
      actionItem(world, action.home, built),
      ...(isLocked ? [branchItem] : []),
      branchFilesItem(world, onBranch),
      changedFilesItem(world, onBranch),
      policyItem(
        defaultBranchFiles(world, () => waitsFor),
        { project: there, person, agree },
      ),
      labelItem(repository),
      ruleItem(world, 'ledger_rule', fixed(LEDGER_RULE), onLoose),
      ...(isLocked ? [] : [branchItem]),
      ruleItem(world, 'work_rule', fixed(WORK_RULE), onLoose),
      ...machines.map((machine) => secretItem(world, machine, { project: there, loose })),
    ],
    course,
  );
}

function labelItem(repository: ForgeWorld['repository']): Item {
  const labels = LABELS.map(({ exclusive, ...label }) => ({ ...label, isExclusive: exclusive }));
  return {
    name: 'labels',
    title: 'labels',
    async look(): Promise<Found> {
      const lacking = await repository.lackingLabels(labels);
      return lacking.length === 0
        ? { is: 'there', says: `${labels.length} labels` }
        : { is: 'absent', says: lacking.join(', ') };
    },
    async act() {
      await repository.ensureLabels(labels);
      return `${labels.length} labels; what was missing was made`;
    },
  };
}

/** What this clone has, so that setting up here and there gives one text; else the template. */
async function mine({ near, workTree }: ForgeWorld, path: string, template: Uint8Array): Promise<Uint8Array> {
  return countingBytes(await findFile({ bench: near, workTree }, path)) ?? template;
}
