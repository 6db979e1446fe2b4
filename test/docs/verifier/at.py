"""Section 10 of docs/ledger-format.md, "The course of a mission": what its rules have in common."""
import re

from basics import jcs, need, sha
from roster import names, person, votes

ENDS = ('failed', 'cancelled', 'superseded')
OVER = ENDS + ('succeeded',)
NEXT = {
    'created': 'awaiting_policy', 'awaiting_policy': 'awaiting_approval authorized', 'awaiting_approval': 'authorized awaiting_policy',
    'authorized': 'leased executing awaiting_approval awaiting_policy', 'leased': 'compiling_context executing awaiting_approval authorized',
    'compiling_context': 'reasoning executing', 'reasoning': 'executing awaiting_policy', 'executing': 'observing awaiting_policy awaiting_approval',
    'observing': 'receipt_pending executing awaiting_policy awaiting_approval', 'receipt_pending': 'succeeded executing observing awaiting_policy',
}


def digest(line, document):
    return sha(line.encode() + b'\n' + jcs(document)).hex()


def without(records, drop):
    return {name: one for name, one in records.items() if not drop(name, one)}


def grants_left(c, *approvals):
    return without(c['grants'], lambda _, grant: grant['approval'] in approvals)


def seconds(instant):
    year, month, day, hour, minute, second = map(int, re.split('[^0-9]', instant)[:6])
    y, m = (year, month - 3) if month > 2 else (year - 1, month + 9)
    days = 365 * y + y // 4 - y // 100 + y // 400 + (153 * m + 2) // 5 + day
    return ((days * 24 + hour) * 60 + minute) * 60 + second


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

    def lasts(self, until, minutes):
        need(seconds(until) - seconds(self.now) <= minutes * 60, 'window_too_long')

    def keeps_time(self):
        return 'gate' in self.member['roles'] or 'writer' in self.member['roles']

    def has_role(self, role):
        need(role in self.member['roles'], 'role_not_allowed')

    def found(self, principal):
        return next((member for member in self.roster['members'] if member['principal_id'] == principal), None)

    def proposes(self, member):
        proposers = self.course['proposers']
        now = {person(known) for one in proposers for known in self.roster['members'] if names(one, known)}
        return person(member) in now.union(*(one['persons'] for one in proposers))

    def why_no_voter(self, principal):
        member, tier = self.found(principal), self.course['plan']['tier']
        if not member or not votes(member):
            return 'not_authorised'
        alone = len({person(one) for one in self.roster['members'] if votes(one)}) == 1 and tier <= 1
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
        need(not self.course['requests'].get(grant['request'], {}).get('receipted'), 'receipt_exists')
        need(grant['to'] == self.member['principal_id'] or grant['to'] == 'runners' and grant['action_class'] == 'execute_command', 'grant_mismatch')
        need(self.now <= grant['expires_at'], 'grant_expired')
        if grant['approval'] is not None:
            approval = self.course['approvals'].get(grant['approval'])
            need(approval and approval['granted'], 'quorum_missing')
            need(self.now <= approval['expires_at'], 'approval_expired')
            need(not self.tally(approval['votes'])[2], 'quorum_missing')
        left = dict(grant, uses_left=grant['uses_left'] - 1)
        return {**self.course['grants'], name: left} if left['uses_left'] else without(self.course['grants'], lambda one, _: one == name)
