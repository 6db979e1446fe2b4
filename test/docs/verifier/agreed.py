"""Section 10 of docs/ledger-format.md, "The course of a mission": what is asked for, and who agreed to it."""
from at import digest, grants_left, without
from basics import need
from events import CLASS_OF
from roster import names, person, votes

QUORUM_LEAST = (0, 1, 2, 2)
TIER_LEAST = dict(read_local=0, network_read=0, execute_command=0, policy_override=3, payment_or_spending=3)
BLANK = dict(plan=None, former_plan=None, approvals={}, fence=0, receipts=0, owed={}, ids=[], anchor=None, cancelled=None, held=None, end=None, as_of='', steps={})


def account_and_name(one):
    return dict(forge_user_id=one['forge_user_id'], principal_id=one['principal_id'])


def with_persons(named, before, roster):
    kept = {tuple(account_and_name(one).values()): one['persons'] for one in before}
    return [dict(account_and_name(one), persons=sorted({*kept.get(tuple(account_and_name(one).values()), []),
                 *(person(m) for m in roster['members'] if names(one, m))})) for one in named]


def under_way(c):
    waiting = ('created', 'awaiting_policy', 'awaiting_approval', 'authorized', 'superseded', 'failed', 'cancelled')
    return any(one['lease'] or one['effects'] or one['attempt'] and one['attempt']['status'] not in waiting for one in c['steps'].values())


def tier_of(action_class):
    return TIER_LEAST.get(action_class, 1)


def fallen_step(step):
    attempt = step['attempt']
    if attempt and attempt['status'] in ('awaiting_approval', 'authorized'):
        attempt = dict(attempt, status='awaiting_policy')
    return dict(step, attempt=attempt, requests={}, grants={})


def fallen(c):
    return dict(c, steps={name: fallen_step(one) for name, one in c['steps'].items()}, approvals={name: dict(one, granted=False) for name, one in c['approvals'].items()})


def propose(at, c, p):
    need(p['revision'] == (c['revision'] if c else 0) + 1, 'revision_stale')
    need(not c or not under_way(c), 'mission_under_way')
    before = c['proposers'] if c else []
    known = [account_and_name(one) for one in before]
    need(all(one in p['proposers'] for one in known), 'proposer_forgotten')
    actor, signer = at.event['actor_id'], at.member
    for member in at.roster['members']:
        if votes(member) and member['principal_id'] in (actor, signer['principal_id']):
            need(any(names(one, member) for one in p['proposers']), 'proposer_missing')
    for one in p['proposers']:
        if one in known:
            continue
        account, name = one['forge_user_id'], one['principal_id']
        need(name == signer['principal_id'] or 'gate' in signer['roles'] and account is not None, 'proposer_foreign')
        has_account = next((m for m in at.roster['members'] if account is not None and m['forge_user_id'] == account), None)
        need(name is None or at.found(name), 'proposer_mismatch')
        need(account is None or has_account == at.found(name), 'proposer_mismatch')
    signed = votes(signer) and actor == signer['principal_id']
    proposers = with_persons(p['proposers'], before, at.roster)
    return dict(fallen(c) if c else BLANK, revision=p['revision'], proposal=p['proposal'], proposers=proposers, signed=signed)


def compute_plan(at, c, p):
    need(not under_way(c), 'mission_under_way')
    need((p['revision'], p['proposal']) == (c['revision'], c['proposal']), 'revision_stale')
    need(p['roster_n'] == at.roster['n'], 'plan_stale')
    terms = {name: value for name, value in p.items() if name != 'plan_digest'}
    need(p['plan_digest'] == digest('lazarus plan v1', dict(terms, mission_id=at.state['ledger_id'])), 'plan_digest_mismatch')
    need(len(p['steps']) == 1, 'several_steps')
    need(p['quorum'] >= QUORUM_LEAST[p['tier']], 'quorum_too_small')
    for ask in p['asks']:
        need(ask['kind'] is None or CLASS_OF[ask['kind']] == ask['action_class'], 'event_malformed')
        need(p['tier'] >= tier_of(ask['action_class']), 'tier_too_low')
    need(p['tier'] < 3 or c['signed'], 'proposal_unsigned')
    after = dict(fallen(c), plan=p, former_plan=c['plan'])
    at.course = after
    voters = {person(m) for m in at.roster['members'] if not at.why_no_voter(m['principal_id'])}
    need(len(voters) >= p['quorum'], 'quorum_unreachable')
    return after


