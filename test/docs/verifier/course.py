"""Section 10 of docs/ledger-format.md, "The course of a mission": what is asked for, who agreed, who works, what is owed."""
from basics import jcs, need, sha
from events import CLASS_OF
from roster import person

ENDS = ('failed', 'cancelled', 'superseded')
OVER = ENDS + ('succeeded',)
NEXT = {
    'created': 'awaiting_policy', 'awaiting_policy': 'awaiting_approval authorized', 'awaiting_approval': 'authorized awaiting_policy',
    'authorized': 'leased executing awaiting_approval awaiting_policy', 'leased': 'compiling_context executing awaiting_approval authorized',
    'compiling_context': 'reasoning executing', 'reasoning': 'executing awaiting_policy', 'executing': 'observing awaiting_policy awaiting_approval',
    'observing': 'receipt_pending executing awaiting_policy awaiting_approval', 'receipt_pending': 'succeeded executing observing awaiting_policy',
}
RESULT_OF = dict(applied='succeeded', refused='refused', failed='failed', unknown_outcome='unknown_outcome')
QUORUM_LEAST = (0, 1, 2, 2)
GROWS = ('mission.proposed', 'plan.computed', 'action.requested', 'vote.cast', 'grant.issued', 'effects.computed', 'effect.intended')
BLANK = dict(plan=None, former_plan=None, step=None, attempt=None, requests={}, approvals={}, grants={}, fence=0, lease=None, cell=None, effects={},
             receipts=0, anchor=None, end=None)


def follow(state, event, member):
    kind, course = event['event_type'], state.get('course')
    if kind == 'ingress.recorded':
        return state
    need(not course or course['end'] is None, 'mission_over')
    need(course or kind == 'mission.proposed', 'nothing_proposed')
    return dict(state, course=RULES[kind](At(state, event, member), course, event['payload']))


def digest(line, document):
    return sha(line.encode() + b'\n' + jcs(document)).hex()


def without(records, drop):
    return {name: one for name, one in records.items() if not drop(name, one)}


def grants_left(c, *approvals):
    return without(c['grants'], lambda _, grant: grant['approval'] in approvals)


class At:
    """One event met by the course as it stands: what the rules have in common."""

    def __init__(self, state, event, member):
        self.state, self.event, self.member, self.course = state, event, member, state.get('course')
        self.id, self.now, self.roster = event['entity_id'], event['occurred_at'], state['roster']

    def about(self):
        attempt, step, event = self.course['attempt'], self.course['step'], self.event
        need(attempt and step and (event.get('attempt_id'), event.get('step_id'), event['task_id']) == (attempt['id'], step['id'], step['task']), 'attempt_stale')
        need(attempt['status'] not in OVER, 'attempt_over')
        return attempt

    def move(self, course, status, **changes):
        attempt = self.about()
        before = attempt['status']
        need(status == before or status in ENDS or status in NEXT[before].split(), 'attempt_transition_illegal')
        return dict(course, attempt=dict(attempt, status=status, **changes))

    def plan(self):
        plan = self.course['plan']
        need(plan, 'plan_missing')
        need(plan['revision'] == self.course['revision'], 'revision_stale')
        return plan

    def under(self, fence):
        lease = self.course['lease']
        need(lease and lease['fence'] == fence, 'lease_lost')
        need(lease['holder'] == self.member['principal_id'], 'lease_held')
        need(self.now <= lease['expires_at'], 'lease_lost')
        return lease

    def has_role(self, role):
        need(role in self.member['roles'], 'role_not_allowed')

    def found(self, principal):
        return next((member for member in self.roster['members'] if member['principal_id'] == principal), None)

    def is_person(self, member):
        return 'person' in member['roles'] and member['principal_type'] == 'user'

    def proposes(self, member):
        named = [known for one in self.course['proposers'] for known in self.roster['members']
                 if known['principal_id'] == one['principal_id'] or one['forge_user_id'] is not None and known['forge_user_id'] == one['forge_user_id']]
        return person(member) in map(person, named)

    def why_no_voter(self, principal):
        member, tier = self.found(principal), self.course['plan']['tier']
        if not member or not self.is_person(member):
            return 'not_authorised'
        alone = len({person(one) for one in self.roster['members'] if self.is_person(one)}) == 1 and tier <= 1
        return None if tier == 0 or not self.proposes(member) or alone else 'self_approval'

    def word(self, member, forge):
        own = self.member['principal_id'] == member['principal_id']
        relayed = forge and 'gate' in self.member['roles'] and forge['user_id'] == member['forge_user_id']
        need(own if forge is None else relayed, 'actor_mismatch')

    def tally(self, votes):
        standing = [vote for vote in votes if not self.why_no_voter(vote['principal'])]
        approving = [vote for vote in standing if vote['choice'] == 'approve' and (self.course['plan']['tier'] < 3 or vote['signed'])]
        missing = self.course['plan']['quorum'] - len({person(self.found(vote['principal'])) for vote in approving})
        return approving, any(vote['choice'] == 'reject' for vote in standing), max(0, missing)

    def use(self, name):
        grant = self.course['grants'].get(name)
        need(grant, 'grant_missing')
        need(grant['to'] == self.member['principal_id'] or grant['to'] == 'runners' and grant['action_class'] == 'execute_command', 'grant_mismatch')
        need(self.now <= grant['expires_at'], 'grant_expired')
        approval = self.course['approvals'].get(grant['approval'])
        need(not approval or self.now <= approval['expires_at'], 'approval_expired')
        left = dict(grant, uses_left=grant['uses_left'] - 1)
        return {**self.course['grants'], name: left} if left['uses_left'] else without(self.course['grants'], lambda one, _: one == name)


