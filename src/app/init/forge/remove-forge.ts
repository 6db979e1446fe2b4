// `lazarus init --remove --forge`: takes back what a set-up made on a forge, as far as it stands there as it was made.
// Files first, because nothing runs without them, and while they wait for a merge all else stays; rules last. The record
// stays for ever: nothing here touches a ledger, an artifact or the roster.
import { LABELS } from '../../../forge-text/states.ts';
import type { BranchRule, RepositoryName } from '../../../ports/forge.ts';
import { openPointers } from '../../gate/open-missions.ts';
import { KEY_VARIABLES } from '../../gate/job-key.ts';
import { projectIn } from '../project.ts';
import type { Found, Item } from '../items.ts';
import { actionCommit, type BuiltAction } from './action.ts';
import { fileRemovals } from './remove-files.ts';
import { defaultBranchRule, isEarlier, LEDGER_RULE, WORK_RULE } from './rules.ts';
import { setUpFiles, type PolicyTexts } from './set-up-files.ts';
import type { ForgeWorld } from './world.ts';

export type Removal = {
  readonly items: readonly Item[];
  /** What is left on purpose, and why. */
  readonly stays: readonly string[];
  /** Missions that nobody moves any more afterwards. */
  readonly open: readonly string[];
};

type Wanted = {
  readonly templates: PolicyTexts;
  readonly action: { readonly home: RepositoryName; readonly files: BuiltAction };
};

const SECRETS: readonly string[] = [KEY_VARIABLES.gate[0], KEY_VARIABLES.writer[0]];

/** Asks for all that only an administrator is shown before the first item does anything. */
export async function forgeRemoval(world: ForgeWorld, { templates, action }: Wanted): Promise<Removal> {
  const { forge, repository, facts, near, far } = world;
  const names = await repository.secretNames();
  const rules = [defaultBranchRule(facts.defaultBranch, await repository.writers()), WORK_RULE, LEDGER_RULE];
  const standing: { rule: BranchRule; changes: readonly string[] }[] = [];
  for (const rule of rules) {
    const changes = await repository.changesOfRule(rule);
    if (changes !== undefined) standing.push({ rule, changes: (await isEarlier(repository, rule)) ? [] : changes });
  }
  const state = await projectIn(far).state();
  const home = `${action.home.owner}/${action.home.name}`;
  const pin = { address: `${forge.displayUrl}/${home}`, commit: actionCommit(near.parts.crypto, action.files).commit };
  const files = state === undefined ? [] : setUpFiles(near.parts.crypto, state, { pin, texts: templates });
  let waitsFor: string | undefined;
  const unlessWaiting = (says: string): Found =>
    waitsFor === undefined ? { is: 'absent', says } : { is: 'differs', says: `waits: ${waitsFor}` };
  const items = [
    ...(await fileRemovals(world, files, (forWhat) => (waitsFor = forWhat))),
    ...SECRETS.filter((name) => names.includes(name)).map((name) => secretRemoval(world, name, unlessWaiting)),
    ...standing.map((one) => ruleRemoval(world, one, unlessWaiting)),
  ];
  const others = names.filter((name) => name.startsWith('LAZARUS_') && !SECRETS.includes(name));
  return {
    items,
    stays: [
      'ledgers, artifacts and branches of work: they are the record',
      'gate and writer on the roster, and public keys at the forge: what they signed is checked with them',
      `${home}: other repositories may load the action from there`,
      `${LABELS.length} labels: issues of missions carry them`,
      'the keys of runners, and runners: they lie on their machines',
      ...others.map((name) => `secret ${name}: init did not make it`),
    ],
    open: [...(await openPointers(far)).keys()].toSorted(),
  };
}

type Unless = (says: string) => Found;

function secretRemoval({ repository }: ForgeWorld, name: string, unlessWaiting: Unless): Item {
  return {
    name: 'secret',
    title: `secret ${name}`,
    look: () => Promise.resolve(unlessWaiting('nobody gets it back; another set-up makes a new key')),
    async act() {
      await repository.removeSecret(name);
      return 'no longer there';
    },
  };
}

function ruleRemoval(
  { repository }: ForgeWorld,
  { rule: { pattern }, changes }: { readonly rule: BranchRule; readonly changes: readonly string[] },
  unlessWaiting: Unless,
): Item {
  return {
    name: 'rule',
    title: `rule for ${pattern}`,
    async look(): Promise<Found> {
      if (changes.length === 0) return unlessWaiting('as it was made');
      return {
        is: 'differs',
        says: `left alone, because it is not as it was made: ${changes.join('; ')}`,
        next: `remove the rule for ${pattern} in the settings of the repository, if nobody needs it`,
      };
    },
    async act() {
      await repository.removeRule(pattern);
      return 'no longer there';
    },
  };
}
