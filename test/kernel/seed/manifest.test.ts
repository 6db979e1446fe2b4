// A spawn manifest is believed only as its parent signed it, for this project, this plan, this host, this cell and now.
import { describe, expect, test } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { base64, fromUtf8, utf8 } from '../../../src/format/bytes.ts';
import { jcs } from '../../../src/format/jcs.ts';
import { statement } from '../../../src/format/openpgp/detached.ts';
import {
  manifestHash,
  signedBytes,
  withSignature,
  type SpawnManifest,
  type UnsignedManifest,
} from '../../../src/kernel/seed/manifest.ts';
import { verifyManifest, type ManifestExpectations } from '../../../src/kernel/seed/verify-manifest.ts';
import { expectations, parent, signedManifest, unsignedManifest, verifyBy } from '../../support/manifests.ts';
import { testKey } from '../../support/people.ts';

const CELL = '55555555-5555-4555-8555-555555555555';
const OTHER_ID = '66666666-6666-4666-8666-666666666666';
const stranger = testKey('stranger');

function judge(bytes: Uint8Array, changes: Partial<ManifestExpectations> = {}, key = parent): string {
  const verdict = verifyManifest(nodeCrypto, bytes, expectations(CELL, changes), verifyBy(key));
  return verdict.is === 'accepted' ? 'accepted' : verdict.code;
}

async function judged(changes: Partial<UnsignedManifest>): Promise<string> {
  return judge(await signedManifest(unsignedManifest(CELL, changes)));
}

test('the manifest its parent signed is accepted, with the hash that names it', async () => {
  const bytes = await signedManifest(unsignedManifest(CELL));
  const verdict = verifyManifest(nodeCrypto, bytes, expectations(CELL), verifyBy(parent));
  if (verdict.is === 'refused') throw new Error(verdict.code);
  expect(verdict.value.payloadHash).toBe(manifestHash(nodeCrypto, unsignedManifest(CELL)));
  expect(verdict.value.manifest.seed_id).toBe(unsignedManifest(CELL).seed_id);
});

describe('a change to any field of a signed manifest is seen', () => {
  const fields = (value: object, path: readonly string[] = []): readonly (readonly string[])[] =>
    Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? fields(inner, [...path, name])
        : [[...path, name]],
    );

  test.each(fields(unsignedManifest(CELL)).map((path) => [path.join('.'), path] as const))('%s', async (_, path) => {
    const manifest = JSON.parse(fromUtf8(await signedManifest(unsignedManifest(CELL)))) as SpawnManifest;
    const into = path.slice(0, -1).reduce((at, name) => at[name], manifest as any);
    const last = path.at(-1)!;
    into[last] = another(into[last]);
    expect(['manifest_tampered', 'manifest_malformed']).toContain(judge(utf8(jcs(manifest))));
  });

  function another(value: unknown): unknown {
    if (typeof value === 'number') return value + 1;
    if (Array.isArray(value)) return [...value, 'more'];
    const text = value as string;
    // Still well-formed: another digit of an id, a hash or a time.
    return /\d/.test(text) ? text.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)) : `${text}x`;
  }
});

describe('signatures', () => {
  test('by another key, though it names itself as the parent', async () => {
    const lineage = { ...unsignedManifest(CELL).lineage, parent_key_fingerprint: stranger.fingerprint };
    const bytes = await signedManifest(unsignedManifest(CELL, { lineage }), stranger);
    expect(judge(bytes, {}, stranger)).toBe('manifest_signer_wrong');
  });

  test('by another key under the name of the parent', async () => {
    const manifest = unsignedManifest(CELL);
    const payloadHash = manifestHash(nodeCrypto, manifest);
    const sig = base64(await stranger.sign(signedBytes(payloadHash), 1_700_000_000));
    const bytes = utf8(jcs(withSignature(manifest, { fingerprint: parent.fingerprint, payloadHash, sig })));
    expect(judge(bytes)).toBe('manifest_signature_bad');
  });

  test('of the parent for another purpose', async () => {
    const manifest = unsignedManifest(CELL);
    const payloadHash = manifestHash(nodeCrypto, manifest);
    for (const bytes of [utf8(payloadHash), statement('cosign', utf8(payloadHash)), utf8(jcs(manifest))]) {
      const sig = base64(await parent.sign(bytes, 1_700_000_000));
      const signed = utf8(jcs(withSignature(manifest, { fingerprint: parent.fingerprint, payloadHash, sig })));
      expect(judge(signed)).toBe('manifest_signature_bad');
    }
  });

  test('that is no signature at all', () => {
    const manifest = unsignedManifest(CELL);
    const payloadHash = manifestHash(nodeCrypto, manifest);
    for (const sig of ['AAAA', base64(utf8('garbage'))]) {
      const signed = utf8(jcs(withSignature(manifest, { fingerprint: parent.fingerprint, payloadHash, sig })));
      expect(judge(signed)).toBe('manifest_signature_bad');
    }
  });

  test('a payload hash that is not that of the manifest', async () => {
    const manifest = JSON.parse(fromUtf8(await signedManifest(unsignedManifest(CELL)))) as SpawnManifest;
    const payload_hash = 'b'.repeat(64);
    const signed = { ...manifest, signature: { ...manifest.signature, payload_hash } };
    expect(judge(utf8(jcs(signed)))).toBe('manifest_tampered');
  });
});

