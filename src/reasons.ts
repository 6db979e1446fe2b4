// Every reason code lazarus can give, with its exit code, the sentence a person reads and the step that follows.
// One spelling everywhere: JSON, comments, events and errors use these words. Additive only.

export type Reason = {
  /** The process exit code, as documented in the guide. */
  readonly exit: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 75 | 130;
  /** What happened and why, without facts. */
  readonly says: string;
  /** What to do about it: the command to type at a terminal, or whose turn it is; `<…>` is filled in by the reader. */
  readonly next: string;
  /** The same for whoever reads it in an issue, where that is another step than `next-line.ts` makes of it. */
  readonly inIssue?: string;
};

/** Rows of codes lead the same way. */
const STATUS = 'lazarus status <mission>';
const STORY = 'lazarus explain <mission>';
const REPAIR = 'lazarus ledger repair --help';
const NOTHING = 'nothing has to be done';
const REPORT = 'the same command with --verbose, and report what it prints';
const AGAIN = `get it again from where it came from; inside a ledger: ${REPAIR}`;
const EVENT = `correct the event: lazarus ledger append --help; inside a ledger: ${REPAIR}`;
const ROSTER = `make the change again: lazarus roster show; inside a ledger: ${REPAIR}`;
const DRAFT = `sign the draft again: lazarus roster sign <draft>; inside a ledger: ${REPAIR}`;
const PROOF = 'ask whoever made the proof for a new one: lazarus prove --help';
const SIGNED = 'lazarus approve <mission> <digest>, with your own key';
/** In an issue: no comment can do it. */
const SIGNED_ELSEWHERE = 'at a terminal, with your own key: lazarus approve <mission> <digest>';
const RUNNER = 'whoever keeps the runner puts that right; another attempt then begins by itself';
const REFILE = 'put right what the status comment tells of it, and file the form again';

