"""Sections 2, 8 and 9 of docs/ledger-format.md: Merkle tree, Git trees, derived files."""
import base64

from basics import jcs, sha
from openpgp import armor


def node(left, right):
    return sha(b'\x01' + left + right)


def push_leaf(frontier, size, data):
    leaf = sha(b'\x00' + data)
    while size & 1:
        leaf, size = node(frontier.pop(), leaf), size >> 1
    frontier.append(leaf)


def fold(frontier):
    if not frontier:
        return sha(b'').hex()
    root = frontier[-1]
    for left in reversed(frontier[:-1]):
        root = node(left, root)
    return root.hex()


def object_name(kind, body):
    return sha(f'{kind} {len(body)}\0'.encode() + body, 'sha1').hex()


def tree_name(entries):
    """Entries: name → object name of a file, or a dict for a directory."""
    rows = []
    for name, value in entries.items():
        is_folder = isinstance(value, dict)
        oid = tree_name(value) if is_folder else value
        mode = '40000' if is_folder else '100644'
        rows.append((name + '/' if is_folder else name, f'{mode} {name}\0'.encode() + bytes.fromhex(oid)))
    return object_name('tree', b''.join(row for _, row in sorted(rows)))


def tree_of(tip):
    size, top = len(tip.blobs), {}
    for index, blob in enumerate(tip.blobs):
        segment, file = index // 256, f'{index:09}.json'
        if segment == size // 256:
            top.setdefault(f'hot-{segment:06}', {})[file] = blob
        else:
            top.setdefault('seg', {}).setdefault(f'{segment // 64:05}', {}).setdefault(f'{segment:06}', {})[file] = blob
    roster = tip.state['roster']
    keys = b''.join(base64.b64decode(key['public_key']) for member in roster['members'] for key in member['keys'])
    root = base64.b64encode(bytes.fromhex(tip.root)).decode()
    files = {
        'frontier': ''.join(base64.b64encode(h).decode() + '\n' for h in tip.frontier).encode(),
        'tree-head': f'lazarus/{tip.state["ledger_id"]}\n{size}\n{root}\n'.encode(),
        'roster.json': jcs(roster) + b'\n',
        'standing.json': jcs({'cut_offs': sorted(c['fingerprint'] for c in tip.state['cut_offs']), 'sealed': tip.state['sealed']}) + b'\n',
        'keys.asc': armor('PUBLIC KEY BLOCK', keys).encode(),
    }
    top.update({name: object_name('blob', body) for name, body in files.items()})
    return tree_name(top)
