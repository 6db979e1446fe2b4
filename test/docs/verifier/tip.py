"""Section 14 of docs/ledger-format.md, steps 3 to 10: one commit further."""
import re

from basics import Refused, need, sha
from causes import check_causes, remember
from commit import Commit, subject
from events import decode_event
from openpgp import check_signature, dearmor
from receipts import at_the_end
from roster import keyring, roster_digest, valid_at
from rules import barred_keys, transition
from tree import fold, object_name, push_leaf, tree_of


CARRIED = ('roster.updated', 'key.cut_off', 'roster.adopted', 'cut_off.adopted')


class Tip:
    def __init__(self, kind, parent=None):
        self.kind, self.oid, self.blobs, self.frontier, self.root = kind, None, [], [], sha(b'').hex()
        self.state, self.recent, self.project, self.parent_state, self.genesis = None, [], None, None, None
        if parent:
            self.project = dict(size=len(parent.blobs), root=parent.root, oid=parent.oid)
            self.parent_state = parent.state

    def advance(self, git, commit):
        """Section 14, steps 3 to 10; answers with the next tip and leaves this one alone."""
        size, repaired = len(self.blobs), commit.valid is not None
        before = self.oid or (self.project and self.project['oid'])
        if repaired:
            before = commit.parents[0] if commit.parents and commit.valid == self.oid else before
        need(len(commit.parents) == (before is not None), 'commit_parents')
        need(commit.parents == ([before] if before else []), 'commit_reparented')
        need(self.state is None or commit.id == self.state['ledger_id'], 'ledger_id_mismatch')
        need(commit.prev_size == size, 'prev_size_mismatch')
        need(commit.prev_root == self.root, 'prev_root_mismatch')
        need(1 <= commit.size - size <= 256, 'transaction_size')
        if self.kind == 'project':
            need(not commit.project, 'project_head_misplaced')
        else:
            need(commit.project, 'project_head_missing')
            need(commit.project == self.project or self.state and commit.project['size'] > self.project['size'], 'project_head_decreased')
        need(commit.genesis == (None if self.kind == 'project' else self.genesis or 'self'), 'ledger_genesis_mismatch')
        blobs = [git.read(f'{commit.oid}:{folder}/{index:09}.json') for index in range(size, commit.size) for folder in [self.folder(index, commit.size)]]
        need(all(blobs), 'events_missing')
        blobs = [body for _, _, body in blobs]
        known = self.state or self.parent_state
        roster = known['roster'] if known else decode_event(blobs[0])['payload'].get('roster')
        need(roster, 'ledger_not_opened')
        basis = size if self.kind == 'project' else commit.project['size']
        member = self.signer(commit, roster, barred_keys(known) if known else set(), basis)
        need(commit.tx not in self.recent, 'transaction_duplicate')
        need(commit.size <= 256_000_000, 'limit_reached')
        events = [decode_event(data) for data in blobs]
        after = Tip(self.kind)
        after.genesis = None if self.kind == 'project' else self.genesis or commit.oid
        after.oid, after.project, after.frontier, after.blobs = commit.oid, commit.project, list(self.frontier), list(self.blobs)
        after.state, after.recent = self.state, (self.recent + [commit.tx])[-256:]
        nameable = set(self.state['causes']['moved'].values()) if self.state else set()
        for event, data in zip(events, blobs):
            index = len(after.blobs)
            now = after.state
            if now and known and event['event_type'] not in CARRIED and (now['roster'] != roster or now['cut_offs'] != known['cut_offs']):
                member = self.speaker(commit, now, basis)
            after.state = transition(self, after.state, event, data, member, index, basis)
            check_causes(now, event, nameable)
            after.state = remember(after.state, event)
            nameable.add(event['event_id'])
            push_leaf(after.frontier, index, data)
            after.blobs.append(object_name('blob', data))
        at_the_end(after.state)
        after.root = fold(after.frontier)
        self.check_repair(git, commit, events)
        need(after.root == commit.root, 'root_mismatch')
        need(after.state['ledger_id'] == commit.id, 'ledger_id_mismatch')
        need(tree_of(after) == commit.tree, 'tree_mismatch')
        need(commit.message.split('\n', 1)[0] == subject(commit, [event['event_type'] for event in events]), 'subject_mismatch')
        return after

    def folder(self, index, size):
        segment = index // 256
        return f'hot-{segment:06}' if segment == size // 256 else f'seg/{segment // 64:05}/{segment:06}'

    def speaker(self, commit, state, basis):
        fingerprint = commit.email[:40]
        entry = keyring(state['roster']).get(fingerprint)
        need(entry, 'signer_unknown')
        need(fingerprint not in barred_keys(state), 'signer_cut_off')
        need(valid_at(entry[1], basis), 'signer_outside_validity')
        return entry[0]

    def signer(self, commit, roster, barred, basis):
        fingerprint = re.fullmatch('([0-9A-F]{40})@lazarus\\.invalid', commit.email)
        need(fingerprint, 'author_mismatch')
        entry = keyring(roster).get(fingerprint[1])
        need(entry, 'signer_unknown')
        member, key, point = entry
        need(fingerprint[1] not in barred, 'signer_cut_off')
        need(valid_at(key, basis), 'signer_outside_validity')
        need(member['principal_id'] == commit.name, 'author_mismatch')
        need(commit.roster == (roster['n'], roster_digest(roster)), 'roster_mismatch')
        check_signature(dearmor(commit.armored), point, fingerprint[1], commit.payload)
        return member

    def check_repair(self, git, commit, events):
        repair = next((event['payload']['repair'] for event in events if event['event_type'] == 'ledger.repaired'), None)
        need((repair is None) == (commit.valid is None), 'repair_mismatch')
        if repair is None:
            return
        need(len(events) == 1, 'repair_not_alone')
        need(repair['valid_head'] == dict(oid=self.oid, size=len(self.blobs), root=self.root), 'repair_wrong_head')
        tip = commit.parents[0]
        foreign = git.run('rev-list', '--parents', f'{self.oid}..{tip}').split('\n')
        need(repair['foreign_tip'] == tip and repair['foreign_count'] == commit.foreign == len(foreign), 'repair_mismatch')
        for oid, *parents in (line.split() for line in foreign):
            if parents == [self.oid] or re.search(f'\nLedger-Repairs: {self.oid} [0-9]{{1,9}}\n$', git.raw(oid)[1].decode(errors='replace')):
                self.must_fail(git, oid)

    def must_fail(self, git, oid):
        try:
            self.advance(git, Commit(oid, *git.raw(oid)))
        except Refused as why:
            if why.args[0] not in ('format_newer', 'event_version_newer', 'event_type_unknown'):
                return
        raise Refused('repair_of_valid')