def under_way(c):
    waiting = ('created', 'awaiting_policy', 'awaiting_approval', 'authorized', 'superseded')
    return bool(c['lease'] or c['effects'] or c['attempt'] and c['attempt']['status'] not in waiting)


def fallen(c):
    attempt = c['attempt']
    if attempt and attempt['status'] in ('awaiting_approval', 'authorized'):
        attempt = dict(attempt, status='awaiting_policy')
    return dict(c, attempt=attempt, requests={}, grants={}, approvals={name: dict(one, granted=False) for name, one in c['approvals'].items()})


def propose(at, c, p):
    need(p['revision'] == (c['revision'] if c else 0) + 1, 'revision_stale')
    words = dict(revision=p['revision'], proposal=p['proposal'], proposers=p['proposers'])
    if not c:
        return dict(BLANK, **words)
    need(not under_way(c), 'mission_under_way')
    need(all(one in p['proposers'] for one in c['proposers']), 'proposer_forgotten')
    return dict(fallen(c), **words)


def compute_plan(at, c, p):
    need(not under_way(c), 'mission_under_way')
    need((p['revision'], p['proposal']) == (c['revision'], c['proposal']), 'revision_stale')
    need(p['roster_n'] == at.roster['n'], 'plan_stale')
    terms = {name: value for name, value in p.items() if name != 'plan_digest'}
    need(p['plan_digest'] == digest('lazarus plan v1', dict(terms, mission_id=at.state['ledger_id'])), 'plan_digest_mismatch')
    need(p['quorum'] >= QUORUM_LEAST[p['tier']], 'quorum_too_small')
    return dict(fallen(c), plan=p, former_plan=c['plan'])


def end_mission(at, c, p):
    status = c['attempt'] and c['attempt']['status']
    need(p['outcome'] != 'done' or status == 'succeeded', 'receipt_missing')
    need(status is None or status in OVER, 'mission_under_way')
    need(not c['effects'], 'receipt_missing')
    need(not c['cell'] and not c['lease'], 'mission_under_way')
    return dict(c, approvals={}, requests={}, grants={}, end=p)


def anchor(at, c, p):
    return dict(c, anchor=dict(comment_id=p['comment_id'], issue=p['issue']))


def create_step(at, c, p):
    need(not c['step'], 'step_exists')
    return dict(c, step=dict(id=at.id, task=at.event['task_id'], max_attempts=p['max_attempts']))


def create_attempt(at, c, p):
    step, last, event = c['step'], c['attempt'], at.event
    need(step and (event.get('step_id'), event.get('attempt_id'), event['task_id']) == (step['id'], at.id, step['task']), 'event_malformed')
    need(not last or last['status'] in OVER, 'attempt_open')
    need((p['attempt_no'], p['resume_from_ref']) == ((last['no'] + 1, last['id']) if last else (1, None)), 'attempt_stale')
    need(p['attempt_no'] <= step['max_attempts'], 'attempts_exhausted')
    attempt = dict(id=at.id, no=p['attempt_no'], status='created', because=None, work=None, verdict=None, planned=None)
    return dict(c, attempt=attempt, requests={}, grants={})


