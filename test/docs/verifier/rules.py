"""Section 10 of docs/ledger-format.md: what each event needs and does."""
import re

from agreed import with_persons
from basics import need, sha
from cancel import called_off
from course import RULES, follow
from events import EVENTS, MOVES
from hold import held_back
from roster import check_roster, check_threshold, roster_digest


OF_THE_MISSION = ('mission.opened roster.adopted cut_off.adopted ingress.recorded mission.proposed plan.computed mission.cancelled mission.held mission.unheld mission.ended projection.anchored '
                  'ledger.repaired ledger.sealed trust.annotated').split()


AFTERCARE = 'ingress.recorded artifact.recorded artifact.erased roster.adopted cut_off.adopted trust.annotated ledger.repaired ledger.sealed'.split()


def has_ended(state):
    return 'course' in state and state['course']['end'] is not None


def barred_keys(state):
    return {document['fingerprint'] for document in state['cut_offs']}


def literal(claim):
    return re.sub('[A-Z]', lambda letter: letter[0].lower(), re.split(r'[*?\[\]{}!()+@]|[^\x00-\x7f]', claim, maxsplit=1)[0])


def overlap(a, b):
    return literal(a).startswith(literal(b)) or literal(b).startswith(literal(a))


def check_actor(event, member, roster):
    need(set(EVENTS[event['event_type']][2].split()) & set(member['roles']), 'role_not_allowed')
    if event['actor_id'] == member['principal_id']:
        need(event['actor_type'] == member['principal_type'], 'actor_mismatch')
    else:
        need({'gate', 'writer'} & set(member['roles']), 'actor_mismatch')
        actor = next((one for one in roster['members'] if one['principal_id'] == event['actor_id']), None)
        need(actor or event['event_type'] == 'ingress.recorded', 'actor_unknown')
        need(not actor or event['actor_type'] == actor['principal_type'], 'actor_mismatch')


def begin(tip, event, data, member):
    kind, payload = event['event_type'], event['payload']
    need(kind == ('project.opened' if tip.kind == 'project' else 'mission.opened'), 'ledger_not_opened')
    common = dict(kind=tip.kind, ledger_id=event['entity_id'], annotations=[], causes=dict(moved={}), sealed=False)
    if kind == 'project.opened':
        roster = payload['roster']
        need(event['entity_id'] == event['task_id'] == roster['project_id'], 'event_malformed')
        need(roster['n'] == 0 and roster['prev'] is None, 'roster_replayed')
        check_roster(roster)
        check_actor(event, member, roster)
        return dict(common, project_id=event['entity_id'], project_genesis='sha256:' + sha(data).hex(), roster=roster, cut_offs=[], halt=None, missions={})
    check_actor(event, member, tip.parent_state['roster'])
    project = tip.parent_state
    need(event['entity_id'] == event['task_id'] == payload['mission_id'], 'event_malformed')
    need(not project['halt'], 'project_halted')
    need(not project['sealed'], 'ledger_sealed')
    need(payload['project_id'] == project['project_id'], 'mission_other_project')
    need(payload['grew_from'] == tip.project, 'mission_parent_mismatch')
    inherited = {name: project[name] for name in ('project_id', 'project_genesis', 'roster', 'cut_offs')}
    return dict(common, **inherited, grew_from=payload['grew_from'], proposal=payload['proposal'], tasks={}, notes=0, artifacts=dict(recorded=0, erased=0))


def has_its_task(tip, state, kind, task):
    of_both, of_ledger = kind.split('.')[0] in ('note', 'artifact'), tip.kind == 'project' or kind in OF_THE_MISSION
    if task == state['ledger_id']:
        return of_both or of_ledger
    return not of_ledger and task in state['tasks']