export const REASONS = {
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

  // bytes
  json_malformed: {
    exit: 6,
    says: 'A text that must be JSON is not JSON.',
    next: 'correct the text at the place that is named',
  },
  json_not_canonical: {
    exit: 6,
    says: 'A JSON text is not in canonical form (RFC 8785), so two texts could mean the same.',
    next: 'get the text again from whoever wrote it',
  },
  clock_out_of_range: {
    exit: 9,
    says: 'This machine’s clock is before 1970 or after 2106, which no signature can state.',
    next: 'set the clock of this computer',
    inIssue: 'whoever keeps the runner sets its clock',
  },
  json_unrepresentable: { exit: 1, says: 'A value has no canonical JSON form.', next: REPORT },
  frontier_invalid: { exit: 6, says: 'The hashes of a Merkle frontier do not fit its size.', next: AGAIN },
  proof_impossible: {
    exit: 2,
    says: 'A proof was asked for a position outside the ledger.',
    next: 'lazarus ledger log <ledger>',
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
    says: 'The disk is full; nothing was appended.',
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

  // commits
  commit_malformed: { exit: 6, says: 'A commit is not spelled the way a ledger spells commits.', next: REPAIR },
  commit_unsigned: { exit: 6, says: 'A commit carries no signature.', next: REPAIR },
  commit_second_signature: {
    exit: 6,
    says: 'A commit carries a second signature header: verifiers would disagree on which one counts.',
    next: REPAIR,
  },
  commit_mergetag: { exit: 6, says: 'A commit carries a merged tag, which no ledger commit does.', next: REPAIR },
  commit_encoding: {
    exit: 6,
    says: 'A commit declares a text encoding; ledger commits are UTF-8 and say nothing.',
    next: REPAIR,
  },
  commit_unknown_header: { exit: 6, says: 'A commit carries a header that no ledger commit has.', next: REPAIR },

  // append and remote
  head_moved: {
    exit: 5,
    says: 'Somebody else appended first; the transaction was decided again and lost again.',
    next: 'lazarus ledger log <ledger>',
    inIssue: 'write it again, as a new comment',
  },
  push_rejected: {
    exit: 3,
    says: 'The remote refused the push.',
    next: 'read what the server answers: one of its branch rules or hooks refuses the push',
    inIssue: 'whoever keeps the project looks at the branch rules of this repository',
  },
  push_unknown: {
    exit: 75,
    says: 'The remote’s answer was lost; whether the push landed is not known yet.',
    next: 'lazarus ledger pull',
  },
  remote_unreachable: {
    exit: 75,
    says: 'The remote did not answer.',
    next: 'check the address and the network, then type the same command again',
  },
  remote_protocol: {
    exit: 75,
    says: 'The remote answered with something that is not the git protocol.',
    next: 'git ls-remote <url>',
  },
  authentication_needed: {
    exit: 4,
    says: 'The remote wants a credential and none fits.',
    next: 'export LAZARUS_TOKEN_ORIGIN=https://… LAZARUS_TOKEN=…',
  },
  token_origin_needed: {
    exit: 2,
    says: 'LAZARUS_TOKEN is set, but LAZARUS_TOKEN_ORIGIN does not name the one server it is for.',
    next: 'export LAZARUS_TOKEN_ORIGIN=https://…',
  },
  copy_behind: {
    exit: 75,
    says: 'The append is safe on the remote, but this clone’s own copy could not follow; do not append it again.',
    next: 'lazarus ledger pull',
  },
  remote_is_ahead: { exit: 5, says: 'The remote holds events that are not here.', next: 'lazarus ledger pull' },
  no_remote: { exit: 2, says: 'No remote is configured or named.', next: 'git remote add origin <url>' },
  remote_url_refused: {
    exit: 2,
    says: 'This address cannot be a remote: only https, http, ssh and file paths are used.',
    next: 'git remote set-url <name> <url>',
  },
  remote_rewritten: {
    exit: 2,
    says: 'The repository’s own configuration (url.*.insteadOf) would put another address in the place of this one.',
    next: 'git config --show-scope --get-regexp ^url',
  },
  insecure_transport: {
    exit: 4,
    says: 'A credential is never sent over plain http, except to this machine itself.',
    next: 'git remote set-url <name> https://…',
  },
  remote_redirected: {
    exit: 9,
    says: 'The remote has moved; redirects are not followed, so that no credential goes astray.',
    next: 'git remote set-url <name> <new url>',
  },
  remote_not_found: {
    exit: 7,
    says: 'No repository answers at this address, or the credential may not see it.',
    next: 'git remote -v',
  },
  remote_ref_missing: { exit: 7, says: 'The remote has no such reference.', next: 'git ls-remote <url>' },
  remote_not_atomic: {
    exit: 9,
    says: 'The remote cannot move several references all at once or not at all.',
    next: 'enable receive.advertiseAtomic on the server',
  },
  host_key_refused: {
    exit: 4,
    says: 'ssh does not know the host key of the remote, or the key has changed.',
    next: 'ssh <host>',
  },
  certificate_refused: {
    exit: 4,
    says: 'The certificate of the remote is not trusted by this machine.',
    next: 'git ls-remote <url>',
  },

  // forge
  forge_unreachable: {
    exit: 75,
    says: 'The forge did not answer.',
    next: 'check the address and the network, then type the same command again',
  },
  forge_answer_lost: {
    exit: 75,
    says: 'The forge’s answer was lost; whether it did what was asked is not known yet.',
    next: 'lazarus reconcile',
  },
  forge_failed: {
    exit: 75,
    says: 'The forge itself failed while it answered.',
    next: 'the same command in a moment; if it stays so, look into the server’s log',
  },
  forge_answer_unexpected: {
    exit: 9,
    says: 'The forge answered with something that does not have the expected form.',
    next: 'check that the address is that of a Gitea 1.27 or newer',
  },
  forge_redirected: {
    exit: 9,
    says: 'The forge points elsewhere; redirects are not followed, so that no credential goes astray.',
    next: 'the same command with the forge’s new address',
  },
  forge_refused: {
    exit: 3,
    says: 'The forge refused the request.',
    next: 'check in the repository’s settings what the account of the token may do',
  },
  forge_not_found: {
    exit: 7,
    says: 'The forge has no such thing, or the credential may not see it.',
    next: 'check the name, and what the account of the token may see',
  },
  forge_exists: {
    exit: 5,
    says: 'The forge has this already; nothing was changed.',
    next: 'choose another name, or use what is there',
  },
  forge_too_old: {
    exit: 9,
    says: 'The server is older than lazarus needs.',
    next: 'upgrade the server to Gitea 1.27 or newer',
  },
  forge_scope_missing: {
    exit: 4,
    says: 'The access token lacks a scope that this needs.',
    next: 'make a token with the named scope and export LAZARUS_TOKEN=…',
  },
  forge_rule_differs: {
    exit: 5,
    says: 'A branch rule of this name exists and says something else; it was not changed.',
    next: 'change the rule in the repository’s settings, or delete it, and repeat the command',
  },
  forge_rule_dropped: {
    exit: 9,
    says: 'The forge accepted a branch rule and kept less than it was given: the branch is not protected as it must be.',
    next: 'give the named accounts write access, delete the rule in the repository’s settings, and repeat the command',
  },
  payload_unexpected: {
    exit: 9,
    says: 'The payload of the forge’s event does not have the expected form; nothing was done about it.',
    next: 'lazarus reconcile',
  },
  forge_key_refused: {
    exit: 3,
    says: 'The forge did not register the public key.',
    next: 'lazarus keys new <principal>',
  },

  // signatures and public keys
  armor_malformed: {
    exit: 6,
    says: 'The armored text is not exactly one block in the one accepted form.',
    next: AGAIN,
  },
  signature_malformed: { exit: 6, says: 'The signature packet is broken.', next: AGAIN },
  signature_version: { exit: 6, says: 'The signature is not of OpenPGP version 4.', next: AGAIN },
  signature_type: { exit: 6, says: 'The signature is of a type that does not sign bytes.', next: AGAIN },
  signature_text_mode: {
    exit: 6,
    says: 'The signature is in text mode, which ignores line ends; only binary signatures count.',
    next: AGAIN,
  },
  signature_algorithm: { exit: 6, says: 'The signature is not made by an ed25519 key (algorithm 22).', next: AGAIN },
  signature_hash_weak: { exit: 6, says: 'The signature uses a hash weaker than SHA-256.', next: AGAIN },
  signature_critical_subpacket: {
    exit: 6,
    says: 'The signature carries a critical condition that lazarus does not know.',
    next: AGAIN,
  },
  signature_expires: {
    exit: 6,
    says: 'The signature carries an expiry time, and a record must not become invalid later.',
    next: AGAIN,
  },
  signature_unsigned_data: {
    exit: 6,
    says: 'The unsigned part of the signature carries more than the issuer’s key id.',
    next: AGAIN,
  },
  signature_trailing_bytes: { exit: 6, says: 'Bytes follow where the signature should have ended.', next: AGAIN },
  signature_not_canonical: {
    exit: 6,
    says: 'The signature is spelled in a second way (its S is not reduced), and only one spelling of a signature counts.',
    next: AGAIN,
  },
  signature_prefix_wrong: { exit: 6, says: 'The signature’s digest prefix was altered.', next: AGAIN },
  signature_issuer_wrong: {
    exit: 6,
    says: 'The signature names another key than the one it is checked against.',
    next: AGAIN,
  },
  signature_invalid: { exit: 6, says: 'The signature does not fit the signed bytes and the key.', next: AGAIN },
  key_malformed: {
    exit: 6,
    says: 'The key is not exactly one ed25519 key, one user id and one self-signature.',
    next: 'lazarus keys new <principal>',
  },
  key_version_unsupported: {
    exit: 6,
    says: 'The key is not of OpenPGP version 4.',
    next: 'lazarus keys new <principal>',
  },
  key_algorithm_unsupported: {
    exit: 6,
    says: 'The key is not an ed25519 signing key (algorithm 22), the one kind that stock gpg and lazarus both verify.',
    next: 'lazarus keys new <principal>',
  },
  key_weak: {
    exit: 6,
    says: 'The key is a weak point of its curve: anybody could forge signatures with it, or read what is encrypted to it.',
    next: 'lazarus keys new <principal>',
  },
  key_expires: {
    exit: 6,
    says: 'The key carries an expiry time, and only the roster says how long a key is valid.',
    next: 'lazarus keys new <principal>',
  },
  key_cannot_sign: {
    exit: 6,
    says: 'The key’s own flags do not allow it to sign.',
    next: 'lazarus keys new <principal>',
  },
  key_cannot_encrypt: {
    exit: 6,
    says: 'The key’s own flags do not allow encrypting to it.',
    next: 'lazarus keys new <principal>',
  },
  encryption_key_unbound: {
    exit: 6,
    says: 'The encryption key is not signed by a key of this member that is on the roster and not cut off, so nobody can tell whose it is.',
    next: 'lazarus roster set <principal> --encrypt-to <key>, or none',
  },
  key_certification_invalid: {
    exit: 6,
    says: 'The key’s self-signature does not hold.',
    next: 'ask the owner of the key for it again',
  },
  key_not_found: { exit: 7, says: 'No such key here.', next: 'lazarus keys list' },
  key_exists: { exit: 5, says: 'This key is here already.', next: 'lazarus keys list' },
  key_exposed: {
    exit: 9,
    says: 'Other users of this machine can read the key file or its directory.',
    next: 'chmod -R go= <path>',
  },
  key_secret_absent: { exit: 4, says: 'The private half of the key is not here.', next: 'lazarus keys list' },
  key_unusable: { exit: 4, says: 'The key is revoked, expired or disabled.', next: 'gpg --list-secret-keys' },
  passphrase_needed: {
    exit: 4,
    says: 'The key is locked and there is no passphrase to open it with.',
    next: 'export LAZARUS_PASSPHRASE=…',
  },
  passphrase_wrong: {
    exit: 4,
    says: 'The passphrase does not open the key.',
    next: 'the same command with the right passphrase',
  },
  passphrase_mismatch: {
    exit: 4,
    says: 'The two passphrases differ; nothing was changed.',
    next: 'the same command again',
  },
  passphrase_empty: {
    exit: 2,
    says: 'An empty passphrase protects nothing; a machine’s key can be kept bare only by saying so.',
    next: 'lazarus keys new <principal> --unprotected',
  },
  gpg_missing: { exit: 9, says: 'The gpg programs were not found.', next: 'install gnupg, at least version 2.2' },
  gpg_failed: { exit: 9, says: 'gpg refused an operation.', next: 'gpg --list-secret-keys' },
  gpg_agent_refused: { exit: 4, says: 'gpg-agent did not sign.', next: 'gpg-connect-agent /bye' },

  // events
  event_too_large: {
    exit: 2,
    says: 'An event is larger than the format allows; put its payload into an artifact.',
    next: 'lazarus artifact add --help',
  },
  event_not_utf8: { exit: 6, says: 'An event is not well-formed UTF-8.', next: EVENT },
  event_not_canonical: {
    exit: 6,
    says: 'An event is not in canonical form (RFC 8785 plus LF, no duplicate key).',
    next: EVENT,
  },
  event_not_integer: { exit: 6, says: 'An event holds a number that is not an integer.', next: EVENT },
  event_malformed: { exit: 6, says: 'An event does not have the fields its type prescribes.', next: EVENT },
  event_type_unknown: {
    exit: 6,
    says: 'This version of lazarus does not know an event type, and never skips one.',
    next: 'npm install lazarus@latest',
  },
  event_version_newer: {
    exit: 9,
    says: 'An event was written by a newer version of lazarus.',
    next: 'npm install lazarus@latest',
  },
  event_type_misplaced: { exit: 6, says: 'This event type does not belong into this kind of ledger.', next: EVENT },
  event_out_of_place: { exit: 6, says: 'This event cannot stand here: the ledger has begun already.', next: EVENT },
  events_missing: { exit: 6, says: 'A commit claims events that its tree does not hold.', next: REPAIR },
  ledger_not_opened: {
    exit: 6,
    says: 'A ledger must begin with the event that opens it.',
    next: 'lazarus ledger fsck',
  },
  ledger_sealed: {
    exit: 3,
    says: 'The ledger is sealed: nothing can be appended any more.',
    next: 'propose what comes next as a new mission: lazarus propose --example',
  },
  limit_reached: {
    exit: 3,
    says: 'A limit of the ledger format is reached.',
    next: 'make it smaller, or split it; the limit is named',
  },

  // rules
  role_not_allowed: { exit: 3, says: 'The signer’s roles do not allow this event type.', next: 'lazarus roster show' },
  actor_mismatch: {
    exit: 3,
    says: 'The event names an actor that the signer may not speak for.',
    next: 'lazarus roster show',
  },
  actor_unknown: { exit: 3, says: 'The event names an actor that is not on the roster.', next: 'lazarus roster show' },
  task_unknown: {
    exit: 3,
    says: 'The ledger has no such task.',
    next: 'lazarus ledger log <ledger>',
    inIssue: '/status',
  },
  task_exists: { exit: 5, says: 'The task exists already.', next: 'lazarus ledger log <ledger>', inIssue: '/status' },
  task_transition_illegal: {
    exit: 3,
    says: 'A task in this state cannot make this step.',
    next: 'lazarus ledger log <ledger>',
    inIssue: '/status',
  },
  mission_exists: { exit: 5, says: 'The mission is registered already.', next: 'lazarus list' },
  mission_unknown: { exit: 7, says: 'No such mission is registered and open.', next: 'lazarus ledger show project' },
  mission_without_project: {
    exit: 6,
    says: 'A mission ledger must grow out of a project ledger.',
    next: 'lazarus ledger compare',
  },
  mission_other_project: {
    exit: 6,
    says: 'The mission names another project than the one it grows from.',
    next: 'lazarus ledger compare',
  },
  mission_parent_mismatch: {
    exit: 6,
    says: 'The mission names another project head than its parent commit.',
    next: 'lazarus ledger compare',
  },
  path_claimed: {
    exit: 5,
    says: 'Another open mission holds a claim on one of these paths.',
    next: 'lazarus ledger show project',
    inIssue: 'wait until the mission that holds the path is over; this one then goes on by itself',
  },
  claims_missing: {
    exit: 3,
    says: 'The project does not hold the paths of the plan for this mission: they were never claimed, or were released again.',
    next: STATUS,
  },
  project_halted: {
    exit: 3,
    says: 'The project is stopped: nothing new is planned, granted, begun or delivered.',
    next: 'lazarus unstop',
    inIssue: 'whoever stopped it, or a root, types at a terminal: lazarus unstop',
  },
  halt_needs_root: {
    exit: 3,
    says: 'Only a root may stop this project or let it go on: the policy in force says so.',
    next: 'lazarus roster show',
  },
  halt_of_root: {
    exit: 3,
    says: 'A root stopped the project, and only a root lets it go on.',
    next: 'lazarus roster show',
  },
  project_not_halted: { exit: 5, says: 'The project is not stopped.', next: 'lazarus list' },

  // roster, keys, thresholds
  roster_not_canonical: {
    exit: 6,
    says: 'A list in the roster is not sorted, or has the same entry twice.',
    next: ROSTER,
  },
  roster_key_never_valid: { exit: 6, says: 'A roster key ends before it begins.', next: ROSTER },
  roster_key_twice: { exit: 6, says: 'One key stands twice in the roster.', next: ROSTER },
  roster_key_mislabelled: {
    exit: 6,
    says: 'A roster key does not have the fingerprint it is listed under.',
    next: ROSTER,
  },
  roster_key_user_id: {
    exit: 6,
    says: 'A roster key carries another user id than the one derived from its member.',
    next: ROSTER,
  },
  roster_threshold_unreachable: {
    exit: 3,
    says: 'Fewer persons hold a lasting root key than the threshold asks for: the roster could never be changed again.',
    next: 'lazarus roster threshold --help',
  },
  roster_layer_wrong: {
    exit: 3,
    says: 'A machine stands in layer L0 or L1, which are for people.',
    next: 'lazarus roster set <principal> --layer L5',
  },
  roster_account_twice: {
    exit: 3,
    says: 'Two members have the same forge user id.',
    next: 'lazarus roster set <principal> --forge-user-id <number>',
  },
  roster_other_project: { exit: 6, says: 'The document belongs to another project.', next: ROSTER },
  roster_replayed: {
    exit: 6,
    says: 'The roster does not have the next number: an old one is presented again, or one is missing.',
    next: ROSTER,
  },
  roster_not_successor: { exit: 6, says: 'The roster does not build on the one in force.', next: ROSTER },
  roster_mismatch: {
    exit: 6,
    says: 'The commit was decided under another roster than the one in force.',
    next: REPAIR,
  },
  adoption_not_of_project: {
    exit: 6,
    says: 'A mission adopts something that its project’s ledger does not have at the place named.',
    next: 'lazarus ledger log project',
  },
  roster_not_adopted: {
    exit: 6,
    says: 'The mission cites a project head with a newer roster without adopting it.',
    next: REPAIR,
  },
  threshold_not_canonical: {
    exit: 6,
    says: 'Signatures are not sorted by fingerprint, or one stands twice.',
    next: DRAFT,
  },
  threshold_signer_not_root: {
    exit: 6,
    says: 'A signature is by a key that is no root of the roster in force.',
    next: DRAFT,
  },
  threshold_signer_outside_validity: { exit: 6, says: 'A root’s key was not valid where it signed.', next: DRAFT },
  threshold_signature_invalid: { exit: 6, says: 'A root’s signature does not verify.', next: DRAFT },
  threshold_not_met: {
    exit: 8,
    says: 'Fewer different persons signed than the threshold asks for.',
    next: 'lazarus roster sign <draft>',
  },
  draft_malformed: {
    exit: 6,
    says: 'The file is not a draft as lazarus writes them; it was altered or cut short on the way.',
    next: 'ask for the file again',
  },
  draft_mismatch: {
    exit: 2,
    says: 'The drafts are about different documents; only copies of one go together.',
    next: 'lazarus roster apply --help',
  },
  file_exists: { exit: 5, says: 'There is a file of this name already.', next: 'the same command with --out <file>' },
  roster_member_exists: {
    exit: 5,
    says: 'The principal is on the roster already.',
    next: 'lazarus roster rotate --help',
  },
  roster_member_unknown: { exit: 7, says: 'No such principal is on the roster.', next: 'lazarus roster show' },
  roster_unchanged: { exit: 5, says: 'The roster is like this already.', next: 'lazarus roster show' },
  nothing_to_adopt: {
    exit: 5,
    says: 'The mission knows every roster and cut-off of its project already.',
    next: NOTHING,
  },
  nothing_disowned: {
    exit: 5,
    says: 'No event of this key is disowned and waiting for a judgement here.',
    next: 'lazarus verify',
  },
  agreement_needed: {
    exit: 4,
    says: 'This needs your agreement, and nobody can be asked here; nothing was done.',
    next: 'the same command with --yes',
  },
  agreement_refused: {
    exit: 1,
    says: 'You did not agree; nothing was done.',
    next: 'the same command again, if you change your mind',
  },
  threshold_out_of_reach: {
    exit: 8,
    says: 'Fewer persons are left who could sign this than the threshold asks for: it can never be met.',
    next: 'lazarus roster show',
  },
  statement_stale: {
    exit: 5,
    says: 'The signed document was made for another ledger or another roster.',
    next: 'make the document again, and have it signed again',
  },
  key_already_cut_off: { exit: 5, says: 'The key is cut off already.', next: NOTHING },
  annotation_range_wrong: {
    exit: 2,
    says: 'An annotation must name events that exist, first before last.',
    next: 'lazarus ledger log <ledger>',
  },
  key_ambiguous: { exit: 2, says: 'More than one key fits; name the one to sign with.', next: 'lazarus keys list' },
  signer_unknown: { exit: 3, says: 'The signing key is not on the roster in force.', next: 'lazarus roster show' },
  signer_outside_validity: {
    exit: 3,
    says: 'The signing key is not valid at this index.',
    next: 'lazarus roster show',
  },
  signer_cut_off: { exit: 3, says: 'The signing key is cut off as compromised.', next: 'lazarus keys new <principal>' },

  // ledger integrity
  foreign_commit: { exit: 6, says: 'A commit on the ledger branch is no ledger commit.', next: REPAIR },
  format_newer: {
    exit: 9,
    says: 'The ledger was written in a newer format than this version reads.',
    next: 'npm install lazarus@latest',
  },
  format_lowered: { exit: 6, says: 'The ledger’s format version goes down.', next: REPAIR },
  trailers_malformed: { exit: 6, says: 'A commit’s trailers are not the ones its format prescribes.', next: REPAIR },
  subject_mismatch: { exit: 6, says: 'A commit’s message is not the one that follows from its events.', next: REPAIR },
  commit_parents: { exit: 6, says: 'A ledger commit has the wrong number of parents.', next: REPAIR },
  commit_reparented: { exit: 6, says: 'A commit’s parent is not the commit before it.', next: REPAIR },
  author_mismatch: { exit: 6, says: 'A commit’s author is not its signer.', next: REPAIR },
  ledger_id_mismatch: { exit: 6, says: 'A commit claims to belong to another ledger.', next: REPAIR },
  prev_size_mismatch: { exit: 6, says: 'A commit does not continue at the size the ledger has.', next: REPAIR },
  prev_root_mismatch: { exit: 6, says: 'A commit does not continue from the root the ledger has.', next: REPAIR },
  root_mismatch: { exit: 6, says: 'The Merkle root over the events is not the one that was signed.', next: REPAIR },
  tree_mismatch: { exit: 6, says: 'A commit’s tree is not the one that follows from the events.', next: REPAIR },
  derived_file_mismatch: { exit: 6, says: 'A derived file of the tree does not follow from the events.', next: REPAIR },
  transaction_size: {
    exit: 2,
    says: 'A transaction holds no event or more than the format allows.',
    next: 'append fewer events at once, and at least one',
  },
  transaction_duplicate: { exit: 6, says: 'A transaction stands in the ledger twice.', next: REPAIR },
  project_head_missing: { exit: 6, says: 'A mission commit cites no project head.', next: REPAIR },
  project_head_misplaced: { exit: 6, says: 'A project commit cites a project head.', next: REPAIR },
  project_head_decreased: {
    exit: 6,
    says: 'A mission commit cites an older or another project head than the one before it.',
    next: REPAIR,
  },
  project_head_unknown: {
    exit: 6,
    says: 'A mission cites a project head that the project ledger does not have.',
    next: REPAIR,
  },
  repair_not_alone: { exit: 6, says: 'A repair must be the only event of its transaction.', next: REPAIR },
  repair_wrong_head: { exit: 6, says: 'A repair goes on from another head than the last valid one.', next: REPAIR },
  repair_mismatch: { exit: 6, says: 'A repair names other commits than those it leaves behind.', next: REPAIR },
  ledger_genesis_mismatch: {
    exit: 6,
    says: 'A commit of a mission names another first commit than its ledger has.',
    next: REPAIR,
  },
  genesis_not_registered: {
    exit: 6,
    says: 'The mission begins with another commit than the one its project registered.',
    next: 'lazarus ledger compare',
  },
  registered_ledger_missing: {
    exit: 9,
    says: 'The project registered a mission whose ledger is not in this repository.',
    next: 'lazarus ledger pull <ledger>',
  },
  release_unfounded: {
    exit: 6,
    says: 'A mission’s claims were released for a reason that its own ledger does not show.',
    next: 'lazarus ledger log project',
  },
  release_unconfirmed: {
    exit: 0,
    says: 'A mission’s claims were released, and its ledger is not here to show why.',
    next: 'lazarus ledger pull <ledger>',
  },
  stop_overlooked: {
    exit: 0,
    says: 'By its own date something was begun after the project was stopped; its writer had not seen the stop yet.',
    next: 'lazarus ledger log <ledger>',
  },
  repair_of_valid: { exit: 6, says: 'A repair would discard a commit that verifies.', next: 'lazarus verify <ledger>' },
  repair_no_valid_head: {
    exit: 6,
    says: 'Nothing below the head of this ledger verifies, so there is no head to go on from.',
    next: 'git fetch <another clone> <ledger branch>',
  },
  repair_needless: { exit: 5, says: 'The ledger verifies: there is nothing to repair.', next: NOTHING },
  genesis_mismatch: {
    exit: 6,
    says: 'The project’s first event is not the one that was pinned.',
    next: 'ask somebody you trust for the genesis, then: lazarus verify --genesis <genesis>',
  },
  rollback_detected: {
    exit: 6,
    says: 'The ledger is older than one seen before: somebody rolled it back.',
    next: 'lazarus ledger compare',
  },
  head_needs_history: {
    exit: 9,
    says: 'The newest commit cannot be checked alone: the roster that it brings no longer has its signer.',
    next: 'lazarus verify <ledger> --mode full',
  },
  snapshot_needless: {
    exit: 5,
    says: 'The ledger has not filled a segment of 256 events yet: verifying all of it is as quick as a snapshot.',
    next: 'lazarus verify <ledger>',
  },
  snapshot_of_disowned: {
    exit: 6,
    says: 'The ledger holds events of a key that was cut off since, so nobody should rely on a snapshot of it.',
    next: 'lazarus verify <ledger>',
  },
  cold_needs_history: {
    exit: 9,
    says: 'Appending without a clone needs a head that was verified here before.',
    next: 'append once without --cold, in a clone: lazarus ledger append --help',
  },
  pin_unreadable: {
    exit: 9,
    says: 'The pin file of this ledger is damaged; without it a rollback would go unnoticed.',
    next: 'compare the head with a colleague, then delete the file',
  },
  pin_not_written: {
    exit: 9,
    says: 'The pin of this ledger could not be written; what was appended before stays appended.',
    next: 'make the folder writable, then: lazarus verify',
  },
  fork_detected: {
    exit: 6,
    says: 'The ledger is not a continuation of one seen before: there are two histories.',
    next: 'lazarus ledger compare',
  },

  // artifacts
  artifact_too_large: {
    exit: 2,
    says: 'The bytes are more than one artifact may hold; nothing was recorded.',
    next: 'store them elsewhere and record their digest in a smaller artifact',
  },
  artifacts_full: {
    exit: 3,
    says: 'The ledger keeps as many artifacts as it may; nothing was recorded.',
    next: 'lazarus artifact erase <ledger> <digest> --because <word>',
  },
  artifact_unknown: {
    exit: 7,
    says: 'The ledger records no artifact whose digest begins like this.',
    next: 'lazarus artifact list <ledger>',
  },
  artifact_ambiguous: {
    exit: 2,
    says: 'More than one artifact’s digest begins like this.',
    next: 'lazarus artifact list <ledger>',
  },
  artifact_erased: {
    exit: 7,
    says: 'The artifact was erased; the ledger still proves that it was recorded.',
    next: 'lazarus artifact list <ledger>',
  },
  artifact_missing: {
    exit: 6,
    says: 'The ledger records an artifact whose bytes are not in this repository.',
    next: 'the same command with --remote <name>',
  },
  artifact_corrupt: {
    exit: 6,
    says: 'The bytes kept for an artifact are not the ones that were recorded; they are not shown.',
    next: 'lazarus artifact verify <ledger> --remote <name>',
  },
  artifact_key_absent: {
    exit: 4,
    says: 'The artifact is encrypted and its key is not on this machine.',
    next: 'lazarus artifact key import <ledger> <file>',
  },
  artifact_key_wrong: {
    exit: 4,
    says: 'The key does not open the artifact, or the artifact was sealed as another media type.',
    next: 'ask a colleague for: lazarus artifact key export <ledger> <digest>',
  },
  artifact_key_exists: {
    exit: 5,
    says: 'Another key of this artifact is here already; nothing was replaced.',
    next: 'lazarus artifact show <ledger> <digest>',
  },
  artifact_key_malformed: {
    exit: 2,
    says: 'This is not the key file of an artifact, whole and unchanged.',
    next: 'ask a colleague for: lazarus artifact key export <ledger> <digest>',
  },
  artifact_unprintable: {
    exit: 2,
    says: 'The content is no plain text: printed, it could take over the terminal.',
    next: 'the same command with --output <file>, or --raw',
  },

  // what people type on the forge
  form_invalid: {
    exit: 2,
    says: 'The mission proposal cannot be read; nothing was begun.',
    next: 'edit the issue, or file the form again',
  },
  form_forged: {
    exit: 3,
    says: 'The issue does not have the shape that the form gives it, so it could be read in two ways; nothing was begun.',
    next: 'file the form again',
  },
  parse_error: {
    exit: 2,
    says: 'The command is not understood; nothing in the comment was done.',
    next: 'write /help in a comment of the issue',
    inIssue: '/help',
  },
  already_heard: { exit: 5, says: 'This was received before, and it counted then.', next: STATUS },
  heard_too_old: {
    exit: 5,
    says: 'Something newer was received since, so nobody can tell any more whether this was received before.',
    next: 'write it again, as a new comment',
  },
  source_elsewhere: {
    exit: 3,
    says: 'It was written in another issue than the one that the mission belongs to.',
    next: 'write it in the issue of the mission',
  },
  source_missing: {
    exit: 6,
    says: 'An event has what somebody said on the forge, without the record of where it was said.',
    next: EVENT,
  },
  command_further_down: {
    exit: 2,
    says: 'A command stands below other text, where it is read as text; nothing was done for it.',
    next: 'write it again as the first line of a new comment, with what you want to say below it',
  },
  unknown_verb: {
    exit: 2,
    says: 'There is no such command; nothing in the comment was done.',
    next: 'write /help in a comment of the issue',
    inIssue: '/help',
  },
  proposal_unheard: {
    exit: 75,
    says: 'The proposal never reached lazarus, and it was changed since it was filed, so that nobody can tell whose words it holds; nothing was begun.',
    next: 'file the form again',
  },
  type_again: {
    exit: 75,
    says: 'A command never reached lazarus, and what is fetched later may have been edited; nothing was done.',
    next: 'write the command again, as a new comment',
  },
  workflow_unsafe: {
    exit: 9,
    says: 'A workflow file does something that ours never do.',
    next: 'lazarus init --forge <url> --repo <owner/name>',
  },
  workflow_stale: {
    exit: 9,
    says: 'A workflow file of the repository is not the one this version writes.',
    next: 'lazarus init --forge <url> --repo <owner/name>',
  },
  command_unavailable: {
    exit: 3,
    says: 'The command is not available yet; nothing in the comment was done.',
    next: 'write /help in a comment of the issue',
    inIssue: '/help',
  },

  // proof bundles
  bundle_too_large: { exit: 6, says: 'A proof bundle is larger than the format allows.', next: PROOF },
  bundle_malformed: {
    exit: 6,
    says: 'This is not a proof bundle, or one that does not have the prescribed form.',
    next: PROOF,
  },
  bundle_not_canonical: {
    exit: 6,
    says: 'A proof bundle is not in canonical form (RFC 8785 plus LF): it was altered or reformatted.',
    next: PROOF,
  },
  bundle_newer: {
    exit: 9,
    says: 'The proof bundle was written by a newer version of lazarus.',
    next: 'npm install lazarus@latest',
  },
  bundle_incomplete: { exit: 6, says: 'The proof bundle does not hold what it claims to prove.', next: PROOF },
  inclusion_invalid: {
    exit: 6,
    says: 'An event is not in the tree whose root was signed, or not at that index.',
    next: PROOF,
  },
  consistency_invalid: {
    exit: 6,
    says: 'A signed tree head is not the continuation of the one shown before it.',
    next: PROOF,
  },
  cosignature_invalid: {
    exit: 6,
    says: 'A co-signature is not by a key that counts, or does not fit the tree head.',
    next: PROOF,
  },
  event_ambiguous: { exit: 2, says: 'More than one event id begins like this.', next: 'lazarus ledger log <ledger>' },
  head_not_found: {
    exit: 7,
    says: 'No transaction ended at this size: there is no signed tree head to prove from.',
    next: 'lazarus ledger log <ledger>',
  },

  // the course of a mission
  nothing_proposed: {
    exit: 3,
    says: 'Nothing is proposed in this mission yet.',
    next: 'lazarus propose <mission.yaml>',
    inIssue: '/plan',
  },
  mission_over: { exit: 3, says: 'The mission is over; what comes next is a new one.', next: STATUS },
  mission_cancelled: {
    exit: 3,
    says: 'The mission was cancelled: nothing new begins in it, and it ends when nothing of it runs any more.',
    next: STATUS,
  },
  effects_begun: {
    exit: 3,
    says: 'An effect of the mission was begun, so the mission can no longer be cancelled: what was begun is finished or settled.',
    next: 'lazarus reconcile <mission>',
  },
  mission_succeeded: {
    exit: 3,
    says: 'What was asked for is done, so the mission can only end as done.',
    next: STATUS,
  },
  mission_running: {
    exit: 5,
    says: 'Another process on this computer is running the mission.',
    next: 'lazarus watch <mission>',
  },
  mission_disowned: {
    exit: 3,
    says: 'A key that is cut off as compromised has signed events of this mission; it waits until the roots have judged them.',
    next: 'lazarus roster annotate --help',
    inIssue: 'wait: the roots judge these events, at a terminal',
  },
  mission_under_way: {
    exit: 5,
    says: 'The mission is being worked on: what was approved no longer changes.',
    next: STATUS,
  },
  proposer_forgotten: {
    exit: 3,
    says: 'A revision leaves out somebody who had a hand in an earlier one.',
    next: 'lazarus propose <mission.yaml>',
    inIssue: 'file the form again',
  },
  revision_stale: {
    exit: 5,
    says: 'It was made for another revision of the proposal than the current one.',
    next: 'lazarus plan <mission>',
  },
  plan_missing: { exit: 3, says: 'There is no plan yet.', next: 'lazarus plan <mission>' },
  plan_stale: { exit: 5, says: 'The plan was computed under another roster.', next: 'lazarus plan <mission>' },
  plan_digest_mismatch: {
    exit: 6,
    says: 'A digest is not the one of what it stands for.',
    next: 'lazarus plan <mission>',
  },
  proposer_missing: {
    exit: 3,
    says: 'The proposal is signed in the name of somebody who is not among its proposers.',
    next: 'lazarus propose <mission.yaml>',
    inIssue: 'file the form again',
  },
  proposer_foreign: {
    exit: 3,
    says: 'Only a gate may name other people as proposers, by their account on the forge.',
    next: 'lazarus propose <mission.yaml>',
    inIssue: 'file the form again',
  },
  proposer_mismatch: {
    exit: 3,
    says: 'A proposer’s account and principal are not a pair that the roster has.',
    next: 'lazarus roster show',
  },
  proposal_unsigned: {
    exit: 3,
    says: 'At tier 3 the proposer signs the proposal; this one was only passed on by a gate.',
    next: 'lazarus propose <file> --revise <mission>',
    inIssue: 'propose it at a terminal with your own key: lazarus propose <file> --revise <mission>',
  },
  tier_too_low: {
    exit: 3,
    says: 'What is asked for needs a higher tier than the plan has.',
    next: 'lazarus plan <mission>',
  },
  quorum_unreachable: {
    exit: 3,
    says: 'Fewer people may vote on this plan than have to agree to it.',
    next: 'lazarus roster show',
    inIssue: 'the roots enrol more people, or the issue asks for less',
  },
  plan_not_what_follows: {
    exit: 6,
    says: 'The plan is not the one that follows from its proposal and the policy at its base.',
    next: 'lazarus plan <mission>',
  },
  policy_replayed: { exit: 5, says: 'A policy revision is not the next one.', next: 'lazarus policy show' },
  policy_drifted: { exit: 5, says: 'Policy has changed since the plan was computed.', next: 'lazarus plan <mission>' },
  policy_refused: {
    exit: 3,
    says: 'Policy does not allow it.',
    next: STORY,
    inIssue: 'edit the issue so that it asks for less; .gitea/lazarus/policy.yml says what is allowed',
  },
  quorum_too_small: {
    exit: 3,
    says: 'The plan asks for fewer people than its tier needs.',
    next: 'lazarus plan <mission>',
  },
  quorum_missing: {
    exit: 8,
    says: 'Not enough people have approved it yet.',
    next: 'lazarus approve <mission> <digest>',
  },
  not_authorised: {
    exit: 3,
    says: 'Only people on the roster may vote.',
    next: 'lazarus roster show',
    inIssue: 'ask a member of this project; everybody may write /status and /help',
  },
  self_approval: { exit: 3, says: 'Whoever proposed a mission may not approve it.', next: STATUS },
  digest_unknown: { exit: 5, says: 'Nothing that waits for approval has this digest.', next: STATUS },
  digest_required: { exit: 2, says: 'A vote names the digest that it is for.', next: STATUS },
  approval_exists: { exit: 5, says: 'This approval has been asked for already.', next: STATUS },
  approval_unknown: { exit: 5, says: 'No such approval is open.', next: STATUS },
  approval_stale: { exit: 5, says: 'The vote is for another digest than the one that waits now.', next: STATUS },
  votes_not_carried: {
    exit: 3,
    says: 'At tier 3 a vote is for one digest and carries over to no other.',
    next: STATUS,
  },
  approval_denied: {
    exit: 3,
    says: 'Somebody who may vote rejected it for good.',
    next: 'propose it anew if it is still wanted: lazarus propose --example',
    inIssue: 'file the form again if it is still wanted',
  },
  word_unsigned: {
    exit: 3,
    says: 'At tier 3 only a person’s own signature counts.',
    next: SIGNED,
    inIssue: SIGNED_ELSEWHERE,
  },
  approval_settled: { exit: 5, says: 'It has been decided already.', next: STATUS },
  clock_behind: {
    exit: 3,
    says: 'The time it gives is before a time that the ledger has already.',
    next: 'set the clock of this computer',
    inIssue: 'whoever keeps the runner sets its clock',
  },
  window_too_long: {
    exit: 3,
    says: 'The time it asks for is longer than its kind may have.',
    next: 'ask for a shorter time',
  },
  approval_expired: { exit: 8, says: 'The time for approving it is over.', next: 'lazarus plan <mission>' },
  effects_approval_missing: {
    exit: 8,
    says: 'At this tier people approve the exact effects as well, after the run.',
    next: 'lazarus approve <mission> <digest>',
  },
  rejected: {
    exit: 8,
    says: 'Somebody rejected it; it waits until that is withdrawn or a new revision comes.',
    next: STATUS,
  },
  vote_missing: { exit: 5, says: 'There is no vote of this person to withdraw.', next: STATUS },
  action_exists: { exit: 5, says: 'This action has been asked for already.', next: STATUS },
  action_unknown: { exit: 3, says: 'No such action was asked for.', next: STORY },
  births_exhausted: {
    exit: 3,
    says: 'An attempt has one cell, and this attempt had its cell already or was just given it.',
    next: STATUS,
  },
  policy_result_final: { exit: 5, says: 'Policy has answered already; its answer stands.', next: STORY },
  grant_exists: { exit: 5, says: 'This has been granted already.', next: STATUS },
  grant_missing: { exit: 3, says: 'There is no grant for it.', next: STORY },
  grant_mismatch: { exit: 3, says: 'It lies outside what was granted.', next: STORY },
  grant_expired: { exit: 3, says: 'The grant is no longer valid.', next: STATUS },
  step_unknown: { exit: 6, says: 'The event is about no step of this mission.', next: EVENT },
  step_unplanned: { exit: 6, says: 'The plan has no such step at this place.', next: EVENT },
  several_steps: {
    exit: 5,
    says: 'A plan with more than one step cannot be carried out yet: it is not defined on which base a step begins that depends on another.',
    next: 'lazarus propose, one mission for each step',
    inIssue: 'propose one mission for each step',
  },
  role_unplanned: { exit: 6, says: 'The cell was born for another role than the plan names.', next: EVENT },
  step_exists: { exit: 5, says: 'The step exists already.', next: STATUS },
  attempt_open: { exit: 5, says: 'An attempt is still open.', next: STATUS },
  attempt_over: { exit: 5, says: 'The attempt is over.', next: STATUS },
  cause_missing: {
    exit: 6,
    says: 'An event does not name the event that made it happen, and only some types may begin without one.',
    next: EVENT,
  },
  cause_unknown: {
    exit: 6,
    says: 'An event names a cause that is not in its transaction and moved nothing that is still open.',
    next: STORY,
  },
  cause_misplaced: {
    exit: 6,
    says: 'An event names a cause in a ledger that cannot have made it happen.',
    next: EVENT,
  },
  correlation_mismatch: {
    exit: 6,
    says: 'An event of an attempt does not belong to what the attempt was asked for.',
    next: EVENT,
  },
  idempotency_mismatch: {
    exit: 6,
    says: 'The key of an effect does not name the request that it carries out.',
    next: EVENT,
  },
  attempt_stale: { exit: 5, says: 'It is about another attempt than the current one.', next: STATUS },
  attempts_exhausted: {
    exit: 1,
    says: 'The step has had all the attempts it may have.',
    next: 'put right what stopped the attempts, then: lazarus propose --example',
    inIssue: REFILE,
  },
  attempt_transition_illegal: {
    exit: 3,
    says: 'An attempt cannot go from the state it is in to this one.',
    next: STORY,
  },
  lease_held: { exit: 5, says: 'Somebody else holds the lease.', next: STATUS },
  lease_lost: { exit: 5, says: 'The lease is gone: its time is over, or somebody took over.', next: STATUS },
  fence_stale: { exit: 5, says: 'The fence is not the one that counts now.', next: STATUS },
  cell_open: { exit: 5, says: 'A cell is still open.', next: 'lazarus reconcile' },
  cell_unknown: { exit: 5, says: 'No such cell is open.', next: STATUS },
  level_unmet: {
    exit: 9,
    says: 'This machine cannot give the isolation that was approved.',
    next: 'install bubblewrap',
    inIssue: 'whoever keeps the runner types at its terminal: apt install bubblewrap',
  },
  cell_failed: { exit: 1, says: 'The agent ended with an error.', next: STORY, inIssue: REFILE },
  agent_missing: {
    exit: 9,
    says: 'The agent’s program, or one that it starts, is not on the machine that runs cells, or cannot be executed there.',
    next: 'install it below /usr on that machine, or name another agent in .gitea/lazarus/policy.yml',
  },
  runner_lost: {
    exit: 75,
    says: 'The runner that worked on it is gone; nothing of its work counts.',
    next: 'lazarus reconcile',
    inIssue: RUNNER,
  },
  runner_silent: {
    exit: 9,
    says: 'A job for the cell ended and left nothing in the ledger: its runner has no key that the roster knows, or it died before it began.',
    next: 'look into the log of the cell job; lazarus keys runner <name of the machine>, typed there, makes a key',
    inIssue: 'look into the log of the cell job; whoever keeps the runner gives it a key that the roster has',
  },
  checks_not_planned: {
    exit: 6,
    says: 'The checks are not those of the plan, in its order, each in a cell that was born for it and has ended.',
    next: STORY,
    inIssue: REFILE,
  },
  plan_document_differs: {
    exit: 6,
    says: 'The plan document says something else than the terms that people approved.',
    next: 'lazarus plan <mission>',
  },
  backend_unmet: {
    exit: 9,
    says: 'The plan asks for another kind of cell than this machine makes.',
    next: 'name the backend `process` in the mission, or run it where that kind is made',
    inIssue: 'edit the issue, or let whoever keeps the runners offer that kind of cell',
  },
  verify_failed: { exit: 1, says: 'The work did not pass its checks in a fresh cell.', next: STORY, inIssue: REFILE },
  scope_violated: {
    exit: 3,
    says: 'The work changes what it may not change; nothing of it was taken.',
    next: STORY,
    inIssue: REFILE,
  },
  base_unknown: {
    exit: 7,
    says: 'There is no such branch or commit to work on.',
    next: 'git branch --all',
    inIssue: 'edit the issue, and name a branch of this repository',
  },
  issue_misplaced: {
    exit: 6,
    says: 'This issue points at something that is not its mission.',
    next: 'git ls-remote <url> refs/lazarus/issues/*',
  },
  tier_needs_daemon: {
    exit: 3,
    says: 'Keys that live in a forge’s CI are good for tiers 0 and 1; higher ones need people’s own signatures.',
    next: SIGNED,
    inIssue: SIGNED_ELSEWHERE,
  },
  capability_unavailable: {
    exit: 3,
    says: 'The mission asks for something that is not offered here.',
    next: 'ask for something that is offered here; what is not is named',
    inIssue: 'edit the issue, and ask for something that is offered here',
  },
  ref_moved: { exit: 5, says: 'The base is no longer what was approved.', next: 'lazarus plan <mission>' },
  nothing_done: {
    exit: 1,
    says: 'Nothing was done that could be accepted.',
    next: STORY,
    inIssue: 'say more exactly what is to be done, and file the form again',
  },
  work_exists: { exit: 5, says: 'The attempt has its work already.', next: STATUS },
  verdict_exists: { exit: 5, says: 'The work has been verified already.', next: STATUS },
  verdict_unfounded: { exit: 6, says: 'A verdict does not follow from the checks behind it.', next: EVENT },
  branch_taken: { exit: 5, says: 'A branch of this name points elsewhere already.', next: 'git branch --all' },
  effect_refused: {
    exit: 1,
    says: 'An effect was carried out, and looking afterwards it was not there.',
    next: STATUS,
  },
  effect_unavailable: {
    exit: 9,
    says: 'Nothing here can carry out this effect.',
    next: 'let the forge’s own jobs deliver it, or propose it without this effect',
  },
  effects_planned: { exit: 5, says: 'These very effects have been computed already.', next: STATUS },
  effect_exists: { exit: 5, says: 'The effect is intended already.', next: STATUS },
  effect_unknown: { exit: 5, says: 'No such effect is open.', next: STATUS },
  effect_unplanned: { exit: 3, says: 'The effect is not among those that were planned.', next: STORY },
  effect_missing: { exit: 3, says: 'An effect that was planned has not happened.', next: 'lazarus reconcile' },
  effect_settled: { exit: 5, says: 'The outcome of the effect is known already.', next: STATUS },
  receipt_missing: { exit: 3, says: 'Something that was caused has no receipt yet.', next: 'lazarus reconcile' },
  receipt_mismatch: {
    exit: 3,
    says: 'The receipt does not say what was observed, or names what was not used.',
    next: STORY,
  },
  receipt_subject_unknown: {
    exit: 3,
    says: 'The receipt is about nothing that was asked for, run, agreed to or caused.',
    next: STORY,
  },
  receipt_exists: { exit: 5, says: 'This has its receipt already.', next: STATUS },
  id_repeated: { exit: 5, says: 'Something else has this id already.', next: 'use an id that nothing else has' },

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
    inIssue: 'file the form again, and say in the goal that these paths stay as they are',
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
    next: 'see that the disk has space left, then: lazarus run <mission>',
    inIssue: RUNNER,
  },
  cell_timeout: {
    exit: 8,
    says: 'The cell was still running when its time was up, and was killed.',
    next: 'give it more minutes or a smaller goal: lazarus propose --example',
    inIssue: 'file the form again, with more minutes or a smaller goal',
  },
  cell_output_limit: {
    exit: 8,
    says: 'The cell printed more than it may, and was killed.',
    next: 'give it a smaller goal: lazarus propose --example',
    inIssue: 'file the form again, with a smaller goal',
  },
  cell_memory_limit: {
    exit: 8,
    says: 'The cell used more memory than it may, and was killed.',
    next: 'give it a smaller goal: lazarus propose --example',
    inIssue: 'file the form again, with a smaller goal',
  },
  cell_disk_limit: {
    exit: 8,
    says: 'The cell filled more of the disk than it may, and was killed.',
    next: 'give it a smaller goal: lazarus propose --example',
    inIssue: 'file the form again, with a smaller goal',
  },
  cell_running: {
    exit: 5,
    says: 'The cell is still running; its work is taken when it has ended.',
    next: 'lazarus watch <mission>',
  },
  cell_residue: {
    exit: 9,
    says: 'Something of a cell was left behind after it was closed.',
    next: 'lazarus run <mission>, which sweeps up first; what stays then is for you to delete',
  },
  work_refused: {
    exit: 6,
    says: 'What the cell left cannot become a commit; no reference moved.',
    next: STORY,
    inIssue: REFILE,
  },
  work_too_large: {
    exit: 8,
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

  // spawn manifests
  manifest_malformed: { exit: 6, says: 'This is not a spawn manifest in canonical form.', next: EVENT },
  manifest_tampered: { exit: 6, says: 'A spawn manifest is not the one that was signed.', next: EVENT },
  manifest_signer_wrong: { exit: 6, says: 'A spawn manifest was not signed by the parent of the seed.', next: EVENT },
  manifest_signature_bad: { exit: 6, says: 'The signature of a spawn manifest is not good.', next: EVENT },
  manifest_elsewhere: {
    exit: 6,
    says: 'A spawn manifest belongs to another project, mission, plan, host or cell.',
    next: EVENT,
  },
  manifest_ttl_invalid: {
    exit: 6,
    says: 'A spawn manifest promises a time that is empty or longer than allowed.',
    next: EVENT,
  },
  manifest_expired: {
    exit: 6,
    says: 'A spawn manifest has expired; a new one has to be signed.',
    next: 'lazarus run <mission>',
  },
  manifest_not_yet_valid: {
    exit: 6,
    says: 'A spawn manifest begins in the future of this machine’s clock.',
    next: 'set the clock of this computer',
    inIssue: 'whoever keeps the runner sets its clock',
  },
  manifest_capability_beyond: {
    exit: 8,
    says: 'A spawn manifest asks for more than the policy allows.',
    next: 'lazarus policy show',
  },
} as const satisfies Record<string, Reason>;

export type ReasonCode = keyof typeof REASONS;

/** Facts that belong to a reason: plain data, no secret, no free text of strangers. */
export type Facts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
