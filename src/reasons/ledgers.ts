// Reason codes about ledgers: events, the rules of the record, rosters and keys, integrity.
import { STATUS, REPAIR, NOTHING, EVENT, ROSTER, DRAFT, type Reason } from './reason.ts';

export const LEDGERS = {
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
    inIssue:
      'whoever stopped it, or a root, types at a terminal: lazarus unstop; a form that was filed meanwhile is heard then',
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
    says: 'The roster has ended the signing key, or it counts only later.',
    next: 'bring the newer key here: lazarus keys import <file>; until when each of yours counts: lazarus keys list',
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
} as const satisfies Record<string, Reason>;
