// Reason codes about what is typed, this computer and its repository.
import { REPORT, RUNNER, type Reason } from './reason.ts';

export const MACHINE = {
  // usage and environment
  usage: { exit: 2, says: 'The command line is not understood.', next: 'lazarus --help' },
  interrupted: {
    exit: 130,
    says: 'Interrupted; nothing half-written was left behind.',
    next: 'the same command again',
  },
  internal: { exit: 1, says: 'lazarus itself failed; this is a bug.', next: REPORT },

  file_unreadable: {
    exit: 7,
    says: 'The file cannot be read.',
    next: 'name a file that is there and that you may read',
  },
  file_unwritable: {
    exit: 9,
    says: 'The file cannot be written; nothing was left behind.',
    next: 'name a file in a folder that you may write, on a disk with space left',
  },

  message_undelivered: {
    exit: 75,
    says: 'Somebody could not be told; what was delivered is remembered, and the rest is told the next time.',
    next: 'see whether the program works when it is typed alone, then type the same command again',
  },

  // repository
  not_a_repository: { exit: 9, says: 'This folder is not inside a Git repository.', next: 'git init' },
  git_missing: {
    exit: 9,
    says: 'The git program was not found.',
    next: 'install git, at least version 2.32',
    inIssue: 'whoever keeps the runner installs the program git; another attempt then begins by itself',
  },
  git_failed: {
    exit: 9,
    says: 'git refused an operation.',
    next: 'the same command with --verbose: it shows what git said',
    inIssue: RUNNER,
  },
  no_work_tree: {
    exit: 9,
    says: 'This repository is bare: there are no files to set up.',
    next: 'the same command in a clone with a work tree',
  },
  no_commit: {
    exit: 9,
    says: 'The branch has no commit yet, and missions start from one.',
    next: 'git commit --allow-empty -m "begin"',
  },
  head_detached: {
    exit: 9,
    says: 'No branch is checked out, so nothing that is committed here would stay.',
    next: 'git switch <branch>',
  },
  hooks_elsewhere: {
    exit: 5,
    says: 'core.hooksPath leads git to a folder of hooks that is not this clone’s own; nothing was written there or here.',
    next: 'git config --unset core.hooksPath',
  },
  index_in_use: {
    exit: 5,
    says: 'Other changes are staged; they must not go into a commit of lazarus.',
    next: 'git commit, or git stash --staged',
  },
  file_not_plain: {
    exit: 3,
    says: 'There is a link, a folder or something too large where lazarus keeps a file; nothing was read or written there.',
    next: 'git rm it, or put a plain file there',
  },
  sha256_repository: {
    exit: 9,
    says: 'SHA-256 repositories are not supported: the ledger format names SHA-1 objects.',
    next: 'git init --object-format=sha1, in another folder',
  },
  ref_backend_unreadable: {
    exit: 9,
    says: 'This git cannot read the repository’s reference backend.',
    next: 'upgrade git to at least 2.45',
  },
  shallow_repository: {
    exit: 9,
    says: 'The clone is shallow: history that must be checked is absent.',
    next: 'git fetch --unshallow',
  },
  partial_clone: {
    exit: 9,
    says: 'The clone is partial: objects that must be checked are absent.',
    next: 'git fetch --refetch --no-filter',
  },
  object_missing: { exit: 6, says: 'An object the ledger names is not in the repository.', next: 'git fsck' },
  object_corrupt: {
    exit: 6,
    says: 'The bytes of an object do not have the hash it is stored under.',
    next: 'git fsck',
  },
  repository_not_trusted: {
    exit: 9,
    says: 'The repository belongs to another user and git does not trust it.',
    next: 'git config --global --add safe.directory <folder>',
  },
  reference_in_the_way: {
    exit: 9,
    says: 'A branch of this name stands where git wants to put a folder, or the other way round.',
    next: 'git branch -m <name> <another name>',
  },
  reference_broken: { exit: 6, says: 'A reference holds no object name, as after a power cut.', next: 'git fsck' },
  object_too_large: {
    exit: 6,
    says: 'An object is larger than lazarus reads or writes.',
    next: 'git cat-file -s <oid>',
  },
  event_not_found: {
    exit: 7,
    says: 'The ledger has no event with this index or id.',
    next: 'lazarus ledger log <ledger>',
  },
  ledger_exists: { exit: 5, says: 'The ledger has begun already.', next: 'lazarus ledger show' },
  ledger_ambiguous: { exit: 2, says: 'More than one ledger begins like this.', next: 'lazarus ledger show' },
  ledger_not_found: { exit: 7, says: 'No such ledger here.', next: 'lazarus ledger show' },
  disk_full: {
    exit: 75,
    says: 'The disk is full; nothing of what was to be written there was kept.',
    next: 'free space on the disk, then type the same command again',
    inIssue: RUNNER,
  },
  folder_exists: {
    exit: 5,
    says: 'The folder exists already; nothing in it was touched.',
    next: 'name another folder',
  },
  not_writable: {
    exit: 9,
    says: 'The repository cannot be written; nothing was appended.',
    next: 'make the repository writable for yourself, then type the same command again',
  },
  lock_held: {
    exit: 75,
    says: 'Another process holds the lock of this reference, or died holding it.',
    next: 'the same command in a moment; if nothing else runs, delete the .lock file of this reference',
  },

  // setting up
  action_not_built: {
    exit: 9,
    says: 'The action that runners execute has not been built in this copy of lazarus.',
    next: 'npm run build',
  },
  forge_repository_empty: {
    exit: 9,
    says: 'The repository has no commit yet: the first branch that is pushed becomes its default branch.',
    next: 'git push origin HEAD:main',
  },
  project_elsewhere: {
    exit: 5,
    says: 'The project has a ledger already that is not on this clone; a second one would be a project of its own.',
    next: 'lazarus ledger pull <remote> project',
  },

  // supervisor of a runner
  setup_needs_root: {
    exit: 4,
    says: 'Only root can do this here; nothing was changed.',
    next: 'the same command with sudo',
  },
  setup_step_failed: {
    exit: 9,
    says: 'A step of setting up failed; what was done before it stays, and is not done again.',
    next: 'put right what is named, then type the same command again',
  },
  supervisor_unfit: {
    exit: 9,
    says: 'A supervisor here would keep nothing from jobs, or could not begin.',
    next: 'put right what is named; sudo lazarus runner setup --help',
  },
  supervisor_file_unreadable: {
    exit: 9,
    says: 'The file that says what the supervisor runs cannot be read.',
    next: 'correct it there, or remove it and make it anew: sudo lazarus runner setup --help',
  },
  supervisor_unreachable: {
    exit: 75,
    says: 'The supervisor of this machine did not answer, or hung up; nothing is run without it.',
    next: 'whoever keeps the machine types: sudo systemctl restart lazarus-supervisor',
    inIssue: RUNNER,
  },
  supervisor_request: {
    exit: 2,
    says: 'The supervisor does not understand what this job asked.',
    next: 'bring that machine to the version that the action has, and try again',
  },
  project_unlisted: {
    exit: 3,
    says: 'The supervisor of this machine runs nothing for this repository.',
    next: 'whoever keeps the machine types there: sudo lazarus runner setup --help',
    inIssue: RUNNER,
  },
} as const satisfies Record<string, Reason>;
