"""Section 5 of docs/ledger-format.md: commit bytes, trailers, subject."""
import re

from basics import Refused, need
from events import OID, UUID_RE
from tree import object_name


NUMBER = '(0|[1-9][0-9]{0,8})'
WHO = re.compile(r'([!-;=?-~](?:[ -;=?-~]*[!-;=?-~])?) <([!-;=?-~]+)> (?:0|[1-9][0-9]{0,14}) \+0000')
TRAILERS = re.compile(
    f'[^\n]*\n\nLedger-Format: 1\nLedger-Id: (?P<id>{UUID_RE})\n(?:Ledger-Genesis: (?P<genesis>self|[0-9a-f]{{40}})\n)?'
    f'Ledger-Tx: (?P<tx>{UUID_RE})\nLedger-Prev-Size: (?P<prev_size>{NUMBER})\n'
    f'Ledger-Size: (?P<size>{NUMBER})\nLedger-Prev-Root: (?P<prev_root>[0-9a-f]{{64}})\nLedger-Root: (?P<root>[0-9a-f]{{64}})\n'
    f'Ledger-Roster: (?P<n>{NUMBER}) (?P<roster>[0-9a-f]{{64}})\n'
    f'(?:Ledger-Project: (?P<psize>{NUMBER}) (?P<proot>[0-9a-f]{{64}}) (?P<poid>[0-9a-f]{{40}})\n)?'
    f'(?:Ledger-Repairs: (?P<valid>[0-9a-f]{{40}}) (?P<foreign>{NUMBER})\n)?')


class Commit:
    def __init__(self, oid, kind, body):
        need(kind == 'commit' and object_name(kind, body) == oid, 'object_corrupt')
        self.oid = oid
        try:
            text = body.decode()
        except UnicodeDecodeError:
            raise Refused('commit_malformed')
        need('\n\n' in text, 'commit_malformed')
        head, self.message = text.split('\n\n', 1)
        lines = head.split('\n')

        def take(name):
            return lines.pop(0)[len(name) + 1:] if lines and lines[0].startswith(name + ' ') else None

        self.tree, self.parents = take('tree'), []
        while (parent := take('parent')) is not None:
            self.parents.append(parent)
        author, committer, signature = take('author'), take('committer'), take('gpgsig')
        need(self.tree and author and committer == author and all(map(OID, [self.tree, *self.parents])), 'commit_malformed')
        need(signature is not None, 'commit_unsigned')
        armored = signature + '\n'
        while (more := take('')) is not None:
            armored += more + '\n'
        if lines:
            name = lines[0].split(' ')[0]
            raise Refused('commit_second_signature' if name.startswith('gpgsig') else
                          {'mergetag': 'commit_mergetag', 'encoding': 'commit_encoding'}.get(name, 'commit_unknown_header'))
        self.armored = armored
        who = WHO.fullmatch(author)
        need(who and len(self.message) > 1 and self.message.endswith('\n') and not self.message.endswith('\n\n') and '\0' not in self.message, 'commit_malformed')
        self.name, self.email = who.groups()
        start = body.index(b'gpgsig ')
        self.payload = body[:start] + body[start + len('gpgsig ' + armored.rstrip('\n').replace('\n', '\n ') + '\n'):]
        form = re.match(r'ledger: [^\n]*\n\nLedger-Format: (0|[1-9][0-9]{0,8})\n', self.message)
        need(form, 'foreign_commit')
        need(form[1] != '0', 'format_lowered')
        need(form[1] == '1', 'format_newer')
        claims = TRAILERS.fullmatch(self.message)
        need(claims, 'trailers_malformed')
        self.id, self.tx, self.root, self.prev_root = claims['id'], claims['tx'], claims['root'], claims['prev_root']
        self.genesis = claims['genesis']
        self.size, self.prev_size = int(claims['size']), int(claims['prev_size'])
        self.roster = (int(claims['n']), claims['roster'])
        self.project = claims['psize'] and dict(size=int(claims['psize']), root=claims['proot'], oid=claims['poid'])
        self.valid, self.foreign = claims['valid'], claims['foreign'] and int(claims['foreign'])


def subject(commit, kinds):
    different = list(dict.fromkeys(kinds))
    more = f' +{len(different) - 3}' if len(different) > 3 else ''
    what = f'1 event {commit.prev_size}' if len(kinds) == 1 else f'{len(kinds)} events {commit.prev_size}..{commit.size - 1}'
    return f'ledger: {what} {" ".join(different[:3])}{more}'
