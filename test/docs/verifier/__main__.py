"""Verifies a ledger from docs/ledger-format.md alone: Python's standard library and git's object reader, nothing of ours.

usage: python3 test/docs/verifier <repository> <ref> [<digest of the project's first event>]
"""
import re, sys

from basics import Refused, need
from commit import Commit
from git import Git
from tip import Tip


def chain(git, head):
    """From the oldest to the newest, as raw objects: nothing is judged before its turn."""
    links, oid = [], head
    while oid:
        kind, body = git.raw(oid)
        links.append((oid, kind, body))
        parent = re.match(rb'tree [0-9a-f]{40}\nparent ([0-9a-f]{40})\n', body)
        repairs = re.search(rb'\nLedger-Repairs: ([0-9a-f]{40}) [0-9]{1,9}\n\Z', body)
        oid = parent and parent[1].decode()
        if oid and repairs and git.is_ancestor(repairs[1].decode(), oid):
            oid = repairs[1].decode()
    return links[::-1]


def verify(path, ref, pinned=None):
    git = Git(path)
    links = chain(git, git.run('rev-parse', '--verify', ref))
    tip, oid = Tip('project'), None
    try:
        for oid, kind, body in links:
            commit = Commit(oid, kind, body)
            if not ref.endswith('/project') and tip.kind == 'project' and tip.oid and commit.prev_size == 0 and commit.project:
                tip = Tip('mission', tip)
            tip = tip.advance(git, commit)
        name = 'project' if tip.kind == 'project' else 'm-' + tip.state['ledger_id'].replace('-', '')[:12]
        need(ref == f'refs/heads/lazarus/{name}', 'ledger_id_mismatch')
        need(pinned in (None, tip.state['project_genesis']), 'genesis_mismatch')
    except Refused as why:
        raise Refused(why.args[0], oid)
    return tip


try:
    end = verify(*sys.argv[1:4])
    print('verified', end.kind, len(end.blobs), end.root, end.state['project_genesis'])
except Refused as refusal:
    print('refused', *refusal.args)
    sys.exit(6)