describe('a well-signed manifest of somewhere else', () => {
  test.each([
    ['install_id', { install_id: OTHER_ID }],
    ['genesis', { genesis_fingerprint: 'b'.repeat(64) }],
    ['mission', { mission_id: OTHER_ID }],
    [
      'plan',
      { constraints: { anchor_hash: 'b'.repeat(64), parent_hash: 'a'.repeat(64), policy_hash: 'a'.repeat(64) } },
    ],
    [
      'parent',
      { constraints: { anchor_hash: 'a'.repeat(64), parent_hash: 'b'.repeat(64), policy_hash: 'a'.repeat(64) } },
    ],
    [
      'policy',
      { constraints: { anchor_hash: 'a'.repeat(64), parent_hash: 'a'.repeat(64), policy_hash: 'b'.repeat(64) } },
    ],
    ['host', { host_id: 'another' }],
    ['cell', { namespace: OTHER_ID }],
  ] satisfies [string, Partial<ManifestExpectations>][])('another %s', async (_, expected) => {
    expect(judge(await signedManifest(unsignedManifest(CELL)), expected)).toBe('manifest_elsewhere');
  });
});

describe('time', () => {
  const ttl = (created_at: string, expires_at: string) => judged({ ttl: { created_at, expires_at } });

  test('an empty or endless life is refused', async () => {
    expect(await ttl('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')).toBe('manifest_ttl_invalid');
    expect(await ttl('2026-01-01T00:00:00.000Z', '2025-12-31T00:00:00.000Z')).toBe('manifest_ttl_invalid');
    expect(await ttl('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:01.000Z')).toBe('manifest_ttl_invalid');
    expect(await ttl('2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z')).toBe('accepted');
  });

  test('a day is a day across the ends of months, years and leap years', async () => {
    const at = async (created_at: string, expires_at: string, now: string): Promise<string> =>
      judge(await signedManifest(unsignedManifest(CELL, { ttl: { created_at, expires_at } })), { now });
    for (const [from, to] of [
      ['2024-02-28', '2024-02-29'],
      ['2024-02-29', '2024-03-01'],
      ['2026-12-31', '2027-01-01'],
      ['2100-02-28', '2100-03-01'],
    ] as const) {
      const [start, end] = [`${from}T12:00:00.000Z`, `${to}T12:00:00.000Z`];
      expect(await at(start, end, start)).toBe('accepted');
      expect(await at(start, `${to}T12:00:01.000Z`, start)).toBe('manifest_ttl_invalid');
    }
  });

  test('expired from the very instant on, and not valid before its time, a clock’s skew excepted', async () => {
    const bytes = await signedManifest(unsignedManifest(CELL));
    expect(judge(bytes, { now: '2026-01-01T03:59:59.999Z' })).toBe('accepted');
    expect(judge(bytes, { now: '2026-01-01T04:00:00.000Z' })).toBe('manifest_expired');
    expect(judge(bytes, { now: '2025-12-31T23:59:50.000Z' })).toBe('accepted');
    expect(judge(bytes, { now: '2025-12-31T23:59:49.000Z' })).toBe('manifest_not_yet_valid');
  });
});

test('a capability that nobody allowed is refused, whatever its kind', async () => {
  const capabilities = unsignedManifest(CELL).capabilities;
  for (const kind of ['fs', 'net', 'shell', 'providers'] as const)
    expect(await judged({ capabilities: { ...capabilities, [kind]: [...capabilities[kind], 'more'] } })).toBe(
      'manifest_capability_beyond',
    );
});

test('anything but the canonical form is refused', async () => {
  const text = fromUtf8(await signedManifest(unsignedManifest(CELL)));
  const cases = [
    `${text}\n`,
    text.replace('{', '{ '),
    text.replace('{', '{"a":1,'),
    text.replace('"mode":"ephemeral"', '"mode":"eternal"'),
    '{}',
    '',
    'x'.repeat(70_000),
  ];
  for (const bad of cases) expect(judge(utf8(bad))).toBe('manifest_malformed');
  expect(judge(new Uint8Array([0xff, 0xfe]))).toBe('manifest_malformed');
});