def end_attempt(at, c, p):
    need(not c['cell'], 'cell_open')
    status = at.event['event_type'].split('.')[1]
    if status == 'succeeded':
        attempt = at.about()
        need(attempt['work'] and attempt['verdict'] == 'satisfied', 'nothing_done')
    need(not c['effects'], 'receipt_missing')
    if status == 'succeeded':
        need(all(one['outcome'] == 'applied' for one in (attempt['planned'] or {}).get('effects', [])), 'effect_missing')
    return at.move(dict(c, requests={}, grants={}), status, **p)


def request(at, c, p):
    need(at.id not in c['requests'], 'action_exists')
    need(p['kind'] is None or CLASS_OF[p['kind']] == p['action_class'], 'event_malformed')
    need(len(c['requests']) < 64, 'limit_reached')
    one = dict(action_class=p['action_class'], kind=p['kind'], targets=p['target_resources'], params_ref=p['params_ref'], policy=None)
    after = dict(c, requests={**c['requests'], at.id: one})
    return at.move(after, 'awaiting_policy') if at.about()['status'] == 'created' else after


def evaluate(at, c, p):
    name = p['action_request_ref']
    need(name in c['requests'], 'action_unknown')
    need(at.plan()['policy'] == p['policy'], 'policy_drifted')
    return dict(c, requests={**c['requests'], name: dict(c['requests'][name], policy=dict(ref=at.id, result=p['result']))})


def shrunk(before, after):
    asked = {one['ask'] for one in before['asks']}
    return (all(after[name] == before[name] for name in ('terms', 'base_commit', 'roster_n', 'backend'))
            and after['policy']['digest'] == before['policy']['digest'] and after['level'] >= before['level']
            and all(after[name] <= before[name] for name in ('tier', 'quorum', 'budget_minutes', 'ttl_minutes'))
            and set(after['paths']) <= set(before['paths']) and {one['ask'] for one in after['asks']} <= asked)


def carried(c, p):
    former, plan = c['approvals'].get(p['carries']), c['plan']
    need(former and former['type'] == p['approval_type'], 'approval_unknown')
    need(p['expires_at'] <= former['expires_at'], 'approval_expired')
    if former['digest'] != plan['plan_digest']:
        before = c['former_plan']
        need(before and before['plan_digest'] == former['digest'] and shrunk(before, plan), 'approval_stale')
    return former['votes']


def ask_approval(at, c, p):
    plan, planned = at.plan(), c['attempt'] and c['attempt']['planned']
    need(p['digest'] == (plan['plan_digest'] if p['approval_type'] == 'plan' else planned and planned['digest']), 'digest_unknown')
    need(p['requested_action_ref'] in c['requests'], 'action_unknown')
    need(at.id not in c['approvals'], 'approval_exists')
    need(p['expires_at'] > at.now, 'approval_expired')
    votes = [] if p['carries'] is None else carried(c, p)
    former = [name for name, one in c['approvals'].items() if one['type'] == p['approval_type']]
    one = dict(type=p['approval_type'], digest=p['digest'], request=p['requested_action_ref'], granted=False, expires_at=p['expires_at'], votes=votes)
    approvals = {**without(c['approvals'], lambda name, _: name in former), at.id: one}
    return at.move(dict(c, approvals=approvals, grants=grants_left(c, *former), former_plan=None), 'awaiting_approval')


def open_approval(at, c, name, wanted):
    one = c['approvals'].get(name)
    need(one, 'approval_unknown')
    need(wanted == one['digest'], 'approval_stale')
    need(not one['granted'], 'approval_settled')
    need(at.now <= one['expires_at'], 'approval_expired')
    at.plan()
    return one


def vote(at, c, p):
    name, actor = p['approval_id'], at.event['actor_id']
    one = open_approval(at, c, name, p['digest'])
    why = at.why_no_voter(actor)
    need(not why, why)
    member = at.found(actor)
    at.word(member, p['forge'])
    mine = dict(id=at.id, person=person(member), principal=actor, choice=p['choice'], signed=p['forge'] is None)
    others = [other for other in one['votes'] if other['person'] != mine['person']]
    need(len(others) < 64, 'limit_reached')
    return dict(c, approvals={**c['approvals'], name: dict(one, votes=others + [mine])})


