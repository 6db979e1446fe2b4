"""Section 10 of docs/ledger-format.md, "Receipts": what each may be about, who signs it, and what it has to name."""
from at import OVER, without
from basics import need

RESULT_OF = dict(applied='succeeded', refused='refused', failed='failed', unknown_outcome='unknown_outcome')
SIGNERS = {
    'publish': dict.fromkeys(('succeeded', 'failed', 'refused', 'unknown_outcome'), 'writer'),
    'observation_resolution': dict(succeeded='writer', failed='writer'),
    'command_execution': dict(succeeded='writer', failed='runner gate', refused='runner gate writer'),
    'approval_resolution': dict(succeeded='gate person', denied='gate person writer', expired='gate writer', refused='gate person writer'),
}
NONE = dict(how='none', supported='no')
ROLLBACK_OF = dict(write_local_branch=dict(how='delete_branch', supported='yes'), push_branch=dict(how='delete_branch', supported='yes'),
                   open_pull_request=dict(how='close_pull_request', supported='partly'), post_comment=dict(how='delete_comment', supported='partly'))


def receipt(at, c, p):
    need(c['attempt'] and c['attempt']['id'] == at.event.get('attempt_id'), 'attempt_stale')
    need(set(SIGNERS.get(p['receipt_class'], {}).get(p['result_code'], '').split()) & set(at.member['roles']), 'role_not_allowed')
    name = p['subject_ref']
    after = dict(c, receipts=c['receipts'] + 1)
    if name in c['effects']:
        return effect(at, after, p, c['effects'][name])
    if name in c['runs']:
        return run(at, after, p, c['runs'][name])
    if name in c['owed']:
        settled = c['owed'][name]
        says(c, p, 'approval_resolution', [settled['result']], settled['request'], name, None, [])
        return dict(after, owed=without(c['owed'], lambda one, _: one == name))
    if name in c['approvals']:
        need(not c['approvals'][name]['granted'], 'receipt_exists')
        need(False, 'receipt_mismatch')
    if name in c['requests']:
        return request(at, after, p, c['requests'][name])
    listed = (c['attempt']['planned'] or {}).get('effects', [])
    need(not any(one['outcome'] and name in (one['intent'], one['request']) for one in listed), 'receipt_exists')
    need(False, 'receipt_subject_unknown')


def says(c, p, kind, results, asked, approval, grant, inputs, environment=None, outputs=(), only=True, rollback=None, decision=None):
    policy = c['requests'].get(asked, {}).get('policy')
    refs = dict(action_request_ref=asked, approval_ref=approval, capability_grant_ref=grant, policy_result_ref=policy and policy['ref'])
    need(p['receipt_class'] == kind and p['result_code'] in results, 'receipt_mismatch')
    need(all(p[name] == ref for name, ref in refs.items()) and p.get('decision_ref') == decision, 'receipt_mismatch')
    need(p['environment_ref'] if environment == 'named' else p['environment_ref'] == environment, 'receipt_mismatch')
    need(p['input_refs'] == inputs and p['rollback'] == (rollback or NONE), 'receipt_mismatch')
    need(p['output_refs'] == list(outputs) if only else set(outputs) <= set(p['output_refs']), 'receipt_mismatch')


def effect(at, c, p, one):
    outcome, asked = one['outcome'], one['request']
    need(outcome, 'receipt_mismatch')
    settled = 'settled_by' in one
    says(c, p, 'observation_resolution' if settled else 'publish', [RESULT_OF[outcome]], asked, one['approval'], one['grant'], [one['params_ref']], 'named',
         one.get('settled_on', []), rollback=ROLLBACK_OF[one['kind']] if outcome in ('applied', 'unknown_outcome') else None, decision=one.get('settled_by'))
    if outcome == 'unknown_outcome':
        return c
    attempt = c['attempt']
    planned = attempt['planned'] and dict(attempt['planned'], effects=[
        dict(item, outcome=outcome) if item['request'] == asked else item for item in attempt['planned']['effects']])
    applied = attempt['applied'] + [one['kind']] * (outcome == 'applied' and one['kind'] not in attempt['applied'])
    final = outcome == 'applied' or settled
    after = dict(c, effects=without(c['effects'], lambda name, _: name == p['subject_ref']), requests=without(c['requests'], lambda name, _: name == asked),
                 grants=ungranted(c, asked), caused=(c['caused'] + [one['effect']])[-256:] if final else c['caused'])
    seen = all(other['outcome'] is not None for other in after['effects'].values())
    return at.move(after, 'receipt_pending' if seen else 'executing', planned=planned, applied=applied)


def run(at, c, p, one):
    need(one['receipt'] is None, 'receipt_exists')
    closed = one['closed']
    need(closed, 'receipt_mismatch')
    verified = c['attempt']['verdict'] == 'satisfied' and closed['outcome'] != 'lost'
    says(c, p, 'command_execution', ['succeeded', 'refused'] if verified else ['failed'], one['request'], one['approval'], one['grant'], [c['plan']['plan']],
         closed['facts'], [closed['output']] if closed['output'] else [], only=False)
    theirs(at, c)
    return dict(c, runs={**c['runs'], p['subject_ref']: dict(one, receipt=p['result_code'])})


def request(at, c, p, one):
    name = p['subject_ref']
    need(not one['receipted'], 'receipt_exists')
    begun = any(other['request'] == name for other in [*c['effects'].values(), *c['runs'].values()])
    need(one['policy'] and not begun, 'receipt_mismatch')
    granted = [(grant, given['approval']) for grant, given in c['grants'].items() if given['request'] == name]
    grant, approval = granted[0] if granted else (None, None)
    if one['policy']['result'] in ('deny', 'downgrade'):
        kind, results = 'approval_resolution', ['denied']
    else:
        kind, results = ('command_execution', ['refused', 'failed']) if one['kind'] is None else ('publish', ['refused'])
    says(c, p, kind, results, name, approval, grant, [c['plan']['plan']])
    theirs(at, c)
    return dict(c, requests={**c['requests'], name: dict(one, receipted=True)})


def theirs(at, c):
    own = c['lease']['holder'] == at.member['principal_id'] if c['lease'] else c['attempt']['status'] == 'authorized'
    need(at.keeps_time() or own, 'lease_lost')


def ungranted(c, asked):
    return without(c['grants'], lambda _, grant: grant['request'] == asked)


def at_the_end(state):
    """Of every transaction."""
    course = state.get('course')
    if not course:
        return
    need(not course['owed'], 'receipt_missing')
    for step in course['steps'].values():
        called_off = [one for one in step['requests'].values()
                      if one['receipted'] and one['kind'] is None and one['policy']['result'] not in ('deny', 'downgrade')]
        need(not called_off or not step['attempt'] or step['attempt']['status'] in OVER, 'attempt_open')
