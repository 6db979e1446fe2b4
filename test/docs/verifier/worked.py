"""Section 10 of docs/ledger-format.md, "The course of a mission": who works on it, what is caused, what is owed."""
from at import OVER, digest, seconds, without
from basics import need

OF_THE_RUNNER = ('agent_missing backend_unmet cell_prepare_failed cell_start_failed disk_full environment_altered environment_failed environment_missing git_failed git_missing interrupted '
                 'level_unmet login_not_a_key runner_exposed runner_lost runner_silent sandbox_missing sandbox_unfit secret_exposed secret_missing secret_unusable vault_unreadable').split()


def end_mission(at, c, p):
    steps = c['steps'].values()
    done = [one for one in steps if one['attempt'] and one['attempt']['status'] == 'succeeded']
    if p['outcome'] == 'done':
        at.has_role('writer')
        need(len(done) == (len(c['plan']['steps']) if c['plan'] else 1), 'receipt_missing')
    else:
        need(not done or len(done) < len(steps), 'mission_succeeded')
    for one in steps:
        need(not one['attempt'] or one['attempt']['status'] in OVER, 'mission_under_way')
        need(not one['effects'], 'receipt_missing')
        need(not one['cells'] and not one['lease'], 'mission_under_way')
    return dict(c, approvals={}, held=None, steps={name: dict(one, requests={}, grants={}) for name, one in c['steps'].items()}, end=p)


def anchor(at, c, p):
    return dict(c, anchor=dict(comment_id=p['comment_id'], issue=p['issue']))


def create_step(at, c, p):
    plan, task, made = at.plan(), at.event['task_id'], c['steps']
    need(at.event.get('step_id') == at.id, 'event_malformed')
    need(at.id not in made and all(one['task'] != task for one in made.values()), 'step_exists')
    need(p['place'] == len(made) < len(plan['steps']), 'step_unplanned')
    step = dict(id=at.id, task=task, place=p['place'], max_attempts=p['max_attempts'], attempt=None, requests={}, grants={}, lease=None, cells={}, runs={},
                effects={}, caused=[])
    return dict(c, steps={**made, at.id: step})


def create_attempt(at, c, p):
    step, last, event = c['step'], c['attempt'], at.event
    need(event.get('attempt_id') == at.id, 'event_malformed')
    need(not last or last['status'] in OVER, 'attempt_open')
    need(not last or last['status'] != 'succeeded', 'mission_succeeded')
    need((p['attempt_no'], p['resume_from_ref']) == ((last['no'] + 1, last['id']) if last else (1, None)), 'attempt_stale')
    need(p['attempt_no'] <= step['max_attempts'], 'attempts_exhausted')
    attempt = dict(id=at.id, no=p['attempt_no'], status='created', because=None, births=0, prepares=0, work=None, checks=[], verdict=None, planned=None, applied=[])
    return dict(c, attempt=attempt, requests={}, grants={}, runs={}, caused=[])


def end_attempt(at, c, p):
    status = at.event['event_type'].split('.')[1]
    attempt, lease = c['attempt'], c['lease']
    runs = any(at.now <= grant['expires_at'] for grant in c['grants'].values() if grant['action_class'] == 'execute_command')
    own_fault = p.get('because') in OF_THE_RUNNER or p.get('because') == 'grant_expired' and not runs
    unbegun = attempt and attempt['status'] == 'authorized' and not attempt['work'] and own_fault
    theirs = lease['holder'] == at.member['principal_id'] if lease else unbegun
    need(status != 'failed' or at.keeps_time() or theirs, 'lease_lost')
    need(all(cell['purpose'] == 'prepare' for cell in c['cells'].values()), 'cell_open')
    if status == 'succeeded':
        attempt = at.about()
        need(attempt['work'] and attempt['verdict'] == 'satisfied', 'nothing_done')
    need(not c['effects'], 'receipt_missing')
    if status == 'succeeded':
        need(any(run['receipt'] == 'succeeded' for run in c['runs'].values()), 'receipt_missing')
        need(all(one['outcome'] == 'applied' for one in (attempt['planned'] or {}).get('effects', [])), 'effect_missing')
        declined = [one['kind'] for one in c['requests'].values() if one['policy'] and one['policy']['result'] == 'deny']
        need(all(one['kind'] in [None, *attempt['applied'], *declined] for one in c['plan']['asks']), 'effect_missing')
    return at.move(dict(c, requests={}, grants={}), status, **p)


def acquire(at, c, p):
    at.about()
    need(not c['lease'], 'lease_held')
    need(p['fence'] == c['fence'] + 1, 'fence_stale')
    need(p['holder_principal_id'] == at.member['principal_id'], 'actor_mismatch')
    need(p['expires_at'] > at.now, 'lease_lost')
    isolated = p['mode'] == 'isolated'
    at.has_role('runner' if isolated else 'writer')
    lease = dict(id=at.id, fence=p['fence'], holder=p['holder_principal_id'], mode=p['mode'], acquired_at=at.now, expires_at=p['expires_at'])
    after = dict(c, fence=p['fence'], lease=lease)
    if isolated:
        after = at.move(after, 'leased')
        until = [grant['expires_at'] for grant in c['grants'].values() if grant['action_class'] == 'execute_command']
        need(until, 'grant_missing')
        need(at.now <= max(until), 'grant_expired')
    at.lasts(p['expires_at'], c['plan']['ttl_minutes'] + 60 if isolated else 120)
    return after


