"""Section 3 of docs/ledger-format.md: event bytes, fields, types, signers."""
import json, re

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
MEMBER = record(('encrypt_to',), encrypt_to=record(fingerprint=FINGERPRINT, public_key=base64_of(1368)), forge_user_id=nullable(COUNT), keys=some(1, 4, KEY), layer=word('L[0-5]'), person_id=nullable(SLUG),
                principal_id=SLUG, principal_type=TYPES, roles=some(1, 6, one_of('gate', 'person', 'root', 'runner', 'witness', 'writer')))
ROSTER = record(members=some(1, 64, MEMBER), n=COUNT, prev=nullable(HASH), project_id=UUID, threshold=whole(1, 64))
UPDATE = dict(roster=ROSTER, signatures=SIGNATURES)
ADOPTED = {'from': record(index=INDEX, leaf=HASH)}
CUT_OFF = dict(cut_off=record(fingerprint=FINGERPRINT, heads=some(0, 64, record(head=HEAD, ledger_id=UUID)), project_id=UUID, roster=HASH), signatures=SIGNATURES)
BECAUSE = dict(because=REASON)
FENCED = dict(fence=COUNT)
NUMBER, FLAG, LEVEL, CODE = whole(1, 2**53 - 1), lambda v: isinstance(v, bool), whole(0, 4), nullable(whole(0, 255))
CLASS = one_of(*('read_local write_local delete_local execute_command network_read network_write credentialed_api_call vcs_mutation publication '
                 'payment_or_spending durable_memory_write rollback policy_override').split())
CLASS_OF = dict(write_local_branch='vcs_mutation', push_branch='vcs_mutation', open_pull_request='publication', post_comment='publication')
KIND, BACKEND = one_of(*CLASS_OF), one_of('process', 'docker', 'venv', 'remote')
_ORIGIN = record(body_sha256=DIGEST, comment_id=nullable(COUNT), issue=COUNT, repository=COUNT, updated_at=nullable(INSTANT), user_id=COUNT)
ORIGIN = nullable(lambda v: _ORIGIN(v) and (v['comment_id'] is None) == (v['updated_at'] is not None))
POLICY = record(digest=DIGEST, revision=COUNT)
PROPOSER = record(forge_user_id=nullable(COUNT), principal_id=nullable(SLUG))
KINDS = some(1, 33, one_of('verify', 'acceptance'))


def checks(value):
    return KINDS(value) and value[0] == 'verify' and 'verify' not in value[1:]


ROLE = one_of('director', 'executor', 'observer', 'guest', 'substitute')
STEPS = some(1, 32, record(agent=nullable(SLUG), depends_on=some(0, 32, COUNT), footprint=some(0, 32, path), role=ROLE))


def steps(value):
    return (STEPS(value) and all(one['depends_on'] == sorted(set(one['depends_on'])) and all(n < place for n in one['depends_on']) for place, one in enumerate(value))
            and len({glob for one in value for glob in one['footprint']}) <= 32)


TERMS = dict(asks=some(0, 16, record(action_class=CLASS, ask=HASH, kind=nullable(KIND))), backend=BACKEND, base_commit=OID, budget_minutes=COUNT, checks=checks, level=LEVEL,
             plan=DIGEST, policy=POLICY, proposal=DIGEST, quorum=whole(0, 16), revision=NUMBER, roster_n=COUNT, steps=steps, terms=HASH,
             tier=whole(0, 3), ttl_minutes=COUNT)
