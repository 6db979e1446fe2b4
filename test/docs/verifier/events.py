"""Section 3 of docs/ledger-format.md: event bytes, fields, types, signers."""
import json, re, unicodedata

from basics import Refused, jcs, need


def word(pattern):
    return lambda v: isinstance(v, str) and re.fullmatch(pattern, v) is not None


def whole(low, high):
    return lambda v: isinstance(v, int) and not isinstance(v, bool) and low <= v <= high


def one_of(*words):
    return lambda v: isinstance(v, str) and v in words


def some(low, high, item):
    return lambda v: isinstance(v, list) and low <= len(v) <= high and all(map(item, v))


def record(optional=(), **fields):
    return lambda v: (isinstance(v, dict) and all(name in fields for name in v)
                      and all(name in optional if name not in v else check(v[name]) for name, check in fields.items()))


def nullable(check):
    return lambda v: v is None or check(v)


def path(v):
    return (isinstance(v, str) and 1 <= len(v.encode('utf-16-le')) // 2 <= 200 and not re.search('[\x00-\x1f\x7f-\x9f\u2028\u2029\\\\]', v)
            and not any(step in ('', '.', '..') for step in v.split('/')))


UUID_RE = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
UUID, SLUG, DIGEST = word(UUID_RE), word('[a-z0-9][a-z0-9._-]{0,62}'), word('sha256:[0-9a-f]{64}')
HASH, OID, FINGERPRINT = word('[0-9a-f]{64}'), word('[0-9a-f]{40}'), word('[0-9A-F]{40}')
REASON, MEDIA = word('[a-z][a-z0-9_]{0,62}'), word('[a-z0-9][a-z0-9.+-]{0,62}/[a-z0-9][a-z0-9.+-]{0,62}')
INSTANT = word(r'[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z')
INDEX, COUNT = whole(0, 256_000_000), whole(0, 2**53 - 1)
HEAD = record(size=INDEX, root=HASH, oid=OID)


def base64_of(characters):
    return lambda v: word('[A-Za-z0-9+/]+={0,2}')(v) and len(v) <= characters


SIGNATURES = some(1, 32, record(fingerprint=FINGERPRINT, signature=base64_of(1024)))
TYPES = one_of('user', 'supervisor', 'agent', 'runner', 'service', 'scheduler', 'webhook', 'policy_engine', 'executor', 'system')
KEY = record(fingerprint=FINGERPRINT, public_key=base64_of(1368), until=nullable(INDEX), **{'from': INDEX})
MEMBER = record(forge_user_id=nullable(COUNT), keys=some(1, 4, KEY), layer=word('L[0-5]'), person_id=nullable(SLUG), principal_id=SLUG,
                principal_type=TYPES, roles=some(1, 6, one_of('gate', 'person', 'root', 'runner', 'witness', 'writer')))
