"""Section 10 of docs/ledger-format.md, "Causes": what an event may name as its cause, and what a ledger remembers for that."""
from basics import need


MAY_START = ('artifact.erased artifact.recorded cut_off.adopted halt.declared ingress.recorded key.cut_off ledger.repaired ledger.sealed mission.opened note.recorded '
             'policy.revised project.opened roster.adopted roster.updated trust.annotated').split()
FAR = {'mission.registered': 'mission_id', 'claims.released': 'mission_id', 'tree_head.recorded': 'ledger_id'}


def check_causes(state, event, nameable):
    kind, payload, cause, near = event['event_type'], event['payload'], event.get('cause'), event['causation_id']
    if cause:
        if kind == 'mission.opened':
            fits = cause['ledger_id'] not in (payload['mission_id'], payload['project_id'])
        else:
            fits = kind in FAR and cause['ledger_id'] == payload[FAR[kind]]
        need(near is None and fits, 'cause_misplaced')
    else:
        need(near or kind in MAY_START, 'cause_missing')
        need(near is None or near in nameable, 'cause_unknown')
    memory = state['causes'] if state else {}
    if kind == 'mission.proposed':
        need(event['correlation_id'] == state['hearing']['correlation_id'], 'correlation_mismatch')
    elif ('attempt_id' in event or 'step_id' in event) and 'correlation_id' in memory:
        need(event['correlation_id'] == memory['correlation_id'], 'correlation_mismatch')
    request = effect_request(((state or {}).get('course') or {}).get('steps', {}).get(event.get('step_id')), event)
    need(request in (None, event['idempotency_key']), 'idempotency_mismatch')


def effect_request(course, event):
    kind, payload = event['event_type'], event['payload']
    if not course:
        return None
    if kind == 'effect.intended':
        return course['grants'][payload['grant_id']]['request']
    name = event['entity_id'] if kind == 'effect.observed' else payload['subject_ref'] if kind == 'receipt.issued' else None
    return course['effects'][name]['request'] if name in course['effects'] else None


def remember(state, event):
    kind = event['event_type']
    if kind in ('note.recorded', 'artifact.recorded', 'artifact.erased'):
        return state
    still = opened(state)
    moved = {thing: mover for thing, mover in state['causes']['moved'].items() if thing in still}
    moved.update({thing: event['event_id'] for thing in (event['entity_id'], kind) if thing in still})
    causes = dict(state['causes'], moved=moved)
    if kind == 'mission.proposed':
        causes['correlation_id'] = event['correlation_id']
    return dict(state, causes=causes)


def opened(state):
    still = {state['ledger_id'], state['project_id']}
    if state['kind'] == 'project':
        return still | {'roster.updated', 'key.cut_off', 'policy.revised'} | set(state['missions']) | ({'halt.declared'} if state['halt'] else set())
    course, still = state.get('course'), still | {'ingress.recorded'}
    if not course or course['end']:
        return still
    still |= {'mission.proposed', 'plan.computed', 'receipt.issued', *course['approvals']}
    still |= {vote['id'] for one in course['approvals'].values() for vote in one['votes']}
    if course['cancelled']:
        still.add('mission.cancelled')
    for step in course['steps'].values():
        still |= {step['id'], step['task'], *step['cells'], *step['grants'], *step['requests'], *step['effects']}
        still |= {one['policy']['ref'] for one in step['requests'].values() if one['policy']}
        still |= {one['settled_by'] for one in step['effects'].values() if 'settled_by' in one}
        still |= {step[name]['id'] for name in ('attempt', 'lease') if step[name]}
        if step['attempt']:
            still |= {kind for kind, name in (('work.proposed', 'work'), ('verification.recorded', 'verdict')) if step['attempt'][name]}
    return still
