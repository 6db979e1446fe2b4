// Reason codes about work: what is asked for, where it may go, how it ends, and where it is done.
import { STORY, REPORT, RUNNER, REFILE, type Reason } from './reason.ts';

export const WORK = {
  // the scope of a mission's changes
  glob_malformed: {
    exit: 2,
    says: 'A glob of the files owned cannot be used: plain paths, ?, *, ** as a whole step, and ! in front.',
    next: 'correct the paths in the mission file: lazarus propose --example',
    inIssue: 'edit the paths in the issue',
  },
  scope_unusable: {
    exit: 2,
    says: 'The mission asks for paths that no work may change, or for none at all.',
    next: 'correct the paths in the mission file: lazarus propose --example',
    inIssue: 'edit the paths in the issue',
  },
  outside_scope: {
    exit: 3,
    says: 'A change lies outside the files the mission owns; no branch was moved.',
    next: 'propose it again with the paths that the work needs: lazarus propose --example',
    inIssue: 'file the form again, with the paths that the work needs',
  },
  sacred_scope: {
    exit: 3,
    says: 'A change touches a path that no mission touches; no branch was moved.',
    next: 'say in the goal that these paths stay as they are: lazarus propose --example',
    inIssue: 'paste /followup with a goal that says that these paths stay as they are',
  },
  sacred_unreadable: {
    exit: 9,
    says: 'The project’s sacred scopes cannot be read, so nothing may change.',
    next: 'repair .gitea/lazarus/sacred.yml on the default branch',
  },
  symlink_refused: {
    exit: 3,
    says: 'A change puts a symbolic link where a file belongs; no branch was moved.',
    next: STORY,
  },
  submodule_refused: { exit: 3, says: 'A change touches a submodule; no branch was moved.', next: STORY },
  mode_refused: {
    exit: 3,
    says: 'A change has a file mode that no ordinary file has; no branch was moved.',
    next: STORY,
  },
  path_unsafe: {
    exit: 3,
    says: 'A change has a path that is dangerous to check out or to read; no branch was moved.',
    next: STORY,
  },
  path_case_twin: {
    exit: 3,
    says: 'Two paths differ only in upper and lower case: a case-insensitive checkout would confuse them.',
    next: STORY,
  },

  // the work contract
  done_missing: { exit: 1, says: 'The agent stopped without a done.json; its absence is never success.', next: STORY },
  done_malformed: {
    exit: 1,
    says: 'The agent’s done.json does not have the fields its contract prescribes.',
    next: STORY,
  },
  done_verify_failed: {
    exit: 1,
    says: 'The agent claims done_clean without a verify command that exited with 0.',
    next: STORY,
  },
  done_regressions: { exit: 1, says: 'The agent claims done_clean and lists regressions.', next: STORY },
  done_gate_missing: {
    exit: 1,
    says: 'The agent claims done_clean without every required audit gate passed.',
    next: STORY,
  },
  done_after_failed_ship: {
    exit: 1,
    says: 'The agent claims done_clean after a ship that failed or was frozen.',
    next: STORY,
  },
  done_nothing_pending: { exit: 1, says: 'The agent claims pending and names no action that is left.', next: STORY },
  done_unexplained: { exit: 1, says: 'The agent claims failed and shows no error output.', next: STORY },
  blocked_malformed: {
    exit: 1,
    says: 'The agent’s blocked.json does not have the fields its contract prescribes.',
    next: STORY,
  },
  blocked_without_fallback: {
    exit: 1,
    says: 'A block is legal only while its fallback action is being carried out.',
    next: STORY,
  },
  blocked_waiting: { exit: 1, says: 'A block is legal only if the work can go on without an answer.', next: STORY },
  blocked_preference: {
    exit: 1,
    says: 'A preference is no block: decide, record the decision and proceed.',
    next: STORY,
  },

  // proposals and the files people write
  proposal_malformed: {
    exit: 2,
    says: 'The proposal does not have the fields its contract prescribes.',
    next: 'lazarus propose --example',
    inIssue: 'edit the issue',
  },
  mission_file_invalid: {
    exit: 2,
    says: 'The mission file cannot be used; nothing was proposed.',
    next: 'lazarus propose --example',
  },
  policy_unreadable: {
    exit: 9,
    says: 'The policy cannot be read, so nothing is allowed.',
    next: 'repair .gitea/lazarus/policy.yml on the default branch',
  },
  entry_not_inserted: {
    exit: 2,
    says: 'The entry was not written; the file is as it was.',
    next: 'put right what stands in its way, or take another name; then: lazarus policy check',
  },

  // what a plan needs to be there
  agent_unprovided: {
    exit: 2,
    says: 'The agent’s program is not there: nothing that people approve could begin.',
    next: 'commit the program to the base, or correct `agents` in .gitea/lazarus/policy.yml: lazarus policy check',
    inIssue:
      'a maintainer brings the program to the base, or corrects `agents` in .gitea/lazarus/policy.yml; then paste /plan',
  },
  check_unprovided: {
    exit: 2,
    says: 'A check starts a file that is not there and that the mission may not make: no work could pass it.',
    next: 'correct the command in the mission file, or commit the file to the base: lazarus propose --example',
    inIssue: 'edit the command in the issue, or bring the file to the base and paste /plan',
  },

  // environments
  environment_file_missing: {
    exit: 2,
    says: 'A file that an environment is prepared from is no plain file of the commit.',
    next: 'correct `files` of the environment in the policy: lazarus policy check',
  },
  environment_tool_missing: {
    exit: 9,
    says: 'A folder or program that an environment is prepared with is not on this machine.',
    next: 'install it there, or correct `tools` of the environment in the policy: lazarus policy check',
    inIssue: RUNNER,
  },
  environment_place_taken: {
    exit: 6,
    says: 'Where a prepared folder belongs, the tree itself has a file, a folder or a link; nothing was started.',
    next: 'take that path out of the tree, or out of `makes` of the environment in the policy: lazarus policy check',
    inIssue: 'paste /followup with a goal that says that this path stays out of the tree',
  },
  check_place_taken: {
    exit: 6,
    says: 'Where checks may write, the tree has a file or a link instead of a folder; nothing was checked.',
    next: 'take that path out of the tree, or out of `checks:` in the policy: lazarus policy check',
    inIssue: 'paste /followup with a goal that says that this path stays out of the tree',
  },
  check_environment_failed: {
    exit: 1,
    says: 'What the checks need could not be prepared from the files that the work has, so that nothing was checked.',
    next: 'read what its commands printed: lazarus explain <mission>; then propose it again',
    inIssue: REFILE,
  },
  check_not_run: {
    exit: 9,
    says: 'The checks could not be run on this machine, so that nothing was checked and nothing of the work was taken.',
    next: 'lazarus explain <mission>, which says why; then: lazarus doctor, and propose it again',
    inIssue: REFILE,
  },
  environment_undetected: {
    exit: 2,
    says: 'No lock file was found here that says what has to be prepared.',
    next: 'write `environment` into .gitea/lazarus/policy.yml by hand, then: lazarus policy check',
  },

  // cells
  sandbox_missing: {
    exit: 9,
    says: 'Bubblewrap is not installed; without it nothing runs apart from this machine.',
    next: 'apt install bubblewrap',
    inIssue: 'whoever keeps the runner types at its terminal: apt install bubblewrap',
  },
  sandbox_unfit: {
    exit: 9,
    says: 'This machine cannot make a cell: bubblewrap is here, but a cell it made did not hold.',
    next: 'bwrap --unshare-all --ro-bind / / true',
    inIssue: 'whoever keeps the runner sees why at its terminal: bwrap --unshare-all --ro-bind / / true',
  },
  cell_spec_invalid: {
    exit: 2,
    says: 'A cell was asked for with a name, file or folder that it must not have.',
    next: REPORT,
  },
  ca_file_unusable: {
    exit: 9,
    says: 'The file of certificates that policy names cannot be read, or holds none; no cell was started.',
    next: 'put the certificates as PEM into the file that policy names as ca_file',
  },
  cell_environment_refused: {
    exit: 2,
    says: 'A variable may not enter a cell: it could carry a credential or make a program load something.',
    next: 'take this variable out of what the cell is given',
  },
  cell_start_failed: {
    exit: 9,
    says: 'The cell could not be started; nothing of the participant ran.',
    next: 'bwrap --unshare-all --ro-bind / / true',
    inIssue: RUNNER,
  },
  cell_prepare_failed: {
    exit: 9,
    says: 'The project could not be laid out in the cell.',
    next: 'lazarus explain <mission>, which says why, and lazarus doctor; then: lazarus run <mission>',
    inIssue: RUNNER,
  },
  cell_timeout: {
    exit: 1,
    says: 'The cell was still running when its time was up, and was killed.',
    next: 'give it more minutes or a smaller goal: lazarus propose --example',
    inIssue: 'paste /followup with a smaller goal; for more minutes, file the form again',
  },
  cell_output_limit: {
    exit: 1,
    says: 'The cell printed more than it may, and was killed.',
    next: 'give it a smaller goal: lazarus propose --example',
    inIssue: 'paste /followup with a smaller goal',
  },
  environment_altered: {
    exit: 9,
    says: 'A prepared environment is not what was put there: something on this machine changed it.',
    next: 'run it again: it is prepared anew',
    inIssue: RUNNER,
  },
  environment_missing: {
    exit: 9,
    says: 'A prepared environment is gone from the cache.',
    next: 'run it again: it is prepared anew',
    inIssue: RUNNER,
  },
  environment_failed: {
    exit: 1,
    says: 'Preparing the dependencies failed, so that nothing was run on them.',
    next: 'read what its commands printed: lazarus explain <mission>; then put policy’s `environment:` right, or the host it fetches from',
    inIssue: 'paste /why; maintainers put `environment:` of the policy right, or the host it fetches from',
  },
  route_exhausted: {
    exit: 1,
    says: 'The agent used up the calls or tokens that its route allows, and was ended.',
    next: 'give it a smaller goal, or raise max_calls or max_tokens of the route: lazarus policy check',
    inIssue: 'paste /followup with a smaller goal; maintainers may raise the route’s max_calls or max_tokens in policy',
  },
  cell_memory_limit: {
    exit: 1,
    says: 'The cell used more memory than it may, and was killed.',
    next: 'give it a smaller goal: lazarus propose --example',
    inIssue: 'paste /followup with a smaller goal',
  },
  cell_disk_limit: {
    exit: 1,
    says: 'The cell filled more of the disk than it may, and was killed.',
    next: 'give it a smaller goal: lazarus propose --example',
    inIssue: 'paste /followup with a smaller goal',
  },
  cell_running: {
    exit: 5,
    says: 'The cell is still running; its work is taken when it has ended.',
    next: 'lazarus watch <mission>',
  },
  cell_residue: {
    exit: 9,
    says: 'Something of a cell was left behind after it was closed.',
    next: 'lazarus reconcile, which sweeps up first; what stays then is for you to delete',
  },
  handover_stowed: {
    exit: 75,
    says: 'The forge could not be reached. What the attempt came to waits on the disk of this machine, and is not handed over yet.',
    next: 'nothing has to be typed: the next job of a cell on this machine hands it over, or keeps its work where it comes too late; lazarus status <mission>',
    inIssue:
      'nothing has to be typed: the next job of a cell on that machine hands it over, or keeps its work where it comes too late; /status',
  },
  handover_lost: {
    exit: 75,
    says: 'What the attempt came to could neither be handed over nor be written to the disk of this machine: it is lost.',
    next: 'make room on the disk of this machine; another attempt begins by itself',
    inIssue: RUNNER,
  },
  handover_altered: {
    exit: 6,
    says: 'A hand-over that waits on this machine is not what a runner of this project wrote there: nothing of it is used, and it is left where it is.',
    next: 'whoever keeps the machine looks at that file, and who could write it, and then deletes it',
  },
  work_not_kept: {
    exit: 7,
    says: 'The work of this attempt is not there: nothing was taken out of its cell, it could not be kept, or its time is over.',
    next: STORY,
  },
  diff_too_large: {
    exit: 6,
    says: 'The difference is more than can be shown.',
    next: 'lazarus diff <mission> --stat',
  },
  work_refused: {
    exit: 6,
    says: 'What the cell left cannot become a commit; no reference moved.',
    next: STORY,
    inIssue: REFILE,
  },
  work_too_large: {
    exit: 1,
    says: 'What the cell left is more than work may be: too many files, too many bytes, or too long a path; none of it was taken.',
    next: STORY,
    inIssue: REFILE,
  },
  work_holds_secret: {
    exit: 6,
    says: 'The work holds a secret of the machine it was made on; none of it was taken.',
    next: STORY,
    inIssue: REFILE,
  },
  supervision_failed: {
    exit: 9,
    says: 'The process that watched over the cell failed while the cell ran or its work was taken out; none of the work was taken.',
    next: STORY,
    inIssue: REFILE,
  },
  path_undecodable: {
    exit: 6,
    says: 'A file name is not UTF-8, so that no rule about paths can be applied to it.',
    next: 'rename the file, so that its name is UTF-8',
  },
} as const satisfies Record<string, Reason>;