ROSTER = record(members=some(1, 64, MEMBER), n=COUNT, prev=nullable(HASH), project_id=UUID, threshold=whole(1, 64))
UPDATE = dict(roster=ROSTER, signatures=SIGNATURES)
CUT_OFF = dict(cut_off=record(fingerprint=FINGERPRINT, heads=some(0, 64, record(head=HEAD, ledger_id=UUID)), project_id=UUID, roster=HASH), signatures=SIGNATURES)
BECAUSE = dict(because=REASON)
# type: ledgers, entity_type, roles, payload
EVENTS = {
    'project.opened': ('P', 'project', 'root', dict(roster=ROSTER)),
    'roster.updated': ('P', 'roster', 'root', UPDATE),
    'key.cut_off': ('P', 'roster', 'root', CUT_OFF),
    'mission.registered': ('P', 'mission', 'gate person', dict(claims=some(0, 32, path), genesis=OID, mission_id=UUID)),
    'claims.released': ('P', 'mission', 'gate writer person', dict(mission_id=UUID)),
    'tree_head.recorded': ('P', 'mission', 'root gate writer', dict(because=one_of('repaired', 'sealed'), head=HEAD, ledger_id=UUID)),
    'halt.declared': ('P', 'project', 'root', {}),
    'halt.lifted': ('P', 'project', 'root', {}),
    'mission.opened': ('M', 'mission', 'gate person', dict(grew_from=HEAD, mission_id=UUID, project_id=UUID, proposal=nullable(DIGEST))),
    'roster.adopted': ('M', 'roster', 'root person gate runner writer', UPDATE),
    'cut_off.adopted': ('M', 'roster', 'root person gate runner writer', CUT_OFF),
    'task.created': ('M', 'task', 'gate person', dict(contract=nullable(DIGEST))),
    'task.readied': ('M', 'task', 'gate person', {}),
    'task.started': ('M', 'task', 'runner', {}),
    'task.blocked': ('M', 'task', 'runner gate', BECAUSE),
    'task.unblocked': ('M', 'task', 'runner gate person', {}),
    'task.paused': ('M', 'task', 'runner gate person', BECAUSE),
    'task.resumed': ('M', 'task', 'gate person', {}),
    'task.completed': ('M', 'task', 'writer', dict(evidence=some(0, 64, DIGEST))),
    'task.failed': ('M', 'task', 'runner gate writer', BECAUSE),
    'task.cancelled': ('M', 'task', 'gate person', BECAUSE),
    'task.rolled_back': ('M', 'task', 'writer', BECAUSE),
    'note.recorded': ('M', 'note', 'person gate runner writer', dict(bytes=COUNT, digest=DIGEST, media_type=MEDIA)),
    'artifact.recorded': ('M', 'artifact', 'person gate runner writer',
                          dict(bytes=whole(0, 16_777_216), digest=DIGEST, encryption=one_of('none', 'per_artifact_key'), media_type=MEDIA)),
    'artifact.erased': ('M', 'artifact', 'person gate root', dict(because=REASON, digest=DIGEST)),
    'ledger.repaired': ('PM', 'ledger', 'root', dict(repair=record(foreign_count=whole(1, 1_000_000), foreign_tip=OID, ledger_id=UUID, roster=HASH, valid_head=HEAD), signatures=SIGNATURES)),
    'ledger.sealed': ('PM', 'ledger', 'root', {}),
    'trust.annotated': ('PM', 'ledger', 'root', dict(annotation=record(
        fingerprint=FINGERPRINT, judgement=one_of('accepted', 'rejected'), ledger_id=UUID, roster=HASH, until=INDEX, **{'from': INDEX}), signatures=SIGNATURES)),
}
MOVES = {
    'task.readied': ('created', 'ready'), 'task.started': ('ready', 'running'), 'task.blocked': ('running', 'blocked'),
    'task.unblocked': ('blocked', 'running'), 'task.paused': ('running', 'paused'), 'task.resumed': ('paused', 'ready'),
    'task.completed': ('running', 'completed'), 'task.failed': ('running', 'failed'),
    'task.cancelled': ('ready running blocked paused', 'cancelled'), 'task.rolled_back': ('completed failed', 'rolled_back'),
}


def decode_event(data):
    need(len(data) <= 65_536, 'event_too_large')
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Refused('event_not_utf8')
    need(text.endswith('\n'), 'event_not_canonical')
    need(unicodedata.normalize('NFC', text) == text, 'event_not_nfc')
    try:
        event = json.loads(text)
        canonical = jcs(event) + b'\n' == data
    except (ValueError, RecursionError):
        canonical = False
    need(canonical, 'event_not_canonical')
    kind = event.get('event_type') if isinstance(event, dict) else None
    need(isinstance(kind, str) and kind in EVENTS, 'event_type_unknown')
    version = event.get('schema_version')
    need(not isinstance(version, int) or version <= 1, 'event_version_newer')
    _, entity, _, payload = EVENTS[kind]
    shape = record(('attempt_id', 'step_id', 'workspace_id'), actor_id=SLUG, actor_type=TYPES, attempt_id=UUID, causation_id=nullable(UUID), correlation_id=UUID,
                   entity_id=UUID, entity_type=one_of(entity), event_id=UUID, event_type=one_of(kind), idempotency_key=UUID, occurred_at=INSTANT,
                   payload=record(**payload), schema_version=whole(1, 1), step_id=UUID, task_id=UUID, workspace_id=UUID)
    need(shape(event), 'event_malformed')
    return event
