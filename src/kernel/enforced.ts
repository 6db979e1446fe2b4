// The rules against members who lie, by name, so that a walk of adversaries can switch one off and show what it keeps out.
// In the product all of them hold, always: only a test puts another file in the place of this one.
export type RuleAgainstLies =
  // who asks and who agrees
  | 'proposer_is_signer'
  | 'proposer_persons_kept'
  | 'quorum_within_reach'
  | 'tier_covers_classes'
  | 'no_votes_carried_at_tier_3'
  | 'signed_proposal_at_tier_3'
  | 'actor_on_roster'
  | 'run_grant_once'
  // stopping it
  | 'stopped_by_those_concerned'
  | 'nothing_begins_once_cancelled'
  | 'unheld_by_those_who_may'
  | 'nothing_begins_while_held'
  // whose work it is
  | 'task_moves_under_lease'
  | 'unbegun_blames_the_runner'
  | 'checks_as_planned'
  | 'birth_as_probed'
  | 'reach_as_granted'
  // what is caused and receipted
  | 'effects_from_computed_set'
  | 'one_intent_per_effect'
  | 'policy_result_final'
  | 'done_covers_every_ask'
  | 'receipt_subject_known'
  | 'receipt_once'
  | 'receipt_names_what_was_used'
  | 'receipt_class_by_role'
  | 'settlement_receipted'
  | 'ids_drawn_once'
  // why it happened
  | 'cause_known'
  | 'correlation_of_ingress'
  | 'effect_key_is_request'
  // what came in
  | 'source_heard_once'
  // the ledger itself
  | 'halt_of_a_root_stands'
  | 'seal_by_threshold'
  | 'repair_keeps_valid_repairs';

export function enforced(_rule: RuleAgainstLies): boolean {
  return true;
}
