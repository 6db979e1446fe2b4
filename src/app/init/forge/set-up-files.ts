// Which files a set-up brings to the default branch, and what stands in them. Knows neither what is there nor how they
// get there.
import { utf8 } from '../../../format/bytes.ts';
import { FORM_PATH } from '../../../forge-text/form-fields.ts';
import { formTemplate } from '../../../forge-text/form-template.ts';
import type { ActionPin } from '../../../forge-text/workflows.ts';
import type { ProjectState } from '../../../kernel/state.ts';
import type { CommitFile } from '../../../ports/work-tree.ts';
import { POLICY_PATH, ROSTER_PATH, SACRED_PATH } from '../policy-files.ts';
import { rosterFile } from '../roster-file.ts';
import { workflowFiles } from './workflow-files.ts';

export type BranchFile = CommitFile & {
  /** What people wrote there stands; otherwise it is brought to what lazarus makes. */
  readonly isTheirs: boolean;
};

export type PolicyTexts = { readonly policy: Uint8Array; readonly sacred: Uint8Array };

export function setUpFiles(
  { roster, project_genesis: genesis }: ProjectState,
  pin: Omit<ActionPin, 'genesis'>,
  { policy, sacred }: PolicyTexts,
): readonly BranchFile[] {
  return [
    { path: POLICY_PATH, content: policy, isTheirs: true },
    { path: SACRED_PATH, content: sacred, isTheirs: true },
    { path: ROSTER_PATH, content: utf8(rosterFile(roster)), isTheirs: false },
    { path: FORM_PATH, content: utf8(formTemplate()), isTheirs: false },
    ...workflowFiles({ ...pin, genesis }),
  ];
}