def withdraw(at, c, p):
    name, actor = p['approval_id'], at.event['actor_id']
    one, attempt = c['approvals'].get(name), c['attempt']
    need(one, 'approval_unknown')
    need(not one['granted'] or not c['lease'] and attempt and attempt['status'] == 'authorized' and not attempt['work'], 'mission_under_way')
    mine = next((other for other in one['votes'] if other['principal'] == actor), None)
    need(mine, 'vote_missing')
    need(at.found(actor), 'not_authorised')
    at.word(at.found(actor), p['forge'])
    after = dict(c, approvals={**c['approvals'], name: dict(one, granted=False, votes=[other for other in one['votes'] if other is not mine])})
    return at.move(dict(after, grants=grants_left(c, name)), 'awaiting_approval') if one['granted'] else after


def grant_approval(at, c, p):
    one = open_approval(at, c, at.id, p['digest'])
    approving, rejected, missing = at.tally(one['votes'])
    need(not rejected, 'rejected')
    need(not missing, 'quorum_missing')
    own = c['plan']['tier'] > 0 and any(at.proposes(at.found(mine['principal'])) for mine in approving)
    need(p['votes'] == [mine['id'] for mine in approving] and p['self_approved'] == own, 'event_malformed')
    return at.move(dict(c, approvals={**c['approvals'], at.id: dict(one, granted=True)}), 'authorized')


def end_approval(at, c, p):
    one = c['approvals'].get(at.id)
    need(one, 'approval_unknown')
    need(at.event['event_type'] != 'approval.expired' or at.now > one['expires_at'], 'approval_settled')
    return dict(c, approvals=without(c['approvals'], lambda name, _: name == at.id), grants=grants_left(c, at.id))


def check_authority(at, c, name, ref):
    asked, plan, attempt = c['requests'][name], at.plan(), c['attempt']
    result = asked['policy'] and asked['policy']['result']
    need(result in ('allow', 'require_approval') and asked['action_class'] != 'payment_or_spending', 'policy_refused')
    one, planned = c['approvals'].get(ref), attempt['planned']
    need(asked['kind'] is None or plan['tier'] < 2 or one and one['type'] == 'effects', 'effects_approval_missing')
    if ref is None:
        at_work = asked['kind'] and asked['params_ref'] and c['lease'] and attempt['status'] in ('executing', 'observing', 'receipt_pending')
        need(result == 'allow' and (plan['quorum'] == 0 or at_work), 'quorum_missing')
        return
    need(one, 'approval_unknown')
    need(one['granted'], 'quorum_missing')
    need(at.now <= one['expires_at'], 'approval_expired')
    exact = one['type'] == 'effects'
    need(one['digest'] == (planned and planned['digest'] if exact else plan['plan_digest']), 'approval_stale')
    listed = any(effect['request'] == name for effect in planned['effects']) if exact else asked['kind'] in [None] + [one['kind'] for one in plan['asks']]
    need(listed, 'effect_unplanned')
    need(not at.tally(one['votes'])[2], 'quorum_missing')


def issue_grant(at, c, p):
    status, name = at.about()['status'], p['action_request_ref']
    asked = c['requests'].get(name)
    need(asked, 'action_unknown')
    need(p['action_class'] == asked['action_class'] and asked['policy'] and p['policy_result_ref'] == asked['policy']['ref'], 'grant_mismatch')
    if p['action_class'] != 'execute_command':
        at.has_role('writer')
    need(all(one in asked['targets'] for one in p['resource_scope']), 'grant_mismatch')
    check_authority(at, c, name, p['approval_ref'])
    need(all(one['request'] != name for one in c['grants'].values()), 'grant_exists')
    need(all(one['request'] != name for one in c['effects'].values()), 'effect_exists')
    need(len(c['grants']) < 64, 'limit_reached')
    grant = dict(request=name, action_class=p['action_class'], approval=p['approval_ref'], to=p['issued_to_principal_id'], scope=p['resource_scope'],
                 uses_left=p['max_uses'], expires_at=p['expires_at'])
    after = dict(c, grants={**c['grants'], at.id: grant})
    return at.move(after, 'authorized') if status == 'awaiting_policy' else after