def release(at, c, p):
    need(c['lease'] and c['lease']['fence'] == p['fence'], 'lease_lost')
    need(c['lease']['holder'] == at.member['principal_id'], 'lease_held')
    return dict(c, lease=None)


def expire(at, c, p):
    need(c['lease'] and c['lease']['fence'] == p['fence'], 'lease_lost')
    need(at.now > c['lease']['expires_at'] or silent(at, c['lease'], p['silence']), 'lease_held')
    return dict(c, lease=None)


def silent(at, lease, said):
    last = said and said['beacon']['at']
    return bool(said) and lease['mode'] == 'isolated' and last >= lease['acquired_at'] and seconds(at.now) - seconds(last) >= said['seconds']


def compile_context(at, c, p):
    at.under(c['fence'])
    return at.move(c, 'compiling_context')


def spawn(at, c, p):
    need(at.under(p['fence'])['mode'] == 'isolated', 'lease_lost')
    need(p['backend'] == c['plan']['backend'] and p['level'] >= c['plan']['level'], 'level_unmet')
    return dict(agent=spawn_agent, check=spawn_check, prepare=spawn_prepare)[p['purpose']](at, c, p)


def spawn_agent(at, c, p):
    need(all(cell['purpose'] == 'prepare' for cell in c['cells'].values()), 'cell_open')
    need(p['check'] is None and None not in (p['manifest'], p['manifest_hash'], p['seed_id']), 'event_malformed')
    need(p['role'] == c['plan']['steps'][c['step']['place']]['role'], 'role_unplanned')
    grant = c['grants'].get(p['grant_id'], {})
    need(grant.get('action_class') == 'execute_command', 'grant_missing')
    need('cells/' + p['backend'] in grant['scope'], 'grant_mismatch')
    need(all(one in grant['scope'] and not one.startswith('prepare/') for one in p['reach']), 'grant_mismatch')
    cell = dict(purpose='agent', seed=p['seed_id'], epoch=p['epoch'], level=p['level'], manifest_hash=p['manifest_hash'], reach=p['reach'])
    run = dict(request=grant['request'], grant=p['grant_id'], approval=grant['approval'], closed=None, receipt=None)
    births = c['attempt']['births'] + 1 if c['attempt'] else 1
    return at.move(dict(c, grants=at.use(p['grant_id']), cells={**c['cells'], at.id: cell}, runs={**c['runs'], at.id: run}), 'executing', births=births)


def spawn_check(at, c, p):
    attempt, checks = at.about(), at.about()['checks']
    need(p['check'] is not None and {p['grant_id'], p['manifest'], p['manifest_hash'], p['seed_id']} == {None}, 'event_malformed')
    need(not p['reach'], 'event_malformed')
    need(attempt['work'], 'nothing_done')
    need(not attempt['verdict'], 'verdict_exists')
    need(at.id not in c['cells'] and all(cell['purpose'] != 'agent' for cell in c['cells'].values()), 'cell_open')
    need(p['check'] == len(checks) < len(c['plan']['checks']) and not any(one['ended'] for one in checks), 'checks_not_planned')
    cells = {**c['cells'], at.id: dict(purpose='check', epoch=p['epoch'], level=p['level'])}
    return at.move(dict(c, cells=cells), 'observing', checks=checks + [dict(cell=at.id, level=p['level'], limits=p['limits'], exit_code=None, ended=False)])


def spawn_prepare(at, c, p):
    attempt = at.about()
    need({p['check'], p['grant_id'], p['manifest'], p['manifest_hash'], p['seed_id']} == {None} and len(p['environment']) == 1, 'event_malformed')
    need(at.id not in c['cells'] and all(cell['purpose'] != 'agent' for cell in c['cells'].values()), 'cell_open')
    need(not attempt['verdict'] and not any(one['ended'] for one in attempt['checks']), 'verdict_exists')
    grants = [one for one in c['grants'].values() if one['action_class'] == 'execute_command']
    need(attempt['work'] or grants, 'grant_missing')
    asked = [one['targets'] for one in c['requests'].values() if one['action_class'] == 'execute_command'][:1]
    scope = sum(asked if attempt['work'] else [one['scope'] for one in grants], [])
    need(all(one in scope and one.startswith('prepare/') for one in p['reach']), 'grant_mismatch')
    need(attempt['prepares'] < 32, 'limit_reached')
    cells = {**c['cells'], at.id: dict(purpose='prepare', epoch=p['epoch'], level=p['level'])}
    return at.move(dict(c, cells=cells), attempt['status'], prepares=attempt['prepares'] + 1)


