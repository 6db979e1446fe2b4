// Every reason code lazarus can give, with its exit code and the sentence a person reads.
// One spelling everywhere: JSON, comments, events and errors use these words. Additive only.

export type Reason = {
  /** The process exit code, as documented in the guide. */
  readonly exit: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 75 | 130;
  /** What happened and why, without facts. */
  readonly says: string;
  /** The next command to type; `<…>` is filled in by the reader. */
  readonly next?: string;
};

export const REASONS = {
  // usage and environment
  usage: { exit: 2, says: 'The command line is not understood.', next: 'lazarus --help' },
  interrupted: { exit: 130, says: 'Interrupted; nothing half-written was left behind.' },
  internal: {
    exit: 1,
    says: 'lazarus itself failed; this is a bug.',
    next: 'the same command with --verbose, and report what it prints',
  },

  file_unreadable: { exit: 7, says: 'The file cannot be read.' },
  file_unwritable: { exit: 9, says: 'The file cannot be written; nothing was left behind.' },

  // bytes
  json_malformed: { exit: 6, says: 'A text that must be JSON is not JSON.' },
  json_not_canonical: {
    exit: 6,
    says: 'A JSON text is not in canonical form (RFC 8785), so two texts could mean the same.',
  },
  clock_out_of_range: {
    exit: 9,
    says: 'This machine’s clock is before 1970 or after 2106, which no signature can state.',
    next: 'date',
  },
  json_unrepresentable: { exit: 1, says: 'A value has no canonical JSON form.' },
  frontier_invalid: { exit: 6, says: 'The hashes of a Merkle frontier do not fit its size.' },
  proof_impossible: {
    exit: 2,
    says: 'A proof was asked for a position outside the ledger.',
    next: 'lazarus ledger log',
  },

  // repository
  not_a_repository: { exit: 9, says: 'This folder is not inside a Git repository.', next: 'git init' },
  git_missing: { exit: 9, says: 'The git program was not found.', next: 'install git, at least version 2.32' },
  git_failed: { exit: 9, says: 'git refused an operation.' },
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
  index_in_use: {
    exit: 5,
    says: 'Other changes are staged; they must not go into a commit of lazarus.',
    next: 'git commit, or git stash --staged',
  },
  file_not_plain: {
    exit: 3,
    says: 'Where lazarus keeps a file there is a link, a folder or something too large; nothing was read or written there.',
    next: 'git rm it, or put a plain file there',
  },
  sha256_repository: {
    exit: 9,
    says: 'SHA-256 repositories are not supported: the ledger format names SHA-1 objects.',
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
  disk_full: { exit: 75, says: 'The disk is full; nothing was appended.' },
  folder_exists: {
    exit: 5,
    says: 'The folder exists already; nothing in it was touched.',
    next: 'name another folder',
  },
  not_writable: { exit: 9, says: 'The repository cannot be written; nothing was appended.' },
  lock_held: { exit: 75, says: 'Another process holds the lock of this reference, or died holding it.' },

  // commits
  commit_malformed: {
    exit: 6,
    says: 'A commit is not spelled the way a ledger spells commits.',
    next: 'lazarus ledger repair --help',
  },
  commit_unsigned: { exit: 6, says: 'A commit carries no signature.', next: 'lazarus ledger repair --help' },
  commit_second_signature: {
    exit: 6,
    says: 'A commit carries a second signature header: verifiers would disagree on which one counts.',
    next: 'lazarus ledger repair --help',
  },
  commit_mergetag: {
    exit: 6,
    says: 'A commit carries a merged tag, which no ledger commit does.',
    next: 'lazarus ledger repair --help',
  },
  commit_encoding: {
    exit: 6,
    says: 'A commit declares a text encoding; ledger commits are UTF-8 and say nothing.',
    next: 'lazarus ledger repair --help',
  },
  commit_unknown_header: {
    exit: 6,
    says: 'A commit carries a header that no ledger commit has.',
    next: 'lazarus ledger repair --help',
  },

  // append and remote
  head_moved: {
    exit: 5,
    says: 'Somebody else appended first; the transaction was decided again and lost again.',
    next: 'lazarus ledger log',
  },
  push_rejected: { exit: 3, says: 'The remote refused the push.' },
  push_unknown: {
    exit: 75,
    says: 'The remote’s answer was lost; whether the push landed is not known yet.',
    next: 'lazarus ledger pull',
  },
  remote_unreachable: { exit: 75, says: 'The remote did not answer.' },
  remote_protocol: { exit: 75, says: 'The remote answered with something that is not the git protocol.' },
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
  forge_unreachable: { exit: 75, says: 'The forge did not answer.' },
  forge_answer_lost: {
    exit: 75,
    says: 'The forge’s answer was lost; whether it did what was asked is not known yet.',
    next: 'lazarus reconcile',
  },
  forge_failed: { exit: 75, says: 'The forge itself failed while it answered.' },
  forge_answer_unexpected: { exit: 9, says: 'The forge answered with something that does not have the expected form.' },
  forge_redirected: {
    exit: 9,
    says: 'The forge points elsewhere; redirects are not followed, so that no credential goes astray.',
    next: 'the same command with the forge’s new address',
  },
  forge_refused: { exit: 3, says: 'The forge refused the request.' },
  forge_not_found: { exit: 7, says: 'The forge has no such thing, or the credential may not see it.' },
  forge_exists: { exit: 5, says: 'The forge has this already; nothing was changed.' },
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
  forge_key_refused: { exit: 3, says: 'The forge did not register the public key.', next: 'lazarus keys new' },

  // signatures and public keys
  armor_malformed: { exit: 6, says: 'The armored text is not exactly one block in the one accepted form.' },
  signature_malformed: { exit: 6, says: 'The signature packet is broken.' },
  signature_version: { exit: 6, says: 'The signature is not of OpenPGP version 4.' },
  signature_type: { exit: 6, says: 'The signature is of a type that does not sign bytes.' },
  signature_text_mode: {
    exit: 6,
    says: 'The signature is in text mode, which ignores line ends; only binary signatures count.',
  },
  signature_algorithm: { exit: 6, says: 'The signature is not made by an ed25519 key (algorithm 22).' },
  signature_hash_weak: { exit: 6, says: 'The signature uses a hash weaker than SHA-256.' },
  signature_critical_subpacket: {
    exit: 6,
    says: 'The signature carries a critical condition that lazarus does not know.',
  },
  signature_expires: { exit: 6, says: 'The signature carries an expiry time; a record must stay true.' },
  signature_unsigned_data: {
    exit: 6,
    says: 'The unsigned part of the signature carries more than the issuer’s key id.',
  },
  signature_trailing_bytes: { exit: 6, says: 'Bytes follow where the signature should have ended.' },
  signature_not_canonical: {
    exit: 6,
    says: 'The signature is a second spelling of another one: its S is not reduced.',
  },
  signature_prefix_wrong: { exit: 6, says: 'The signature’s digest prefix was altered.' },
  signature_issuer_wrong: { exit: 6, says: 'The signature names another key than the one it is checked against.' },
  signature_invalid: { exit: 6, says: 'The signature does not fit the signed bytes and the key.' },
  key_malformed: { exit: 6, says: 'The key is not exactly one ed25519 key, one user id and one self-signature.' },
  key_version_unsupported: { exit: 6, says: 'The key is not of OpenPGP version 4.', next: 'lazarus keys new' },
  key_algorithm_unsupported: {
    exit: 6,
    says: 'The key is not an ed25519 signing key (algorithm 22), the one kind that stock gpg and lazarus both verify.',
    next: 'lazarus keys new',
  },
  key_weak: {
    exit: 6,
    says: 'The key is a point under which anybody can forge signatures, or read what is encrypted.',
  },
  key_expires: { exit: 6, says: 'The key carries an expiry time; validity is the roster’s business.' },
  key_cannot_sign: { exit: 6, says: 'The key’s own flags do not allow it to sign.' },
  key_cannot_encrypt: { exit: 6, says: 'The key’s own flags do not allow encrypting to it.' },
  encryption_key_unbound: {
    exit: 6,
    says: 'No signing key of this member, that is on the roster and not cut off, says that the encryption key is theirs.',
    next: 'lazarus roster set <principal> --encrypt-to <key>, or none',
  },
  key_certification_invalid: { exit: 6, says: 'The key’s self-signature does not hold.' },
  key_not_found: { exit: 7, says: 'No such key here.', next: 'lazarus keys list' },
  key_exists: { exit: 5, says: 'This key is here already.', next: 'lazarus keys list' },
  key_exposed: {
    exit: 9,
    says: 'Other users of this machine can read the key file or its directory.',
    next: 'chmod -R go= <path>',
  },
  key_secret_absent: { exit: 4, says: 'The private half of the key is not here.' },
  key_unusable: { exit: 4, says: 'The key is revoked, expired or disabled.', next: 'gpg --list-secret-keys' },
  passphrase_needed: {
    exit: 4,
    says: 'The key is locked and there is no passphrase to open it with.',
    next: 'export LAZARUS_PASSPHRASE=…',
  },
  passphrase_wrong: { exit: 4, says: 'The passphrase does not open the key.' },
  passphrase_mismatch: { exit: 4, says: 'The two passphrases differ; nothing was changed.' },
  passphrase_empty: {
    exit: 2,
    says: 'An empty passphrase protects nothing; a machine’s key can be kept bare only by saying so.',
    next: 'lazarus keys new --unprotected',
  },
  gpg_missing: { exit: 9, says: 'The gpg programs were not found.', next: 'install gnupg, at least version 2.2' },
  gpg_failed: { exit: 9, says: 'gpg refused an operation.' },
  gpg_agent_refused: { exit: 4, says: 'gpg-agent did not sign.', next: 'gpg-connect-agent /bye' },

  // events
  event_too_large: {
    exit: 2,
    says: 'An event is larger than the format allows; put its payload into an artifact.',
    next: 'lazarus artifact add --help',
  },
  event_not_utf8: { exit: 6, says: 'An event is not well-formed UTF-8.' },
  event_not_canonical: { exit: 6, says: 'An event is not in canonical form (RFC 8785 plus LF, no duplicate key).' },
  event_not_integer: { exit: 6, says: 'An event holds a number that is not an integer.' },
  event_malformed: { exit: 6, says: 'An event does not have the fields its type prescribes.' },
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
  event_type_misplaced: { exit: 6, says: 'This event type does not belong into this kind of ledger.' },
  event_out_of_place: { exit: 6, says: 'This event cannot stand here: the ledger has begun already.' },
  events_missing: { exit: 6, says: 'A commit claims events that its tree does not hold.' },
  ledger_not_opened: { exit: 6, says: 'A ledger must begin with the event that opens it.' },
  ledger_sealed: { exit: 3, says: 'The ledger is sealed: nothing can be appended any more.' },
  limit_reached: { exit: 3, says: 'A limit of the ledger format is reached.' },

  // rules
  role_not_allowed: { exit: 3, says: 'The signer’s roles do not allow this event type.', next: 'lazarus roster show' },
  actor_mismatch: { exit: 3, says: 'The event names an actor that the signer may not speak for.' },
  actor_unknown: { exit: 3, says: 'The event names an actor that is not on the roster.' },
  task_unknown: { exit: 3, says: 'The ledger has no such task.' },
  task_exists: { exit: 5, says: 'The task exists already.' },
  task_transition_illegal: { exit: 3, says: 'A task in this state cannot make this step.' },
  mission_exists: { exit: 5, says: 'The mission is registered already.' },
  mission_unknown: { exit: 7, says: 'No such mission is registered and open.', next: 'lazarus ledger show project' },
  mission_without_project: { exit: 6, says: 'A mission ledger must grow out of a project ledger.' },
  mission_other_project: { exit: 6, says: 'The mission names another project than the one it grows from.' },
  mission_parent_mismatch: { exit: 6, says: 'The mission names another project head than its parent commit.' },
  path_claimed: {
    exit: 5,
    says: 'Another open mission holds a claim on one of these paths.',
    next: 'lazarus ledger show project',
  },
  claims_missing: {
    exit: 3,
    says: 'The project does not hold the paths of the plan for this mission: it was not registered with them, or let go of them.',
    next: 'lazarus status <mission>',
  },
  project_halted: {
    exit: 3,
    says: 'The project is stopped: nothing new is planned, granted, begun or delivered.',
    next: 'lazarus unstop',
  },
  halt_needs_root: {
    exit: 3,
    says: 'The policy in force leaves stopping the project, and letting it go on, to its roots.',
    next: 'lazarus roster show',
  },
  halt_of_root: {
    exit: 3,
    says: 'A root stopped the project, and only a root lets it go on.',
    next: 'lazarus roster show',
  },
  project_not_halted: { exit: 5, says: 'The project is not halted.' },

  // roster, keys, thresholds
  roster_not_canonical: { exit: 6, says: 'A roster’s lists are not sorted or not unique.' },
  roster_key_never_valid: { exit: 6, says: 'A roster key ends before it begins.' },
  roster_key_twice: { exit: 6, says: 'One key stands twice in the roster.' },
  roster_key_mislabelled: { exit: 6, says: 'A roster key does not have the fingerprint it is listed under.' },
  roster_key_user_id: { exit: 6, says: 'A roster key carries another user id than the one derived from its member.' },
  roster_threshold_unreachable: {
    exit: 3,
    says: 'Fewer persons hold a lasting root key than the threshold asks for: the roster could never be changed again.',
  },
  roster_layer_wrong: {
    exit: 3,
    says: 'A machine stands in a layer of people, L0 or L1.',
    next: 'lazarus roster set <principal> --layer L5',
  },
  roster_account_twice: { exit: 3, says: 'Two members have the same forge user id.' },
  roster_other_project: { exit: 6, says: 'The document belongs to another project.' },
  roster_replayed: {
    exit: 6,
    says: 'The roster does not have the next number: an old one is presented again, or one is missing.',
  },
  roster_not_successor: { exit: 6, says: 'The roster does not build on the one in force.' },
  roster_mismatch: { exit: 6, says: 'The commit was decided under another roster than the one in force.' },
  adoption_not_of_project: {
    exit: 6,
    says: 'What a mission adopts is no event of its project at the place named.',
    next: 'lazarus ledger log project',
  },
  roster_not_adopted: { exit: 6, says: 'The mission cites a project head with a newer roster without adopting it.' },
  threshold_not_canonical: { exit: 6, says: 'Signatures are not sorted by fingerprint, or one stands twice.' },
  threshold_signer_not_root: { exit: 6, says: 'A signature is by a key that is no root of the roster in force.' },
  threshold_signer_outside_validity: { exit: 6, says: 'A root’s key was not valid where it signed.' },
  threshold_signature_invalid: { exit: 6, says: 'A root’s signature does not verify.' },
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
  draft_mismatch: { exit: 2, says: 'The drafts are about different documents; only copies of one go together.' },
  file_exists: { exit: 5, says: 'There is a file of this name already.', next: 'the same command with --out <file>' },
  roster_member_exists: {
    exit: 5,
    says: 'The principal is on the roster already.',
    next: 'lazarus roster rotate --help',
  },
  roster_member_unknown: { exit: 7, says: 'No such principal is on the roster.', next: 'lazarus roster show' },
  roster_unchanged: { exit: 5, says: 'The roster is like this already.', next: 'lazarus roster show' },
  nothing_to_adopt: { exit: 5, says: 'The mission knows every roster and cut-off of its project already.' },
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
  agreement_refused: { exit: 1, says: 'You did not agree; nothing was done.' },
  threshold_out_of_reach: {
    exit: 8,
    says: 'Fewer persons are left who could sign this than the threshold asks for: it can never be met.',
    next: 'lazarus roster show',
  },
  statement_stale: { exit: 5, says: 'The signed document was made for another ledger or another roster.' },
  key_already_cut_off: { exit: 5, says: 'The key is cut off already.' },
  annotation_range_wrong: { exit: 2, says: 'An annotation must name events that exist, first before last.' },
  key_ambiguous: { exit: 2, says: 'More than one key fits; name the one to sign with.', next: 'lazarus keys list' },
  signer_unknown: { exit: 3, says: 'The signing key is not on the roster in force.', next: 'lazarus roster show' },
  signer_outside_validity: {
    exit: 3,
    says: 'The signing key is not valid at this index.',
    next: 'lazarus roster show',
  },
  signer_cut_off: { exit: 3, says: 'The signing key is cut off as compromised.' },

  // ledger integrity
  foreign_commit: {
    exit: 6,
    says: 'A commit on the ledger branch is no ledger commit.',
    next: 'lazarus ledger repair --help',
  },
  format_newer: {
    exit: 9,
    says: 'The ledger was written in a newer format than this version reads.',
    next: 'npm install lazarus@latest',
  },
  format_lowered: { exit: 6, says: 'The ledger’s format version goes down.' },
  trailers_malformed: { exit: 6, says: 'A commit’s trailers are not the ones its format prescribes.' },
  subject_mismatch: { exit: 6, says: 'A commit’s message is not the one that follows from its events.' },
  commit_parents: { exit: 6, says: 'A ledger commit has the wrong number of parents.' },
  commit_reparented: { exit: 6, says: 'A commit’s parent is not the commit before it.' },
  author_mismatch: { exit: 6, says: 'A commit’s author is not its signer.' },
  ledger_id_mismatch: { exit: 6, says: 'A commit claims to belong to another ledger.' },
  prev_size_mismatch: { exit: 6, says: 'A commit does not continue at the size the ledger has.' },
  prev_root_mismatch: { exit: 6, says: 'A commit does not continue from the root the ledger has.' },
  root_mismatch: { exit: 6, says: 'The Merkle root over the events is not the one that was signed.' },
  tree_mismatch: { exit: 6, says: 'A commit’s tree is not the one that follows from the events.' },
  derived_file_mismatch: { exit: 6, says: 'A derived file of the tree does not follow from the events.' },
  transaction_size: { exit: 2, says: 'A transaction holds no event or more than the format allows.' },
  transaction_duplicate: { exit: 6, says: 'A transaction stands in the ledger twice.' },
  project_head_missing: { exit: 6, says: 'A mission commit cites no project head.' },
  project_head_misplaced: { exit: 6, says: 'A project commit cites a project head.' },
  project_head_decreased: {
    exit: 6,
    says: 'A mission commit cites an older or another project head than the one before it.',
  },
  project_head_unknown: { exit: 6, says: 'A mission cites a project head that the project ledger does not have.' },
  repair_not_alone: { exit: 6, says: 'A repair must be the only event of its transaction.' },
  repair_wrong_head: { exit: 6, says: 'A repair goes on from another head than the last valid one.' },
  repair_mismatch: { exit: 6, says: 'A repair names other commits than those it leaves behind.' },
  ledger_genesis_mismatch: { exit: 6, says: 'A commit of a mission names another first commit than its ledger has.' },
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
    says: 'Something was begun under an older head of the project, and by its own date after the project was stopped.',
    next: 'lazarus ledger log <ledger>',
  },
  repair_of_valid: { exit: 6, says: 'A repair would discard a commit that verifies.' },
  repair_no_valid_head: {
    exit: 6,
    says: 'Nothing below the head of this ledger verifies, so there is no head to go on from.',
    next: 'git fetch <another clone> <ledger branch>',
  },
  repair_needless: { exit: 5, says: 'The ledger verifies: there is nothing to repair.' },
  genesis_mismatch: { exit: 6, says: 'The project’s first event is not the one that was pinned.' },
  rollback_detected: {
    exit: 6,
    says: 'The ledger is older than one seen before: somebody rolled it back.',
    next: 'lazarus ledger compare',
  },
  head_needs_history: {
    exit: 9,
    says: 'The head alone does not show the key that signed it: its owner left the roster with it.',
    next: 'lazarus verify <ledger> --mode full',
  },
  snapshot_needless: {
    exit: 5,
    says: 'The ledger has not filled a segment of 256 events yet: verifying all of it is as quick as a snapshot.',
  },
  snapshot_of_disowned: {
    exit: 6,
    says: 'The ledger holds what a cut-off key signed: nobody should rely on what it came to.',
    next: 'lazarus verify <ledger>',
  },
  cold_needs_history: {
    exit: 9,
    says: 'Appending without a clone needs a head that was verified here before.',
    next: 'lazarus ledger append without --cold, once',
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
  artifact_key_malformed: { exit: 2, says: 'This is not the key file of an artifact, whole and unchanged.' },
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
  parse_error: { exit: 2, says: 'The command is not understood; nothing in the comment was done.', next: '/help' },
  already_heard: { exit: 5, says: 'It was heard before, and counted then.', next: 'lazarus status <mission>' },
  heard_too_old: {
    exit: 5,
    says: 'Newer words were heard since, so that nobody can tell any more whether it was heard before.',
    next: 'write it again, as a new comment',
  },
  source_elsewhere: { exit: 3, says: 'It came through another issue than the one that the mission hears.' },
  source_missing: { exit: 6, says: 'What somebody said stands there without the record of where it came in.' },
  command_further_down: {
    exit: 2,
    says: 'A command stands below other text, where it is read as text; nothing was done for it.',
    next: 'write it again as the first line of a new comment, with what you want to say below it',
  },
  unknown_verb: { exit: 2, says: 'There is no such command; nothing in the comment was done.', next: '/help' },
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
    next: '/help',
  },

  // proof bundles
  bundle_too_large: { exit: 6, says: 'A proof bundle is larger than the format allows.' },
  bundle_malformed: { exit: 6, says: 'This is not a proof bundle, or one that does not have the prescribed form.' },
  bundle_not_canonical: {
    exit: 6,
    says: 'A proof bundle is not in canonical form (RFC 8785 plus LF): it was altered or reformatted.',
  },
  bundle_newer: {
    exit: 9,
    says: 'The proof bundle was written by a newer version of lazarus.',
    next: 'npm install lazarus@latest',
  },
  bundle_incomplete: { exit: 6, says: 'The proof bundle does not hold what it claims to prove.' },
  inclusion_invalid: { exit: 6, says: 'An event is not in the tree whose root was signed, or not at that index.' },
  consistency_invalid: { exit: 6, says: 'A signed tree head is not the continuation of the one shown before it.' },
  cosignature_invalid: { exit: 6, says: 'A co-signature is not by a key that counts, or does not fit the tree head.' },
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
  },
  mission_over: {
    exit: 3,
    says: 'The mission is over; what comes next is a new one.',
    next: 'lazarus status <mission>',
  },
  mission_cancelled: {
    exit: 3,
    says: 'The mission was cancelled: nothing new begins in it, and it ends when nothing of it runs any more.',
    next: 'lazarus status <mission>',
  },
  effects_begun: {
    exit: 3,
    says: 'An effect of the mission was begun: what was begun is finished or settled, and no longer called off.',
    next: 'lazarus reconcile <mission>',
  },
  mission_succeeded: { exit: 3, says: 'What was asked for is done; the mission can only end so.' },
  mission_running: {
    exit: 5,
    says: 'Another process on this computer is running the mission.',
    next: 'lazarus watch <mission>',
  },
  mission_disowned: {
    exit: 3,
    says: 'A key that is cut off as compromised has signed in this mission; it is held until the roots have judged that.',
    next: 'lazarus roster annotate --help',
  },
  mission_under_way: {
    exit: 5,
    says: 'The mission is being worked on: what was approved no longer changes.',
    next: 'lazarus status <mission>',
  },
  proposer_forgotten: { exit: 3, says: 'A revision leaves out somebody who had a hand in an earlier one.' },
  revision_stale: {
    exit: 5,
    says: 'It was made for another revision than the one at hand.',
    next: 'lazarus plan <mission>',
  },
  plan_missing: { exit: 3, says: 'There is no plan yet.', next: 'lazarus plan <mission>' },
  plan_stale: { exit: 5, says: 'The plan was computed under another roster.', next: 'lazarus plan <mission>' },
  plan_digest_mismatch: { exit: 6, says: 'A digest is not the one of what it stands for.' },
  proposer_missing: { exit: 3, says: 'Somebody for whom the proposal is signed does not stand among its proposers.' },
  proposer_foreign: { exit: 3, says: 'Only a gate names others as proposers, by their account on the forge.' },
  proposer_mismatch: {
    exit: 3,
    says: 'A proposer is named otherwise than the roster has the account or the principal.',
  },
  proposal_unsigned: {
    exit: 3,
    says: 'At tier 3 whoever proposes signs the proposal; this one is a gate’s word.',
    next: 'lazarus propose <file> --revise <mission>',
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
  },
  plan_not_what_follows: {
    exit: 6,
    says: 'The plan is not the one that follows from its proposal and the policy at its base.',
    next: 'lazarus plan <mission>',
  },
  policy_replayed: { exit: 5, says: 'A policy revision is not the next one.' },
  policy_drifted: { exit: 5, says: 'Policy has changed since the plan was computed.', next: 'lazarus plan <mission>' },
  policy_refused: { exit: 3, says: 'Policy does not allow it.', next: 'lazarus explain <mission>' },
  quorum_too_small: { exit: 3, says: 'The plan asks for fewer people than its tier needs.' },
  quorum_missing: {
    exit: 8,
    says: 'Not enough people have approved it yet.',
    next: 'lazarus approve <mission> <digest>',
  },
  not_authorised: { exit: 3, says: 'Only people on the roster may vote.', next: 'lazarus roster show' },
  self_approval: { exit: 3, says: 'Whoever proposed a mission may not approve it.', next: 'lazarus status <mission>' },
  digest_unknown: {
    exit: 5,
    says: 'Nothing that waits for approval has this digest.',
    next: 'lazarus status <mission>',
  },
  digest_required: { exit: 2, says: 'An approval names the digest it is for.', next: 'lazarus status <mission>' },
  approval_exists: { exit: 5, says: 'This approval has been asked for already.' },
  approval_unknown: { exit: 5, says: 'No such approval is open.', next: 'lazarus status <mission>' },
  approval_stale: {
    exit: 5,
    says: 'The vote is for another digest than the one at hand.',
    next: 'lazarus status <mission>',
  },
  votes_not_carried: {
    exit: 3,
    says: 'At tier 3 a vote is for one digest and carries over to no other.',
    next: 'lazarus status <mission>',
  },
  approval_denied: { exit: 3, says: 'Somebody who may vote denied it for good.' },
  word_unsigned: { exit: 3, says: 'At tier 3 only a person’s own signature counts.' },
  approval_settled: { exit: 5, says: 'It has been decided already.', next: 'lazarus status <mission>' },
  clock_behind: {
    exit: 3,
    says: 'The time it gives lies behind what the ledger has come to.',
    next: 'set the clock of this computer',
  },
  window_too_long: { exit: 3, says: 'It would last longer than anything of its kind may.' },
  approval_expired: { exit: 8, says: 'The time for approving it is over.', next: 'lazarus plan <mission>' },
  effects_approval_missing: {
    exit: 8,
    says: 'At this tier people approve the exact effects as well, after the run.',
    next: 'lazarus approve <mission> <digest>',
  },
  rejected: {
    exit: 8,
    says: 'Somebody rejected it; it waits until that is withdrawn or a new revision comes.',
    next: 'lazarus status <mission>',
  },
  vote_missing: { exit: 5, says: 'There is no vote of this person to withdraw.' },
  action_exists: { exit: 5, says: 'This has been asked for already.' },
  action_unknown: { exit: 3, says: 'No such action was asked for.' },
  births_exhausted: { exit: 3, says: 'The attempt has had its one cell, or is granted it already.' },
  policy_result_final: {
    exit: 5,
    says: 'Policy has answered already; its answer stands.',
    next: 'lazarus explain <mission>',
  },
  grant_exists: { exit: 5, says: 'It has been granted already.' },
  grant_missing: { exit: 3, says: 'There is no grant for it.', next: 'lazarus explain <mission>' },
  grant_mismatch: { exit: 3, says: 'It lies outside what was granted.' },
  grant_expired: { exit: 3, says: 'The grant is no longer valid.', next: 'lazarus status <mission>' },
  step_unknown: { exit: 6, says: 'The event is about no step of this mission.' },
  step_unplanned: { exit: 6, says: 'The plan has no such step at this place.' },
  several_steps: {
    exit: 5,
    says: 'A plan with more than one step is not carried out yet: on which base a step begins that depends on another is not defined.',
    next: 'lazarus propose, one mission for each step',
  },
  role_unplanned: { exit: 6, says: 'The cell was born for another role than the plan names.' },
  step_exists: { exit: 5, says: 'The step exists already.' },
  attempt_open: { exit: 5, says: 'An attempt is still open.', next: 'lazarus status <mission>' },
  attempt_over: { exit: 5, says: 'The attempt is over.', next: 'lazarus status <mission>' },
  cause_missing: { exit: 6, says: 'An event does not name what made it happen, and is not one that starts a chain.' },
  cause_unknown: {
    exit: 6,
    says: 'An event names a cause that is neither in its transaction nor moved anything that is still open.',
    next: 'lazarus explain <mission>',
  },
  cause_misplaced: { exit: 6, says: 'An event names a cause in a ledger that cannot have made it happen.' },
  correlation_mismatch: { exit: 6, says: 'An event of an attempt does not belong to what the attempt was asked for.' },
  idempotency_mismatch: { exit: 6, says: 'The key of an effect is not the request that it answers.' },
  attempt_stale: {
    exit: 5,
    says: 'It is about another attempt than the one at hand.',
    next: 'lazarus status <mission>',
  },
  attempts_exhausted: { exit: 1, says: 'The step has had all the attempts it may have.' },
  attempt_transition_illegal: { exit: 3, says: 'An attempt in this state cannot go there.' },
  lease_held: { exit: 5, says: 'Somebody else holds the lease.', next: 'lazarus status <mission>' },
  lease_lost: {
    exit: 5,
    says: 'The lease is gone: its time is over, or somebody took over.',
    next: 'lazarus status <mission>',
  },
  fence_stale: { exit: 5, says: 'The fence is not the one that counts now.', next: 'lazarus status <mission>' },
  cell_open: { exit: 5, says: 'A cell is still open.', next: 'lazarus reconcile' },
  cell_unknown: { exit: 5, says: 'No such cell is open.' },
  level_unmet: { exit: 9, says: 'The isolation that was approved cannot be had here.', next: 'install bubblewrap' },
  cell_failed: { exit: 1, says: 'The agent ended with an error.', next: 'lazarus explain <mission>' },
  agent_missing: {
    exit: 9,
    says: 'The agent’s program, or one that it starts, is not on the machine that runs cells, or cannot be executed there.',
    next: 'install it below /usr on that machine, or name another agent in .gitea/lazarus/policy.yml',
  },
  runner_lost: {
    exit: 75,
    says: 'The runner that worked on it is gone; nothing of its work counts.',
    next: 'lazarus reconcile',
  },
  runner_silent: {
    exit: 9,
    says: 'A job for the cell ended and left nothing in the ledger: its runner has no key that the roster knows, or it died before it began.',
    next: 'look into the log of the cell job; lazarus keys runner <name of the machine>, typed there, makes a key',
  },
  checks_not_planned: {
    exit: 6,
    says: 'The checks are not those of the plan, in its order, each in a cell that was born for it and has ended.',
    next: 'lazarus explain <mission>',
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
  },
  verify_failed: {
    exit: 1,
    says: 'The work did not pass its checks in a fresh cell.',
    next: 'lazarus explain <mission>',
  },
  scope_violated: {
    exit: 3,
    says: 'The work changes what it may not change; nothing of it was taken.',
    next: 'lazarus explain <mission>',
  },
  base_unknown: { exit: 7, says: 'There is no such branch or commit to work on.', next: 'git branch --all' },
  issue_misplaced: {
    exit: 6,
    says: 'What this issue points at is not a mission of this issue.',
    next: 'git ls-remote <url> refs/lazarus/issues/*',
  },
  tier_needs_daemon: {
    exit: 3,
    says: 'Keys that live in a forge’s CI are good for tiers 0 and 1; higher ones need people’s own signatures.',
    next: 'lazarus approve <mission> <digest>, on a computer of your own',
  },
  capability_unavailable: { exit: 3, says: 'What the mission asks for cannot be had here.' },
  ref_moved: { exit: 5, says: 'The base is no longer what was approved.', next: 'lazarus plan <mission>' },
  nothing_done: { exit: 1, says: 'Nothing was done that could be accepted.' },
  work_exists: { exit: 5, says: 'The attempt has its work already.' },
  verdict_exists: { exit: 5, says: 'The work has been verified already.' },
  verdict_unfounded: { exit: 6, says: 'A verdict does not follow from the checks behind it.' },
  branch_taken: { exit: 5, says: 'A branch of this name points elsewhere already.', next: 'git branch --all' },
  effect_refused: {
    exit: 1,
    says: 'An effect was caused and is not there afterwards.',
    next: 'lazarus status <mission>',
  },
  effect_unavailable: { exit: 9, says: 'Nothing here can cause this effect.' },
  effects_planned: { exit: 5, says: 'These very effects have been computed already.' },
  effect_exists: { exit: 5, says: 'The effect is intended already.' },
  effect_unknown: { exit: 5, says: 'No such effect is open.' },
  effect_unplanned: { exit: 3, says: 'The effect is none of those that were planned.' },
  effect_missing: {
    exit: 3,
    says: 'An effect that was planned has not happened.',
    next: 'lazarus reconcile',
  },
  effect_settled: { exit: 5, says: 'The outcome of the effect is known already.' },
  receipt_missing: { exit: 3, says: 'Something that was caused has no receipt yet.', next: 'lazarus reconcile' },
  receipt_mismatch: { exit: 3, says: 'The receipt does not say what was observed, or names what was not used.' },
  receipt_subject_unknown: {
    exit: 3,
    says: 'The receipt is about nothing that was asked for, run, agreed to or caused.',
  },
  receipt_exists: { exit: 5, says: 'It has its receipt already.' },
  id_repeated: { exit: 5, says: 'Something else has this id already.' },

  // the scope of a mission's changes
  glob_malformed: {
    exit: 2,
    says: 'A glob of the files owned cannot be used: plain paths, ?, *, ** as a whole step, and ! in front.',
  },
  scope_unusable: { exit: 2, says: 'The mission asks for paths that no work may change, or for none at all.' },
  outside_scope: { exit: 3, says: 'A change lies outside the files the mission owns; no branch was moved.' },
  sacred_scope: { exit: 3, says: 'A change touches a path that no mission touches; no branch was moved.' },
  sacred_unreadable: {
    exit: 9,
    says: 'The project’s sacred scopes cannot be read, so nothing may change.',
    next: 'repair .gitea/lazarus/sacred.yml on the default branch',
  },
  symlink_refused: { exit: 3, says: 'A change puts a symbolic link where a file belongs; no branch was moved.' },
  submodule_refused: { exit: 3, says: 'A change touches a submodule; no branch was moved.' },
  mode_refused: { exit: 3, says: 'A change has a file mode that no ordinary file has; no branch was moved.' },
  path_unsafe: { exit: 3, says: 'A change has a path that is dangerous to check out or to read; no branch was moved.' },
  path_case_twin: {
    exit: 3,
    says: 'Two paths differ only in upper and lower case: a case-insensitive checkout would confuse them.',
  },

  // the work contract
  done_missing: { exit: 1, says: 'The agent stopped without a done.json; its absence is never success.' },
  done_malformed: { exit: 1, says: 'The agent’s done.json does not have the fields its contract prescribes.' },
  done_verify_failed: { exit: 1, says: 'The agent claims done_clean without a verify command that exited with 0.' },
  done_regressions: { exit: 1, says: 'The agent claims done_clean and lists regressions.' },
  done_gate_missing: { exit: 1, says: 'The agent claims done_clean without every required audit gate passed.' },
  done_after_failed_ship: { exit: 1, says: 'The agent claims done_clean after a ship that failed or was frozen.' },
  done_nothing_pending: { exit: 1, says: 'The agent claims pending and names no action that is left.' },
  done_unexplained: { exit: 1, says: 'The agent claims failed and shows no error output.' },
  blocked_malformed: { exit: 1, says: 'The agent’s blocked.json does not have the fields its contract prescribes.' },
  blocked_without_fallback: {
    exit: 1,
    says: 'A block is legal only while its fallback action is being carried out.',
  },
  blocked_waiting: { exit: 1, says: 'A block is legal only if the work can go on without an answer.' },
  blocked_preference: {
    exit: 1,
    says: 'A preference is no block: decide, record the decision and proceed.',
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
  proposal_malformed: { exit: 2, says: 'The proposal does not have the fields its contract prescribes.' },
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
  },
  sandbox_unfit: {
    exit: 9,
    says: 'This machine cannot make a cell: bubblewrap is here, but a cell it made did not hold.',
    next: 'bwrap --unshare-all --ro-bind / / true',
  },
  cell_spec_invalid: { exit: 2, says: 'A cell was asked for with a name, file or folder that it must not have.' },
  cell_environment_refused: {
    exit: 2,
    says: 'A variable may not enter a cell: it could carry a credential or make a program load something.',
  },
  cell_start_failed: { exit: 9, says: 'The cell could not be started; nothing of the participant ran.' },
  cell_prepare_failed: { exit: 9, says: 'The project could not be laid out in the cell.' },
  cell_timeout: { exit: 8, says: 'The cell was still running when its time was up, and was killed.' },
  cell_output_limit: { exit: 8, says: 'The cell printed more than it may, and was killed.' },
  cell_memory_limit: { exit: 8, says: 'The cell used more memory than it may, and was killed.' },
  cell_disk_limit: { exit: 8, says: 'The cell filled more of the disk than it may, and was killed.' },
  cell_running: { exit: 5, says: 'The cell is still running; its work is taken when it has ended.' },
  cell_residue: { exit: 9, says: 'Something of a cell was left behind after it was closed.' },
  work_refused: {
    exit: 6,
    says: 'What the cell left cannot become a commit; no reference moved.',
    next: 'lazarus explain <mission>',
  },
  work_too_large: {
    exit: 8,
    says: 'What the cell left is more than work may be: too many files, too many bytes, or too long a path; none of it was taken.',
    next: 'lazarus explain <mission>',
  },
  work_holds_secret: {
    exit: 6,
    says: 'The work holds a secret of the machine it was made on; none of it was taken.',
    next: 'lazarus explain <mission>',
  },
  supervision_failed: {
    exit: 9,
    says: 'Whoever watched over the cell failed while the cell ran or its work was taken; none of it was taken.',
    next: 'lazarus explain <mission>',
  },
  path_undecodable: { exit: 6, says: 'A file name is not UTF-8, so that no rule about paths can be applied to it.' },

  // spawn manifests
  manifest_malformed: { exit: 6, says: 'This is not a spawn manifest in canonical form.' },
  manifest_tampered: { exit: 6, says: 'A spawn manifest is not the one that was signed.' },
  manifest_signer_wrong: { exit: 6, says: 'A spawn manifest was not signed by the parent of the seed.' },
  manifest_signature_bad: { exit: 6, says: 'The signature of a spawn manifest is not good.' },
  manifest_elsewhere: { exit: 6, says: 'A spawn manifest belongs to another project, mission, plan, host or cell.' },
  manifest_ttl_invalid: { exit: 6, says: 'A spawn manifest promises a time that is empty or longer than allowed.' },
  manifest_expired: { exit: 6, says: 'A spawn manifest has expired; a new one has to be signed.' },
  manifest_not_yet_valid: { exit: 6, says: 'A spawn manifest begins in the future of this machine’s clock.' },
  manifest_capability_beyond: { exit: 8, says: 'A spawn manifest asks for more than the policy allows.' },
} as const satisfies Record<string, Reason>;

export type ReasonCode = keyof typeof REASONS;

/** Facts that belong to a reason: plain data, no secret, no free text of strangers. */
export type Facts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;