def revoke_grant(at, c, p):
    need(at.id in c['grants'], 'grant_missing')
    return dict(c, grants=without(c['grants'], lambda name, _: name == at.id))


def acquire(at, c, p):
    at.about()
    need(not c['lease'], 'lease_held')
    need(p['fence'] == c['fence'] + 1, 'fence_stale')
    need(p['holder_principal_id'] == at.member['principal_id'], 'actor_mismatch')
    need(p['expires_at'] > at.now, 'lease_lost')
    isolated = p['mode'] == 'isolated'
    at.has_role('runner' if isolated else 'writer')
    lease = dict(id=at.id, fence=p['fence'], holder=p['holder_principal_id'], mode=p['mode'], expires_at=p['expires_at'])
    after = dict(c, fence=p['fence'], lease=lease)
    return at.move(after, 'leased') if isolated else after


def release(at, c, p):
    need(c['lease'] and c['lease']['fence'] == p['fence'], 'lease_lost')
    need(c['lease']['holder'] == at.member['principal_id'], 'lease_held')
    return dict(c, lease=None)


def expire(at, c, p):
    need(c['lease'] and c['lease']['fence'] == p['fence'], 'lease_lost')
    need(at.now > c['lease']['expires_at'], 'lease_held')
    return dict(c, lease=None)


def compile_context(at, c, p):
    at.under(c['fence'])
    return at.move(c, 'compiling_context')


def spawn(at, c, p):
    need(at.under(p['fence'])['mode'] == 'isolated', 'lease_lost')
    need(not c['cell'], 'cell_open')
    need(p['backend'] == c['plan']['backend'] and p['level'] >= c['plan']['level'], 'level_unmet')
    need(c['grants'].get(p['grant_id'], {}).get('action_class') == 'execute_command', 'grant_missing')
    cell = dict(id=at.id, seed=p['seed_id'], epoch=p['epoch'], level=p['level'], manifest_hash=p['manifest_hash'])
    return at.move(dict(c, grants=at.use(p['grant_id']), cell=cell), 'executing')


def close(at, c, p):
    need(c['cell'] and c['cell']['id'] == at.id, 'cell_unknown')
    need(not c['lease'] or c['lease']['fence'] == p['fence'], 'fence_stale')
    need(not c['lease'] or c['lease']['holder'] == at.member['principal_id'], 'lease_held')
    return dict(c, cell=None)


def hear(at, c, p):
    at.about()
    at.under(p['fence'])
    return c


def propose_work(at, c, p):
    at.under(p['fence'])
    need(c['attempt'] and not c['attempt']['work'], 'work_exists')
    need(p['base_commit'] == c['plan']['base_commit'], 'ref_moved')
    need(p['changed_paths'] > 0, 'nothing_done')
    return at.move(c, 'observing', work=dict(commit=p['commit'], tree=p['tree'], base_commit=p['base_commit']))


def verified(at, c, p):
    at.under(p['fence'])
    attempt, checks = c['attempt'], p['checks']
    need(attempt and attempt['work'] and attempt['work']['commit'] == p['revision'], 'revision_stale')
    need(not attempt['verdict'], 'verdict_exists')
    passed = all(check['exit_code'] == 0 for check in checks) and any(check['check'] == 'verify' for check in checks)
    need((p['verdict'] == 'satisfied') == passed, 'verdict_unfounded')
    need(all(check['level'] >= c['plan']['level'] for check in checks), 'level_unmet')
    return at.move(c, 'observing', verdict=p['verdict'])


def compute_effects(at, c, p):
    attempt, effects = c['attempt'], p['effects']
    need(attempt and attempt['work'] and attempt['verdict'] == 'satisfied', 'nothing_done')
    need(not attempt['planned'], 'effects_planned')
    document = dict(mission_id=at.state['ledger_id'], attempt_id=attempt['id'], commit=attempt['work']['commit'], effects=effects)
    need(p['effects_digest'] == digest('lazarus effects v1', document), 'plan_digest_mismatch')
    need(all(c['requests'].get(one['action_request_ref'], {}).get('kind') == one['kind'] for one in effects), 'effect_unplanned')
    need(len({one['action_request_ref'] for one in effects}) == len(effects), 'effect_exists')
    listed = [dict(request=one['action_request_ref'], kind=one['kind'], effect=one['effect'], outcome=None) for one in effects]
    return at.move(c, 'observing', planned=dict(digest=p['effects_digest'], params_ref=p['params_ref'], effects=listed))


