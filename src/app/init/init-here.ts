// `lazarus init` in a repository, without a forge: keys, project ledger, roster, policy. Each step looks before it acts,
// so that it can be run again at any time, after a crash and after somebody else ran it.
import type { StepResult, Course, Step } from './steps.ts';
import { takeSteps } from './steps.ts';
import { commitStep, rosterFileStep, templateStep } from './files.ts';
import { headCommit, POLICY_PATH, SACRED_PATH, type FileWorld } from './policy-files.ts';
import { policyStep, type PolicyRevision } from './policy.ts';
import { projectIn, projectStep, rosterStep, signerOf, type Founders, type Project } from './project.ts';

export type InitHere = Founders & {
  /** What makes keys that are not there yet; before everything else. */
  readonly keySteps: readonly Step[];
  readonly templates: { readonly policy: Uint8Array; readonly sacred: Uint8Array };
  /** Where it was looked at before. */
  readonly project?: Project;
  /** Whether the files are committed as well. */
  readonly commits: boolean;
  readonly agree: (revision: PolicyRevision) => Promise<void>;
};

export async function initHere(world: FileWorld, wanted: InitHere, course: Course): Promise<readonly StepResult[]> {
  const { bench } = world;
  // Before a key is made for nothing.
  await headCommit(bench);
  const { person, templates, agree, project = projectIn(bench) } = wanted;
  const roster = async () => (await project.state())?.roster;
  // As in ledgers: a name and no address that reaches anybody.
  const author = () => ({ name: person.principal, email: `${signerOf(person).fingerprint}@lazarus.invalid` });
  return takeSteps(
    [
      ...wanted.keySteps,
      projectStep(world, project, wanted),
      rosterStep(bench, project, wanted),
      templateStep(world, { name: 'policy_file', path: POLICY_PATH, template: templates.policy }),
      templateStep(world, { name: 'sacred_file', path: SACRED_PATH, template: templates.sacred }),
      rosterFileStep(world, roster),
      ...(wanted.commits ? [commitStep(world, author)] : []),
      policyStep(world, { project, person, agree }),
    ],
    course,
  );
}
