"""Section 10 of docs/ledger-format.md, "The course of a mission": who works on it, what is caused, what is owed."""
from at import OVER, digest, without
from basics import need

RESULT_OF = dict(applied='succeeded', refused='refused', failed='failed', unknown_outcome='unknown_outcome')


def end_mission(at, c, p):
    status = c['attempt'] and c['attempt']['status']
    if p['outcome'] == 'done':
        at.has_role('writer')
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
    status = at.event['event_type'].split('.')[1]
    attempt, lease = c['attempt'], c['lease']
    unbegun = attempt and attempt['status'] == 'authorized' and not attempt['work']
    theirs = lease['holder'] == at.member['principal_id'] if lease else unbegun
    need(status != 'failed' or at.keeps_time() or theirs, 'lease_lost')
    need(not c['cell'], 'cell_open')
    if status == 'succeeded':
        attempt = at.about()
        need(attempt['work'] and attempt['verdict'] == 'satisfied', 'nothing_done')
    need(not c['effects'], 'receipt_missing')
    if status == 'succeeded':
        need(all(one['outcome'] == 'applied' for one in (attempt['planned'] or {}).get('effects', [])), 'effect_missing')
    return at.move(dict(c, requests={}, grants={}), status, **p)


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
    if isolated:
        after = at.move(after, 'leased')
        run = next((grant for grant in c['grants'].values() if grant['action_class'] == 'execute_command'), None)
        need(run, 'grant_missing')
        need(at.now <= run['expires_at'], 'grant_expired')
    at.lasts(p['expires_at'], c['plan']['ttl_minutes'] + 60 if isolated else 120)
    return after


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


def settle(at, c, p):
    at.about()
    need(at.event['actor_id'] == at.member['principal_id'], 'actor_mismatch')
    need(at.member['principal_type'] == 'user', 'not_authorised')
    name = p['subject_ref']
    effect = c['effects'].get(name)
    need(effect, 'effect_unknown')
    need(effect['outcome'] in (None, 'unknown_outcome'), 'effect_settled')
    need(not c['lease'], 'lease_held')
    known = dict(effect, outcome='applied' if p['outcome'] == 'applied' else 'failed', settled_by=at.id)
    after = dict(c, effects={**c['effects'], name: known})
    return after if any(one['outcome'] is None for one in after['effects'].values()) else at.move(after, 'observing')


def receipt(at, c, p):
    name, after = p['subject_ref'], dict(c, receipts=c['receipts'] + 1)
    effect = c['effects'].get(name)
    if not effect:
        return after
    at.has_role('writer')
    outcome, asked = effect['outcome'], effect['request']
    need(outcome and p['result_code'] == RESULT_OF[outcome] and p['action_request_ref'] == asked, 'receipt_mismatch')
    need((p['receipt_class'] == 'observation_resolution') == ('settled_by' in effect), 'receipt_mismatch')
    need(p.get('decision_ref') == effect.get('settled_by'), 'receipt_mismatch')
    if outcome == 'unknown_outcome':
        return after
    planned = c['attempt']['planned']
    if planned:
        planned = dict(planned, effects=[dict(one, outcome=outcome) if one['request'] == asked else one for one in planned['effects']])
    after = dict(after, effects=without(c['effects'], lambda one, _: one == name), requests=without(c['requests'], lambda one, _: one == asked),
                 grants=without(c['grants'], lambda _, grant: grant['request'] == asked))
    seen = all(one['outcome'] is not None for one in after['effects'].values())
    return at.move(after, 'receipt_pending' if seen else 'executing', planned=planned)