def foreseen(c, name, p):
    planned = next((one for one in (c['attempt']['planned'] or {}).get('effects', []) if one['request'] == name), None)
    if planned:
        return (planned['kind'], planned['effect']) == (p['kind'], p['effect']) and planned['outcome'] != 'applied'
    asked = c['requests'].get(name)
    return bool(asked) and (asked['kind'], asked['params_ref']) == (p['kind'], p['params_ref'])


def intend(at, c, p):
    need(at.under(p['fence'])['mode'] == 'mutable', 'lease_lost')
    need(at.id not in c['effects'], 'effect_exists')
    need(len(c['effects']) < 64, 'limit_reached')
    grant = c['grants'].get(p['grant_id'])
    need(grant, 'grant_missing')
    need(foreseen(c, grant['request'], p), 'effect_unplanned')
    need(p['target'] in grant['scope'], 'grant_mismatch')
    need(all(one['request'] != grant['request'] for one in c['effects'].values()), 'effect_exists')
    need(p['witness']['base_commit'] == c['plan']['base_commit'], 'ref_moved')
    effect = dict(kind=p['kind'], effect=p['effect'], target=p['target'], params_ref=p['params_ref'], request=grant['request'], outcome=None)
    return at.move(dict(c, grants=at.use(p['grant_id']), effects={**c['effects'], at.id: effect}), 'executing')


def observe(at, c, p):
    at.under(p['fence'])
    effect = c['effects'].get(at.id)
    need(effect, 'effect_unknown')
    need(effect['outcome'] in (None, 'unknown_outcome'), 'effect_settled')
    after = dict(c, effects={**c['effects'], at.id: dict(effect, outcome=p['outcome'])})
    return after if any(one['outcome'] is None for one in after['effects'].values()) else at.move(after, 'observing')


def receipt(at, c, p):
    name, after = p['subject_ref'], dict(c, receipts=c['receipts'] + 1)
    effect = c['effects'].get(name)
    if not effect:
        return after
    at.has_role('writer')
    outcome, asked = effect['outcome'], effect['request']
    need(outcome and p['result_code'] == RESULT_OF[outcome] and p['action_request_ref'] == asked, 'receipt_mismatch')
    if outcome == 'unknown_outcome':
        return after
    planned = c['attempt']['planned']
    if planned:
        planned = dict(planned, effects=[dict(one, outcome=outcome) if one['request'] == asked else one for one in planned['effects']])
    after = dict(after, effects=without(c['effects'], lambda one, _: one == name), requests=without(c['requests'], lambda one, _: one == asked),
                 grants=without(c['grants'], lambda _, grant: grant['request'] == asked))
    return at.move(after, 'receipt_pending', planned=planned)


RULES = {
    'mission.proposed': propose, 'plan.computed': compute_plan, 'mission.ended': end_mission, 'projection.anchored': anchor, 'step.created': create_step,
    'attempt.created': create_attempt, 'attempt.succeeded': end_attempt, 'attempt.failed': end_attempt, 'attempt.cancelled': end_attempt,
    'attempt.superseded': end_attempt, 'action.requested': request, 'policy.evaluated': evaluate, 'approval.requested': ask_approval, 'vote.cast': vote,
    'vote.withdrawn': withdraw, 'approval.granted': grant_approval, 'approval.denied': end_approval, 'approval.expired': end_approval,
    'approval.invalidated': end_approval, 'grant.issued': issue_grant, 'grant.revoked': revoke_grant, 'lease.acquired': acquire, 'lease.released': release,
    'lease.expired': expire, 'context.compiled': compile_context, 'cell.spawned': spawn, 'cell.closed': close, 'done.claimed': hear, 'blocked.raised': hear,
    'work.refused': hear, 'work.proposed': propose_work, 'verification.recorded': verified, 'effects.computed': compute_effects, 'effect.intended': intend,
    'effect.observed': observe, 'receipt.issued': receipt,
}