def request(at, c, p):
    need(at.id not in c['requests'], 'action_exists')
    need(p['kind'] is None or CLASS_OF[p['kind']] == p['action_class'], 'event_malformed')
    need(len(c['requests']) < 64, 'limit_reached')
    need(p['kind'] is None or at.keeps_time(), 'role_not_allowed')
    one = dict(action_class=p['action_class'], kind=p['kind'], targets=p['target_resources'], params_ref=p['params_ref'], policy=None, receipted=False)
    after = dict(c, requests={**c['requests'], at.id: one})
    return at.move(after, 'awaiting_policy') if at.about()['status'] == 'created' else after


def evaluate(at, c, p):
    name = p['action_request_ref']
    need(name in c['requests'], 'action_unknown')
    need(at.plan()['policy'] == p['policy'], 'policy_drifted')
    asked = c['requests'][name]
    same = [one for one in c['requests'].values() if (one['action_class'], one['kind']) == (asked['action_class'], asked['kind'])
            and set(one['targets']) & set(asked['targets']) and one['policy'] and one['policy']['result'] == 'deny']
    need(not asked['policy'] and (p['result'] == 'deny' or not same), 'policy_result_final')
    return dict(c, requests={**c['requests'], name: dict(c['requests'][name], policy=dict(ref=at.id, result=p['result']))})


def shrunk(before, after):
    asked = {one['ask'] for one in before['asks']}
    return (all(after[name] == before[name] for name in ('terms', 'base_commit', 'roster_n', 'backend'))
            and after['policy']['digest'] == before['policy']['digest'] and after['level'] >= before['level'] and after['checks'] == before['checks']
            and all(after[name] <= before[name] for name in ('tier', 'quorum', 'budget_minutes', 'ttl_minutes'))
            and len(after['steps']) == len(before['steps']) and all(step_shrunk(*both) for both in zip(before['steps'], after['steps'])) and {one['ask'] for one in after['asks']} <= asked)


def step_shrunk(before, after):
    return (all(after[name] == before[name] for name in ('agent', 'depends_on', 'role'))
            and set(after['footprint']) <= set(before['footprint']))


def carried(c, p):
    former, plan = c['approvals'].get(p['carries']), c['plan']
    need(former and former['type'] == p['approval_type'], 'approval_unknown')
    need(plan['tier'] < 3 and (not c['former_plan'] or c['former_plan']['tier'] < 3), 'votes_not_carried')
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
    at.lasts(p['expires_at'], 30 * 24 * 60)
    votes = [] if p['carries'] is None else carried(c, p)
    step = at.event['step_id']
    former = [name for name, one in c['approvals'].items() if one['type'] == p['approval_type'] and (one['type'] == 'plan' or one['step'] == step)]
    one = dict(type=p['approval_type'], step=step, digest=p['digest'], request=p['requested_action_ref'], granted=False, expires_at=p['expires_at'], votes=votes)
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
    stands(c, [other for other in one['votes'] if other not in others], p)
    need(len(others) < 64, 'limit_reached')
    return dict(c, approvals={**c['approvals'], name: dict(one, votes=others + [mine])})


def stands(c, votes, p):
    need(not c['plan'] or c['plan']['tier'] < 3 or p['forge'] is None or not any(one['signed'] for one in votes), 'word_unsigned')


def withdraw(at, c, p):
    name, actor = p['approval_id'], at.event['actor_id']
    one, attempt = c['approvals'].get(name), c['attempt']
    need(one, 'approval_unknown')
    need(not one['granted'] or not c['lease'] and attempt and attempt['status'] == 'authorized' and not attempt['work'], 'mission_under_way')
    mine = next((other for other in one['votes'] if other['principal'] == actor), None)
    need(mine, 'vote_missing')
    need(at.found(actor), 'not_authorised')
    at.word(at.found(actor), p['forge'])
    stands(c, [mine], p)
    after = dict(c, approvals={**c['approvals'], name: dict(one, granted=False, votes=[other for other in one['votes'] if other is not mine])})
    return at.move(dict(after, grants=grants_left(c, name)), 'awaiting_approval') if one['granted'] else after


