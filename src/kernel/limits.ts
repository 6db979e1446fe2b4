// Every limit of the ledger format, with its unit. A reader refuses what exceeds them, so they only ever grow with the format.

export const LEDGER_FORMAT = 1;
/** One event blob, canonical bytes plus LF. Larger payloads are artifacts, named by digest. */
export const EVENT_BYTES_MAX = 64 * 1024;
export const EVENTS_PER_TRANSACTION_MAX = 256;
/** Events per sealed tree. */
export const SEGMENT_EVENTS = 256;
/** A million segments: their names have six digits, and a seventh would sort wrongly. */
export const LEDGER_EVENTS_MAX = 1_000_000 * SEGMENT_EVENTS;
/** Transaction ids remembered with a tip, so that a retry is recognised without the whole history. */
export const RECENT_TRANSACTIONS = 256;
export const MEMBERS_MAX = 64;
export const KEYS_PER_MEMBER_MAX = 4;
export const PUBLIC_KEY_BYTES_MAX = 1024;
export const SIGNATURES_MAX = 32;
export const CUT_OFFS_MAX = 64;
export const CUT_OFF_HEADS_MAX = 64;
export const ANNOTATIONS_MAX = 256;
export const OPEN_MISSIONS_MAX = 512;
export const CLAIMS_PER_MISSION_MAX = 32;
/** What one run may name outside of its cells. */
export const REACH_MAX = 31;
/** Cells that prepare something, of one attempt: each environment once for the agent and once for the checks. */
export const PREPARES_PER_ATTEMPT_MAX = 32;
export const CLAIM_CHARACTERS_MAX = 200;
/** Longer means that whoever dispatches failed to decompose. */
export const GOAL_CHARACTERS_MAX = 200;
export const TASKS_PER_MISSION_MAX = 500;
export const ARTIFACT_BYTES_MAX = 16 * 1024 * 1024;
export const FOREIGN_COMMITS_MAX = 1_000_000;
/** What a plan can spell out; how many of them may be carried out is a rule. */
export const STEPS_PER_PLAN_MAX = 32;
export const EFFECTS_PER_ATTEMPT_MAX = 16;
export const ATTEMPTS_PER_STEP_MAX = 16;
export const OPEN_REQUESTS_MAX = 64;
export const OPEN_GRANTS_MAX = 64;
export const OPEN_EFFECTS_MAX = 64;
/** Ids and effects of a mission that are remembered, so that they do not come a second time. */
export const REMEMBERED_MAX = 256;
/** Documents that a receipt names, in and out. */
export const RECEIPT_REFS_MAX = 16;
export const PROPOSERS_MAX = 32;
export const VOTES_PER_APPROVAL_MAX = 64;
/** From the question to the end of the time for answering it. */
export const APPROVAL_HOURS_MAX = 30 * 24;
