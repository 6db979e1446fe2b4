"""Refusals, hashes, canonical JSON, strict base64."""
import base64, hashlib, json


class Refused(Exception):
    pass


def need(good, code):
    if not good:
        raise Refused(code)


def sha(data, name='sha256'):
    return hashlib.new(name, data).digest()


def jcs(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(',', ':')).encode()


def unbase64(text, code):
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise Refused(code)
    need(base64.b64encode(data).decode() == text, code)
    return data