def close(at, c, p):
    need(at.id in c['cells'], 'cell_unknown')
    need(not c['lease'] or c['lease']['fence'] == p['fence'], 'fence_stale')
    need(not c['lease'] or c['lease']['holder'] == at.member['principal_id'], 'lease_held')
    routes = [one['route'] for one in p['spent']]
    need(len(set(routes)) == len(routes) and all('routes/' + one in c['cells'][at.id].get('reach', []) for one in routes), 'route_not_open')
    need(all(one['guessed'] <= one['calls'] for one in p['spent']), 'guessed_beyond_calls')
    attempt = c['attempt']
    ended = [dict(one, exit_code=p['exit_code'], ended=True) if one['cell'] == at.id else one for one in attempt['checks']]
    closed = {name: p[name] for name in ('outcome', 'facts', 'output')}
    runs = {**c['runs'], at.id: dict(c['runs'][at.id], closed=closed)} if at.id in c['runs'] else c['runs']
    return dict(c, runs=runs, cells=without(c['cells'], lambda name, _: name == at.id), attempt=dict(attempt, checks=ended))


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
    ran = [dict(cell=one['cell'], check=kind, exit_code=one['exit_code'], level=one['level'], n=n)
           for n, (one, kind) in enumerate(zip(attempt['checks'], c['plan']['checks'])) if one['ended']]
    told = [{name: value for name, value in check.items() if name != 'output'} for check in checks]
    need(told == ran and len(ran) == len(c['plan']['checks']), 'checks_not_planned')
    passed = all(check['exit_code'] == 0 for check in checks) and any(check['check'] == 'verify' for check in checks)
    need((p['verdict'] == 'satisfied') == passed, 'verdict_unfounded')
    need(all(check['level'] >= c['plan']['level'] for check in checks), 'level_unmet')
    return at.move(c, 'observing', verdict=p['verdict'])


def compute_effects(at, c, p):
    attempt, effects = c['attempt'], p['effects']
    need(attempt and attempt['work'] and attempt['verdict'] == 'satisfied', 'nothing_done')
    need(not attempt['planned'] or attempt['planned']['digest'] != p['effects_digest'], 'effects_planned')
    need(not c['effects'], 'effect_exists')
    document = dict(mission_id=at.state['ledger_id'], attempt_id=attempt['id'], commit=attempt['work']['commit'], effects=effects)
    need(p['effects_digest'] == digest('lazarus effects v1', document), 'plan_digest_mismatch')
    need(all(c['requests'].get(one['action_request_ref'], {}).get('kind') == one['kind'] for one in effects), 'effect_unplanned')
    asked = [one['kind'] for one in c['plan']['asks']]
    need(all(one['kind'] in asked and not c['requests'][one['action_request_ref']]['receipted'] for one in effects), 'effect_unplanned')
    need(len({one['action_request_ref'] for one in effects}) == len({one['effect'] for one in effects}) == len(effects), 'effect_exists')
    need(not any(one['effect'] in c['caused'] for one in effects), 'effect_exists')
    listed = [dict(request=one['action_request_ref'], kind=one['kind'], effect=one['effect'], intent=None, outcome=None) for one in effects]
    grants = without(c['grants'], lambda _, grant: c['requests'].get(grant['request'], {}).get('kind') is not None)
    return at.move(dict(c, grants=grants), 'observing', planned=dict(digest=p['effects_digest'], params_ref=p['params_ref'], effects=listed))


def intend(at, c, p):
    need(at.under(p['fence'])['mode'] == 'mutable', 'lease_lost')
    need(at.id not in c['effects'], 'effect_exists')
    need(len(c['effects']) < 64, 'limit_reached')
    grant = c['grants'].get(p['grant_id'])
    need(grant, 'grant_missing')
    planned = c['attempt']['planned']
    found = next((one for one in (planned or {}).get('effects', []) if one['request'] == grant['request']), None)
    need(found and (found['kind'], found['effect'], planned['params_ref']) == (p['kind'], p['effect'], p['params_ref']), 'effect_unplanned')
    need(p['target'] in grant['scope'], 'grant_mismatch')
    need(found['intent'] is None, 'effect_exists')
    need(p['witness']['base_commit'] == c['plan']['base_commit'], 'ref_moved')
    effect = dict(kind=p['kind'], effect=p['effect'], target=p['target'], params_ref=p['params_ref'], request=grant['request'], grant=p['grant_id'],
                  approval=grant['approval'], outcome=None)
    planned = dict(planned, effects=[dict(one, intent=at.id) if one is found else one for one in planned['effects']])
    return at.move(dict(c, grants=at.use(p['grant_id']), effects={**c['effects'], at.id: effect}), 'executing', planned=planned)


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
    known = dict(effect, outcome='applied' if p['outcome'] == 'applied' else 'failed', settled_by=at.id,
                 settled_on=[p['rationale'], *p['evidence_refs']][:16])
    after = dict(c, effects={**c['effects'], name: known})
    return after if any(one['outcome'] is None for one in after['effects'].values()) else at.move(after, 'observing')