def grant_approval(at, c, p):
    one = open_approval(at, c, at.id, p['digest'])
    approving, rejected, missing = at.tally(one['votes'])
    need(not rejected, 'rejected')
    need(not missing, 'quorum_missing')
    own = c['plan']['tier'] > 0 and any(at.proposes(at.found(mine['principal'])) for mine in approving)
    need(p['votes'] == [mine['id'] for mine in approving] and p['self_approved'] == own, 'event_malformed')
    owed = {**c['owed'], at.id: dict(request=one['request'], result='succeeded')}
    return at.move(dict(c, approvals={**c['approvals'], at.id: dict(one, granted=True)}, owed=owed), 'authorized')


def deny(at, c, p):
    one = c['approvals'].get(at.id)
    need(one, 'approval_unknown')
    need(not one['granted'], 'approval_settled')
    tier, actor = at.plan()['tier'], at.event['actor_id']
    why = at.why_no_voter(actor)
    need(not why, why)
    at.word(at.found(actor), p['forge'])
    need(tier < 3 or p['forge'] is None, 'word_unsigned')
    need(not c['cells'], 'cell_open')
    need(not c['effects'], 'receipt_missing')
    owed = {**c['owed'], at.id: dict(request=one['request'], result='denied')}
    after = dict(c, grants={}, approvals=without(c['approvals'], lambda name, _: name == at.id), owed=owed)
    return at.move(after, 'cancelled', because='approval_denied')


def end_approval(at, c, p):
    one = c['approvals'].get(at.id)
    need(one, 'approval_unknown')
    need(at.event['event_type'] != 'approval.expired' or at.now > one['expires_at'], 'approval_settled')
    result = {'approval.denied': 'denied', 'approval.expired': 'expired', 'approval.invalidated': 'refused'}[at.event['event_type']]
    owed = {**c['owed'], at.id: dict(request=one['request'], result=result)}
    return dict(c, approvals=without(c['approvals'], lambda name, _: name == at.id), grants=grants_left(c, at.id), owed=owed)


def check_authority(at, c, name, ref):
    asked, plan, attempt = c['requests'][name], at.plan(), c['attempt']
    result = asked['policy'] and asked['policy']['result']
    need(result in ('allow', 'require_approval') and asked['action_class'] != 'payment_or_spending', 'policy_refused')
    need(plan['tier'] >= tier_of(asked['action_class']), 'tier_too_low')
    one, planned = c['approvals'].get(ref), attempt['planned']
    need(asked['kind'] is None or any(effect['request'] == name and effect['outcome'] is None for effect in (planned or {}).get('effects', [])), 'effect_unplanned')
    need(asked['kind'] is None or plan['tier'] < 2 or one and one['type'] == 'effects', 'effects_approval_missing')
    if ref is None:
        need(result == 'allow' and plan['quorum'] == 0, 'quorum_missing')
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
    need(not asked['receipted'], 'receipt_exists')
    need(p['action_class'] == asked['action_class'] and asked['policy'] and p['policy_result_ref'] == asked['policy']['ref'], 'grant_mismatch')
    if p['action_class'] != 'execute_command':
        at.has_role('writer')
    need(all(one in asked['targets'] for one in p['resource_scope']), 'grant_mismatch')
    check_authority(at, c, name, p['approval_ref'])
    at.lasts(p['expires_at'], 30 * 24 * 60)
    need(all(one['request'] != name for one in c['grants'].values()), 'grant_exists')
    if p['action_class'] == 'execute_command':
        open_uses = sum(one['uses_left'] for one in c['grants'].values() if one['action_class'] == 'execute_command')
        need(c['attempt']['births'] + open_uses + p['max_uses'] <= 1, 'births_exhausted')
    need(all(one['request'] != name for one in c['effects'].values()), 'effect_exists')
    need(len(c['grants']) < 64, 'limit_reached')
    grant = dict(request=name, action_class=p['action_class'], approval=p['approval_ref'], to=p['issued_to_principal_id'], scope=p['resource_scope'],
                 uses_left=p['max_uses'], expires_at=p['expires_at'])
    after = dict(c, grants={**c['grants'], at.id: grant})
    return at.move(after, 'authorized') if status == 'awaiting_policy' else after


def revoke_grant(at, c, p):
    need(at.id in c['grants'], 'grant_missing')
    return dict(c, grants=without(c['grants'], lambda name, _: name == at.id))
