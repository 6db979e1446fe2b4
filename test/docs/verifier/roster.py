"""Section 4 of docs/ledger-format.md: the roster, its keys, thresholds."""
from basics import Refused, jcs, need, sha, unbase64
from openpgp import check_signature, read_encryption_key, read_key


PARSED = {}


def keyring(roster):
    digest = roster_digest(roster)
    if digest not in PARSED:
        keys = {}
        for member in roster['members']:
            for key in member['keys']:
                need(key['fingerprint'] not in keys, 'roster_key_twice')
                data = unbase64(key['public_key'], 'key_malformed')
                need(len(data) <= 1024, 'key_malformed')
                fingerprint, user, point = read_key(data)
                need(fingerprint == key['fingerprint'], 'roster_key_mislabelled')
                need(user == f'{member["principal_id"]} <{fingerprint}@lazarus.invalid>'.encode(), 'roster_key_user_id')
                keys[fingerprint] = (member, key, point)
        PARSED[digest] = keys
    return PARSED[digest]


def roster_digest(roster):
    return sha(jcs(roster)).hex()


def person(member):
    return member['person_id'] or member['principal_id']


def names(proposer, member):
    account = proposer['forge_user_id']
    return member['principal_id'] == proposer['principal_id'] or account is not None and member['forge_user_id'] == account


def votes(member):
    return 'person' in member['roles'] and member['principal_type'] == 'user'


def check_roster(roster, barred=()):
    names = [member['principal_id'] for member in roster['members']]
    need(names == sorted(set(names)), 'roster_not_canonical')
    for member in roster['members']:
        need(member['roles'] == sorted(set(member['roles'])), 'roster_not_canonical')
        need(all(k['until'] is None or k['until'] > k['from'] for k in member['keys']), 'roster_key_never_valid')
        need(member['principal_type'] == 'user' or member['layer'] not in ('L0', 'L1'), 'roster_layer_wrong')
    accounts = [member['forge_user_id'] for member in roster['members'] if member['forge_user_id'] is not None]
    need(len(accounts) == len(set(accounts)), 'roster_account_twice')
    keys, readers = keyring(roster), set()
    for member in roster['members']:
        if 'encrypt_to' not in member:
            continue
        entry = member['encrypt_to']
        data = unbase64(entry['public_key'], 'key_malformed')
        need(len(data) <= 1024, 'key_malformed')
        binders = {k['fingerprint']: (unbase64(k['public_key'], 'key_malformed'), keys[k['fingerprint']][2]) for k in member['keys'] if k['fingerprint'] not in barred}
        need(read_encryption_key(data, binders) == entry['fingerprint'], 'roster_key_mislabelled')
        need(entry['fingerprint'] not in readers, 'roster_key_twice')
        readers.add(entry['fingerprint'])
    lasting = {person(m) for m in roster['members'] if 'root' in m['roles'] and any(k['until'] is None and k['fingerprint'] not in barred for k in m['keys'])}
    need(len(lasting) >= roster['threshold'], 'roster_threshold_unreachable')


def valid_at(key, basis):
    return key['from'] <= basis and (key['until'] is None or basis < key['until'])


def check_threshold(roster, barred, purpose, document, signatures, since, basis):
    keys, persons, previous = keyring(roster), set(), ''
    for entry in signatures:
        fingerprint = entry['fingerprint']
        need(fingerprint > previous, 'threshold_not_canonical')
        previous = fingerprint
        need(fingerprint in keys and 'root' in keys[fingerprint][0]['roles'], 'threshold_signer_not_root')
        member, key, point = keys[fingerprint]
        valid = key['from'] <= basis and (key['until'] is None or since < key['until'])
        need(fingerprint not in barred and valid, 'threshold_signer_outside_validity')
        try:
            data = f'lazarus {purpose} v1\n'.encode() + jcs(document)
            check_signature(unbase64(entry['signature'], 'signature_malformed'), point, fingerprint, data)
        except Refused:
            raise Refused('threshold_signature_invalid')
        persons.add(person(member))
    need(len(persons) >= roster['threshold'], 'threshold_not_met')