CHECK = record(cell=UUID, check=one_of('verify', 'acceptance'), exit_code=CODE, level=LEVEL, n=COUNT, output=DIGEST)
LIMIT = one_of('hard', 'soft', 'none')
# type: ledgers, entity_type, roles, payload
EVENTS = {
    'project.opened': ('P', 'project', 'root', dict(roster=ROSTER)),
    'roster.updated': ('P', 'roster', 'root', UPDATE),
    'key.cut_off': ('P', 'roster', 'root', CUT_OFF),
    'mission.registered': ('P', 'mission', 'gate person', dict(claims=some(0, 32, path), genesis=OID, mission_id=UUID)),
    'claims.released': ('P', 'mission', 'gate writer person', dict(after=HEAD, because=one_of('ended', 'withdrawn', 'revised'), mission_id=UUID)),
    'tree_head.recorded': ('P', 'mission', 'root', dict(because=one_of('repaired', 'sealed'), head=HEAD, ledger_id=UUID)),
    'halt.declared': ('P', 'project', 'root person', {}),
    'halt.lifted': ('P', 'project', 'root person', {}),
    'policy.revised': ('P', 'project', 'root', dict(policy=DIGEST, revision=NUMBER, sacred=DIGEST)),
    'mission.opened': ('M', 'mission', 'gate person', dict(grew_from=HEAD, mission_id=UUID, project_id=UUID, proposal=nullable(DIGEST))),
    'roster.adopted': ('M', 'roster', 'root person gate runner writer', dict(UPDATE, **ADOPTED)),
    'cut_off.adopted': ('M', 'roster', 'root person gate runner writer', dict(CUT_OFF, **ADOPTED)),
    'ingress.recorded': ('M', 'ingress', 'gate person', dict(
        chosen_task_id=nullable(UUID), conversation_id=UUID, forge=ORIGIN, normalized_text=nullable(DIGEST), raw_text=DIGEST,
        resolution=one_of('control', 'approval', 'append_note', 'fork_child', 'start_new_root', 'chat_only', 'pending_disambiguation'),
        source_channel=one_of('cli', 'issue_form', 'issue_comment', 'scheduler'), status=one_of('bound', 'refused', 'pending_disambiguation'))),
    'mission.proposed': ('M', 'mission', 'gate person', dict(
        ingress_id=UUID, proposal=DIGEST, revision=NUMBER, proposers=some(1, 32, lambda v: PROPOSER(v) and any(one is not None for one in v.values())))),
    'plan.computed': ('M', 'mission', 'gate', dict(TERMS, plan_digest=HASH)),
    'mission.cancelled': ('M', 'mission', 'gate person', dict(forge=ORIGIN, reason=nullable(DIGEST))),
    'mission.held': ('M', 'mission', 'gate person', dict(forge=ORIGIN, reason=nullable(DIGEST))),
    'mission.unheld': ('M', 'mission', 'gate person', dict(forge=ORIGIN, reason=nullable(DIGEST))),
    'mission.ended': ('M', 'mission', 'gate writer', dict(BECAUSE, outcome=one_of('done', 'failed', 'cancelled', 'expired'))),
    'projection.anchored': ('M', 'mission', 'gate writer', dict(comment_id=COUNT, issue=COUNT, kind=one_of('status_comment'))),
    'step.created': ('M', 'step', 'gate', dict(contract_ref=DIGEST, kind=REASON, max_attempts=whole(1, 16), place=COUNT)),
    'attempt.created': ('M', 'attempt', 'gate', dict(attempt_no=whole(1, 16), executor_mode=one_of('cell'), resume_from_ref=nullable(UUID))),
    'context.compiled': ('M', 'attempt', 'runner', dict(context_pack_ref=DIGEST)),
    'attempt.succeeded': ('M', 'attempt', 'writer', {}),
    'attempt.failed': ('M', 'attempt', 'gate runner writer', BECAUSE),
    'attempt.cancelled': ('M', 'attempt', 'gate person writer', BECAUSE),
    'attempt.superseded': ('M', 'attempt', 'gate', BECAUSE),
    'action.requested': ('M', 'action_request', 'gate runner writer', dict(
        action_class=CLASS, kind=nullable(KIND), params_ref=nullable(DIGEST), target_resources=some(0, 32, path),
        reversibility_hint=one_of('reversible', 'partly_reversible', 'irreversible', 'unknown'))),
    'policy.evaluated': ('M', 'policy_result', 'gate writer', dict(
        action_request_ref=UUID, policy=POLICY, reasons=some(0, 16, REASON), result=one_of('allow', 'require_approval', 'deny', 'downgrade'),
        risk=one_of('low', 'moderate', 'high', 'critical'), witness_required=FLAG)),
    'approval.requested': ('M', 'approval', 'gate writer', dict(
        approval_packet_ref=DIGEST, approval_type=one_of('plan', 'effects'), carries=nullable(UUID), digest=HASH, expires_at=INSTANT, requested_action_ref=UUID)),
    'vote.cast': ('M', 'vote', 'gate person', dict(
        approval_id=UUID, choice=one_of('approve', 'reject'), digest=HASH, forge=ORIGIN, reason=nullable(DIGEST))),
    'vote.withdrawn': ('M', 'vote', 'gate person', dict(approval_id=UUID, forge=ORIGIN)),
    'approval.granted': ('M', 'approval', 'gate person', dict(digest=HASH, self_approved=FLAG, votes=some(0, 64, UUID))),
    'approval.denied': ('M', 'approval', 'gate person', dict(BECAUSE, forge=ORIGIN)),
    'approval.expired': ('M', 'approval', 'gate writer', BECAUSE),
    'approval.invalidated': ('M', 'approval', 'gate person writer', BECAUSE),
    'grant.issued': ('M', 'grant', 'gate person writer', dict(
        action_class=CLASS, action_request_ref=UUID, approval_ref=nullable(UUID), expires_at=INSTANT, issued_to_principal_id=SLUG, max_uses=whole(1, 64),
        policy_result_ref=UUID, resource_scope=some(0, 32, path))),
    'grant.revoked': ('M', 'grant', 'gate person writer', BECAUSE),
    'lease.acquired': ('M', 'lease', 'runner writer', dict(
        expires_at=INSTANT, fence=NUMBER, holder_principal_id=SLUG, mode=one_of('readonly', 'mutable', 'isolated', 'external_effects_disabled'), workspace_id=UUID)),
    'lease.released': ('M', 'lease', 'runner writer', dict(BECAUSE, **FENCED)),
    'lease.expired': ('M', 'lease', 'gate writer', dict(
        FENCED, silence=nullable(record(beacon=record(at=INSTANT, digest=DIGEST, no=whole(1, 2**53 - 1)), seconds=whole(180, 2**53 - 1))))),
    'cell.spawned': ('M', 'cell', 'runner', dict(
        FENCED, backend=BACKEND, check=nullable(COUNT), environment=some(0, 16, DIGEST), epoch=COUNT, grant_id=nullable(UUID), level=LEVEL,
        limits=record(cpu=LIMIT, memory=LIMIT, processes=LIMIT), manifest=nullable(DIGEST), manifest_hash=nullable(DIGEST),
        purpose=one_of('agent', 'check', 'prepare'), reach=some(0, 31, path), role=ROLE, seed_id=nullable(UUID), uid=COUNT)),
    'cell.closed': ('M', 'cell', 'gate runner', dict(
        BECAUSE, **FENCED, exit_code=CODE, facts=nullable(DIGEST), output=nullable(DIGEST), outcome=one_of('completed', 'failed', 'expired', 'lost'),
        spent=some(0, 8, record(calls=COUNT, guessed=COUNT, route=SLUG, tokens_in=COUNT, tokens_out=COUNT)))),
    'done.claimed': ('M', 'work', 'runner', dict(FENCED, claim=DIGEST, status=one_of('done_clean', 'pending', 'failed', 'unreadable'))),
    'blocked.raised': ('M', 'work', 'runner', dict(FENCED, document=DIGEST)),
    'work.proposed': ('M', 'work', 'runner', dict(FENCED, base_commit=OID, changed_paths=COUNT, commit=OID, scope_audit=DIGEST, tree=OID)),
    'work.refused': ('M', 'work', 'runner', dict(BECAUSE, **FENCED, scope_audit=nullable(DIGEST))),
    'verification.recorded': ('M', 'verification', 'runner', dict(
        FENCED, checks=some(1, 64, CHECK), revision=OID, verdict=one_of('satisfied', 'unsatisfied'))),
    'effects.computed': ('M', 'attempt', 'writer', dict(
        effects=some(1, 16, record(action_request_ref=UUID, effect=HASH, kind=KIND)), effects_digest=HASH, params_ref=DIGEST)),
    'effect.intended': ('M', 'effect', 'writer', dict(
        FENCED, effect=HASH, grant_id=UUID, kind=KIND, params_ref=DIGEST, target=path, witness=record(base_commit=OID))),
    'effect.observed': ('M', 'effect', 'writer', dict(
        FENCED, number=nullable(COUNT), oid=nullable(OID), outcome=one_of('applied', 'refused', 'failed', 'unknown_outcome'), reason=REASON)),
    'decision.recorded': ('M', 'decision', 'person', dict(
        decision_type=one_of('uncertainty_resolution'), evidence_refs=some(0, 16, DIGEST), outcome=one_of('applied', 'not_applied'), rationale=DIGEST,
        reversible=FLAG, risk_level=one_of('low', 'moderate', 'high', 'critical'), subject_ref=UUID, summary=REASON)),
    'receipt.issued': ('M', 'receipt', 'gate person runner writer', dict(
        action_request_ref=UUID, approval_ref=nullable(UUID), capability_grant_ref=nullable(UUID), decision_ref=UUID, environment_ref=nullable(DIGEST),
        input_refs=some(0, 16, DIGEST), output_refs=some(0, 16, DIGEST), policy_result_ref=nullable(UUID),
        receipt_class=one_of('tool_execution', 'command_execution', 'publish', 'memory_promotion', 'approval_resolution', 'rollback', 'observation_resolution'),
        replay_class=one_of('deterministic_replay', 'idempotent_replay', 'observe_only', 'explain_only'),
        result_code=one_of('succeeded', 'failed', 'refused', 'denied', 'expired', 'unknown_outcome'), result_summary=REASON,
        rollback=record(how=one_of('none', 'delete_branch', 'close_pull_request', 'delete_comment'), supported=one_of('yes', 'partly', 'no')), subject_ref=UUID)),
    'task.created': ('M', 'task', 'gate person', dict(contract=nullable(DIGEST))),
    'task.readied': ('M', 'task', 'gate person', {}),
    'task.started': ('M', 'task', 'runner', {}),
    'task.blocked': ('M', 'task', 'runner gate writer', BECAUSE),
    'task.unblocked': ('M', 'task', 'runner gate person', {}),
    'task.paused': ('M', 'task', 'runner gate person', BECAUSE),
    'task.resumed': ('M', 'task', 'gate person', {}),
    'task.completed': ('M', 'task', 'writer', dict(evidence=some(0, 64, DIGEST))),
    'task.failed': ('M', 'task', 'gate writer', BECAUSE),
    'task.cancelled': ('M', 'task', 'gate person writer', BECAUSE),
    'task.rolled_back': ('M', 'task', 'writer', BECAUSE),
    'note.recorded': ('M', 'note', 'person gate runner writer', dict(bytes=COUNT, digest=DIGEST, media_type=MEDIA)),
    'artifact.recorded': ('M', 'artifact', 'person gate runner writer',
                          dict(bytes=whole(0, 16_777_216), digest=DIGEST, encryption=one_of('none', 'per_artifact_key'), media_type=MEDIA)),
    'artifact.erased': ('M', 'artifact', 'person gate root', dict(because=REASON, digest=DIGEST)),
    'ledger.repaired': ('PM', 'ledger', 'root', dict(repair=record(foreign_count=whole(1, 1_000_000), foreign_tip=OID, ledger_id=UUID, roster=HASH, valid_head=HEAD), signatures=SIGNATURES)),
    'ledger.sealed': ('PM', 'ledger', 'root', dict(seal=record(ledger_id=UUID, roster=HASH), signatures=SIGNATURES)),
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
    shape = record(('attempt_id', 'cause', 'step_id', 'workspace_id'), actor_id=SLUG, actor_type=TYPES, attempt_id=UUID,
                   cause=record(index=INDEX, ledger_id=UUID, leaf=HASH), causation_id=nullable(UUID), correlation_id=UUID,
                   entity_id=UUID, entity_type=one_of(entity), event_id=UUID, event_type=one_of(kind), idempotency_key=UUID, occurred_at=INSTANT,
                   payload=record(('decision_ref',), **payload), schema_version=whole(1, 1), step_id=UUID, task_id=UUID, workspace_id=UUID)
    need(shape(event), 'event_malformed')
    return event
