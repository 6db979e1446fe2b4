"""Section 10 of docs/ledger-format.md, "What came in": a source counts once, and one word rests on its record."""
from basics import need


def record(state, event, member, index):
    forge = event['payload']['forge']
    if forge is not None:
        need('gate' in member['roles'], 'role_not_allowed')
        state = dict(state, heard=hear(state.get('heard'), forge))
    return dict(state, hearing=dict(correlation_id=event['correlation_id'], forge=forge, id=event['entity_id'], index=index))


def hear(heard, origin):
    heard = heard or dict(repository=origin['repository'], issue=origin['issue'], comments=[], floor=0, text=None)
    need((heard['repository'], heard['issue']) == (origin['repository'], origin['issue']), 'source_elsewhere')
    number, body, now, text = origin['comment_id'], origin['body_sha256'], origin['updated_at'], heard['text']
    if number is not None:
        need(number not in heard['comments'], 'already_heard')
        need(number > heard['floor'], 'heard_too_old')
        numbers = sorted(heard['comments'] + [number])
        fallen, numbers = numbers[:-256], numbers[-256:]
        return dict(heard, comments=numbers, floor=fallen[0] if fallen else heard['floor'])
    if text is None or now > text['updated_at']:
        return dict(heard, text=dict(bodies=[body], updated_at=now))
    need(body not in text['bodies'], 'already_heard')
    need(now == text['updated_at'] and len(text['bodies']) < 16, 'heard_too_old')
    return dict(heard, text=dict(text, bodies=text['bodies'] + [body]))


def take_word(state, event, start):
    kind, payload, hearing = event['event_type'], event['payload'], state.get('hearing')
    is_proposal = kind == 'mission.proposed'
    if not is_proposal and (kind not in ('approval.denied', 'mission.cancelled', 'mission.held', 'mission.unheld', 'vote.cast', 'vote.withdrawn') or payload['forge'] is None):
        return state
    need(hearing and hearing['index'] >= start, 'source_missing')
    need(hearing['id'] == payload['ingress_id'] if is_proposal else hearing['forge'] == payload['forge'], 'source_missing')
    return {name: value for name, value in state.items() if name != 'hearing'}
