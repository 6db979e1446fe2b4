"""Section 10 of docs/ledger-format.md, "Holding": who may, who may let go, and what waits meanwhile."""
from basics import need
from cancel import concerned, stoppable
from roster import votes

WAITING = 'attempt.succeeded grant.issued lease.acquired effect.intended'.split()


def hold(at, c, p):
    who = concerned(at, c, p['forge'])
    if c['held']:
        holder = holder_of(at, c['held'])
        need(not (holder and may_approve(at, c, holder)) and who and may_approve(at, c, who), 'mission_held')
    stoppable(c)
    return dict(c, held=dict(by=at.event['actor_id'], at=at.now, account=p['forge'] and p['forge']['user_id']))


def unhold(at, c, p):
    need(c['held'], 'hold_missing')
    forge = p['forge']
    who = concerned(at, c, forge)
    if who is None:
        need(c['held']['account'] == forge['user_id'], 'hold_of_another')
    else:
        holder = holder_of(at, c['held'])
        need(holder and holder['principal_id'] == who['principal_id'] or may_approve(at, c, who), 'hold_of_another')
    need(not forge or not c['plan'] or c['plan']['tier'] < 3, 'word_unsigned')
    return dict(c, held=None)


def holder_of(at, held):
    member = at.found(held['by'])
    return member if member and held['account'] in (None, member['forge_user_id']) else None


def may_approve(at, c, member):
    if not c['plan']:
        return votes(member) and not at.proposes(member)
    return not at.why_no_voter(member['principal_id'])


def held_back(state, kind, payload):
    if not state.get('course', {}).get('held'):
        return False
    if kind == 'cell.spawned':
        return payload['purpose'] == 'agent'
    return payload['attempt_no'] > 1 if kind == 'attempt.created' else kind in WAITING
