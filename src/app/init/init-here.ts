// `lazarus init` in a repository, without a forge: keys, project ledger, roster, policy. Each item looks before it acts,
// so that it can be run again at any time, after a crash and after somebody else ran it.
import type { ItemResult, Course, Item } from './items.ts';
import { setUp } from './items.ts';
import { commitItem, rosterFileItem, templateItem } from './files.ts';
import { headCommit, POLICY_PATH, SACRED_PATH, type FileWorld } from './policy-files.ts';
import { branchFiles } from './policy-changes.ts';
import { policyItem, type PolicyRevision } from './policy.ts';
import { signerOf, type Identity } from './identity.ts';
import { projectIn, projectItem, rosterItem, type Project } from './project.ts';
import { machineWish, type Machine } from './wishes.ts';

export type InitHere = {
  readonly person: Identity;
  /** This computer. */
  readonly machine: Identity;
  readonly forgeUserId: number | null;
  /** What makes keys that are not there yet; before everything else. */
  readonly keyItems: readonly Item[];
  readonly templates: { readonly policy: Uint8Array; readonly sacred: Uint8Array };
  /** Where it was looked at before. */
  readonly project?: Project;
  /** Whether the files are committed as well. */
  readonly commits: boolean;
  readonly agree: (revision: PolicyRevision) => Promise<void>;
};

export async function initHere(world: FileWorld, wanted: InitHere, course: Course): Promise<readonly ItemResult[]> {
  const { bench } = world;
  // Before a key is made for nothing.
  await headCommit(bench);
  const { person, templates, agree, project = projectIn(bench) } = wanted;
  // A laptop has one machine, which plans, runs and writes. On a forge these are three.
  const machine: Machine = { identity: wanted.machine, type: 'runner', roles: ['gate', 'runner', 'writer'] };
  const roster = async () => (await project.state())?.roster;
  // As in ledgers: a name and no address that reaches anybody.
  const author = () => ({ name: person.principal, email: `${signerOf(person).fingerprint}@lazarus.invalid` });
  return setUp(
    [
      ...wanted.keyItems,
      projectItem(project, world.workTree, { person, machines: [machine], forgeUserId: wanted.forgeUserId }),
      rosterItem(project, person, [machineWish(machine)]),
      templateItem(world, { name: 'policy_file', path: POLICY_PATH, template: templates.policy }),
      templateItem(world, { name: 'sacred_file', path: SACRED_PATH, template: templates.sacred }),
      rosterFileItem(world, roster),
      ...(wanted.commits ? [commitItem(world, author)] : []),
      policyItem(branchFiles(world), { project, person, agree }),
    ],
    course,
  );
}
