"""Section 10 of docs/ledger-format.md, "Calling off": who may, until when, and what no longer happens then."""
from basics import need
from roster import votes

STOPPED = ('mission.proposed plan.computed mission.held mission.unheld approval.requested vote.cast approval.granted grant.issued attempt.created lease.acquired work.proposed '
           'effect.intended attempt.succeeded').split()


def cancel(at, c, p):
    need(not c['cancelled'], 'mission_cancelled')
    concerned(at, c, p['forge'])
    stoppable(c)
    return dict(c, held=None, cancelled=dict(by=at.event['actor_id'], at=at.now, account=p['forge'] and p['forge']['user_id']))


def concerned(at, c, forge):
    """The member whose word it is; None for a proposer whom no roster has."""
    actor = at.found(at.event['actor_id'])
    need(actor, 'not_authorised')
    unknown = forge and all(member['forge_user_id'] != forge['user_id'] for member in at.roster['members'])
    if unknown and actor['principal_id'] == at.member['principal_id'] and 'gate' in at.member['roles']:
        need(any(one['forge_user_id'] == forge['user_id'] for one in c['proposers']), 'not_authorised')
        return None
    at.word(actor, forge)
    need(votes(actor) or at.proposes(actor), 'not_authorised')
    return actor


def stoppable(c):
    steps = c['steps'].values()
    need(not steps or not all(one['attempt'] and one['attempt']['status'] == 'succeeded' for one in steps), 'mission_succeeded')
    need(not any(begun(one) for one in steps), 'effects_begun')


def begun(step):
    attempt = step['attempt'] or dict(applied=[], planned=None)
    return step['effects'] or attempt['applied'] or any(one['intent'] for one in (attempt['planned'] or {}).get('effects', []))


def called_off(state, kind, payload):
    if not state.get('course', {}).get('cancelled'):
        return False
    if kind == 'cell.spawned':
        return payload['purpose'] == 'agent'
    return payload['outcome'] != 'cancelled' if kind == 'mission.ended' else kind in STOPPED