def transition(tip, state, event, data, member, index, basis):
    kind, payload, task = event['event_type'], event['payload'], event['task_id']
    need(('P' if tip.kind == 'project' else 'M') in EVENTS[kind][0], 'event_type_misplaced')
    if state is None:
        return begin(tip, event, data, member)
    need(not state['sealed'], 'ledger_sealed')
    check_actor(event, member, state['roster'])
    subject = payload.get('mission_id') or kind == 'tree_head.recorded' and payload['ledger_id']
    need(not subject or event['entity_id'] == subject, 'event_malformed')
    need(kind == 'task.created' or has_its_task(tip, state, kind, task), 'task_unknown')
    need(not has_ended(state) or kind in AFTERCARE, 'mission_over')
    need(not called_off(state, kind, payload), 'mission_cancelled')
    need(not held_back(state, kind, payload), 'mission_held')
    need(kind not in ('project.opened', 'mission.opened'), 'event_out_of_place')
    digest, barred = roster_digest(state['roster']), barred_keys(state)

    def threshold(purpose, document, barred=barred):
        since = basis if tip.kind == 'project' else tip.project['size']
        check_threshold(state['roster'], barred, purpose, document, payload['signatures'], since, basis)

    if kind in ('roster.adopted', 'cut_off.adopted'):
        need(payload['from']['index'] < basis, 'adoption_not_of_project')
    if kind in ('roster.updated', 'roster.adopted'):
        roster = payload['roster']
        need(roster['project_id'] == state['project_id'], 'roster_other_project')
        need(roster['n'] == state['roster']['n'] + 1, 'roster_replayed')
        need(roster['prev'] == digest, 'roster_not_successor')
        check_roster(roster, barred)
        threshold('roster', roster)
        course = state.get('course')
        if course:
            course = dict(course, proposers=with_persons(course['proposers'], course['proposers'], roster))
        return dict(state, roster=roster, **(dict(course=course) if course else {}))
    if kind in ('key.cut_off', 'cut_off.adopted'):
        document = payload['cut_off']
        need(document['project_id'] == state['project_id'], 'roster_other_project')
        need(document['roster'] == digest, 'statement_stale')
        need(document['fingerprint'] not in barred, 'key_already_cut_off')
        need(len(state['cut_offs']) < 64, 'limit_reached')
        threshold('cut-off', document, barred | {document['fingerprint']})
        return dict(state, cut_offs=state['cut_offs'] + [document])
    if kind == 'mission.registered':
        missions = state['missions']
        need(not state['halt'], 'project_halted')
        known = missions.get(payload['mission_id'])
        need(known is None or not known['claims'] and known['genesis'] == payload['genesis'], 'mission_exists')
        need(known is not None or len(missions) < 512, 'limit_reached')
        need(not any(overlap(a, b) for held in missions.values() for a in held['claims'] for b in payload['claims']), 'path_claimed')
        return dict(state, missions={**missions, payload['mission_id']: dict(genesis=payload['genesis'], claims=payload['claims'])})
    if kind == 'claims.released':
        missions, name = state['missions'], payload['mission_id']
        need(name in missions, 'mission_unknown')
        if payload['because'] == 'ended':
            return dict(state, missions={other: held for other, held in missions.items() if other != name})
        return dict(state, missions={**missions, name: dict(missions[name], claims=[])})
    if kind == 'tree_head.recorded':
        over = payload['ledger_id'] if payload['because'] == 'sealed' else None
        return dict(state, missions={name: held for name, held in state['missions'].items() if name != over})
    if kind == 'halt.declared':
        need(not state['halt'], 'project_halted')
        return dict(state, halt=dict(by=event['actor_id'], since=event['occurred_at'], root='root' in member['roles']))
    if kind == 'halt.lifted':
        need(state['halt'], 'project_not_halted')
        need(not state['halt']['root'] or 'root' in member['roles'], 'halt_of_root')
        return dict(state, halt=None)
    if kind == 'policy.revised':
        need(payload['revision'] == state.get('policy', {}).get('revision', 0) + 1, 'policy_replayed')
        return dict(state, policy=payload)
    if kind == 'note.recorded':
        return dict(state, notes=state['notes'] + 1)
    if kind in ('artifact.recorded', 'artifact.erased'):
        name = kind.split('.')[1]
        return dict(state, artifacts=dict(state['artifacts'], **{name: state['artifacts'][name] + 1}))
    if kind == 'task.created':
        need(event['entity_id'] == task, 'event_malformed')
        need(task not in state['tasks'] and task != state['ledger_id'], 'task_exists')
        need(len(state['tasks']) < 500, 'limit_reached')
        return dict(state, tasks={**state['tasks'], task: 'created'})
    if kind in MOVES:
        need(event['entity_id'] == task and task in state['tasks'], 'task_unknown')
        course = state.get('course')
        step = next((one for one in course['steps'].values() if one['task'] == task), None) if course else None
        if not (set(EVENTS[kind][2].split()) - {'runner'}) & set(member['roles']):
            lease = step and step['lease']
            need(lease, 'lease_lost')
            need(lease['holder'] == member['principal_id'], 'lease_held')
            need(event['occurred_at'] <= lease['expires_at'], 'lease_lost')
        if kind == 'task.completed' and step:
            need(step['attempt'] and step['attempt']['status'] == 'succeeded', 'receipt_missing')
        before, after = MOVES[kind]
        need(state['tasks'][task] in before.split(), 'task_transition_illegal')
        return dict(state, tasks={**state['tasks'], task: after})
    if kind in RULES or kind == 'ingress.recorded':
        return follow(state, event, member, index, len(tip.blobs))
    purpose = {'ledger.repaired': 'repair', 'ledger.sealed': 'seal'}.get(kind, 'annotation')
    document = payload[purpose]
    need(document['ledger_id'] == state['ledger_id'] and document['roster'] == digest, 'statement_stale')
    if purpose == 'annotation':
        need(document['from'] < document['until'] <= index, 'annotation_range_wrong')
        need(len(state['annotations']) < 256, 'limit_reached')
    threshold(purpose, document)
    if purpose == 'seal':
        return dict(state, sealed=True)
    return state if purpose == 'repair' else dict(state, annotations=state['annotations'] + [document])
