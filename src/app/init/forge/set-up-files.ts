// Which files a set-up brings to the default branch, and what stands in them. Knows neither what is there nor how they
// get there.
import { fromUtf8, utf8 } from '../../../format/bytes.ts';
import type { Crypto } from '../../../format/crypto.ts';
import { FORM_PATH } from '../../../forge-text/form-fields.ts';
import { formTemplate } from '../../../forge-text/form-template.ts';
import { marked } from '../../../forge-text/mark.ts';
import { WORKFLOW_PATHS, type ActionPin } from '../../../forge-text/workflows.ts';
import type { ProjectState } from '../../../kernel/state.ts';
import type { CommitFile } from '../../../ports/work-tree.ts';
import { VERSION } from '../../../version.ts';
import { POLICY_PATH, ROSTER_PATH, SACRED_PATH } from '../policy-files.ts';
import { rosterFile } from '../roster-file.ts';
import { workflowFiles } from './workflow-files.ts';

export type BranchFile = CommitFile & {
  /**
   * `theirs`: what people wrote there stands. `marked`: brought to what this version makes, unless people changed it, which
   * its mark tells. `copy`: of what the ledger says; nobody's words stand in it.
   */
  readonly is: 'theirs' | 'marked' | 'copy';
};

export type PolicyTexts = { readonly policy: Uint8Array; readonly sacred: Uint8Array };

/** Files that a later set-up brings up to date. */
export const MARKED_PATHS: readonly string[] = [FORM_PATH, ...Object.values(WORKFLOW_PATHS)];

export function setUpFiles(
  crypto: Crypto,
  { roster, project_genesis: genesis }: ProjectState,
  { pin, texts: { policy, sacred } }: { readonly pin: Omit<ActionPin, 'genesis'>; readonly texts: PolicyTexts },
): readonly BranchFile[] {
  const ours = [{ path: FORM_PATH, content: utf8(formTemplate()) }, ...workflowFiles({ ...pin, genesis })];
  return [
    { path: POLICY_PATH, content: policy, is: 'theirs' },
    { path: SACRED_PATH, content: sacred, is: 'theirs' },
    { path: ROSTER_PATH, content: utf8(rosterFile(roster)), is: 'copy' },
    ...ours.map(({ path, content }): BranchFile => ({
      path,
      content: utf8(marked(crypto, VERSION, fromUtf8(content))),
      is: 'marked',
    })),
  ];
}
