"""Section 10 of docs/ledger-format.md, "The course of a mission": which rule an event meets."""
from agreed import (ask_approval, compute_plan, deny, end_approval, evaluate, grant_approval, issue_grant, propose, request, revoke_grant, vote, withdraw)
from at import At, seconds
from cancel import cancel
from basics import need
from receipts import receipt
from heard import record, take_word
from hold import hold, unhold
from worked import (acquire, anchor, close, compile_context, compute_effects, create_attempt, create_step, end_attempt, end_mission, expire, hear,
                    intend, observe, propose_work, release, settle, spawn, verified)

DRAWS = ('attempt.created', 'action.requested', 'policy.evaluated', 'approval.requested', 'vote.cast', 'grant.issued', 'cell.spawned', 'effect.intended',
         'decision.recorded', 'receipt.issued')


def follow(state, event, member, index, start):
    kind, course = event['event_type'], state.get('course')
    if kind == 'ingress.recorded':
        return record(state, event, member, index)
    need(course or kind == 'mission.proposed', 'nothing_proposed')
    at = At(state, event, member)
    if course and at.now < course['as_of']:
        need(seconds(course['as_of']) - seconds(at.now) <= 300, 'clock_behind')
    state = take_word(state, event, start)
    after = RULES[kind](at, course, event['payload']) if kind in WHOLE else in_step(at, kind)
    if kind in DRAWS:
        need(at.id not in after['ids'], 'id_repeated')
        after = dict(after, ids=(after['ids'] + [at.id])[-256:])
    return dict(state, course=dict(after, as_of=max(after['as_of'], at.now) if at.keeps_time() else after['as_of']))


def in_step(at, kind):
    """The course as the step sees it that the event is about, and back."""
    whole, event = at.course, at.event
    step = whole['steps'].get(event.get('step_id'))
    need(step and step['task'] == event['task_id'], 'step_unknown')
    at.course = {**whole, **step, 'step': step}
    after = RULES[kind](at, at.course, event['payload'])
    own = {name: after[name] for name in step}
    return {**{name: after[name] for name in whole}, 'steps': {**whole['steps'], event['step_id']: own}}


WHOLE = ('mission.proposed', 'plan.computed', 'mission.cancelled', 'mission.held', 'mission.unheld', 'mission.ended', 'projection.anchored', 'step.created')
RULES = {
    'mission.proposed': propose, 'plan.computed': compute_plan, 'mission.cancelled': cancel, 'mission.held': hold, 'mission.unheld': unhold, 'mission.ended': end_mission, 'projection.anchored': anchor, 'step.created': create_step,
    'attempt.created': create_attempt, 'attempt.succeeded': end_attempt, 'attempt.failed': end_attempt, 'attempt.cancelled': end_attempt,
    'attempt.superseded': end_attempt, 'action.requested': request, 'policy.evaluated': evaluate, 'approval.requested': ask_approval, 'vote.cast': vote,
    'vote.withdrawn': withdraw, 'approval.granted': grant_approval, 'approval.denied': deny, 'approval.expired': end_approval,
    'approval.invalidated': end_approval, 'grant.issued': issue_grant, 'grant.revoked': revoke_grant, 'lease.acquired': acquire, 'lease.released': release,
    'lease.expired': expire, 'context.compiled': compile_context, 'cell.spawned': spawn, 'cell.closed': close, 'done.claimed': hear, 'blocked.raised': hear,
    'work.refused': hear, 'work.proposed': propose_work, 'verification.recorded': verified, 'effects.computed': compute_effects, 'effect.intended': intend,
    'effect.observed': observe, 'decision.recorded': settle, 'receipt.issued': receipt,
}
