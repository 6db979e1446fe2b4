// The worked example of docs/ledger-format.md: one person opens a project ledger. Everything that the page shows of it.
import { createHash } from 'node:crypto';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { concat, fromUtf8, hex } from '../../src/format/bytes.ts';
import { parseCommit } from '../../src/format/git/commit.ts';
import { parseTree } from '../../src/format/git/tree.ts';
import { leafHash } from '../../src/format/merkle.ts';
import { dearmor } from '../../src/format/openpgp/armor.ts';
import { parseSignature } from '../../src/format/openpgp/signature.ts';
import type { Event } from '../../src/kernel/event.ts';
import { member, roster, testKey } from '../support/people.ts';
import { Written } from './written.ts';

export type Example = {
  /** What a block of kind `hex` must say once comments and blanks are gone. */
  readonly hex: Readonly<Record<string, string>>;
  /** What a block of kind `text` must say, byte for byte. */
  readonly text: Readonly<Record<string, string>>;
  readonly written: Written;
};

const PROJECT_ID = '0b683356-18f1-476f-a940-e7aa8cfb7a3d';
const TX = '6dbbbfa1-fc1c-4858-ade8-818af9f5e22d';
const AT_SECONDS = 1_795_000_000;

export function example(): Example {
  const ana = testKey('ana');
  const opened: Event = {
    actor_id: 'ana',
    actor_type: 'user',
    causation_id: null,
    correlation_id: '84443354-0510-452c-aba1-9c3feadba1c5',
    entity_id: PROJECT_ID,
    entity_type: 'project',
    event_id: 'fb734963-7955-4a64-a373-0eacbbfb3a7f',
    event_type: 'project.opened',
    idempotency_key: '18e256cb-e875-462f-ab97-bc98bec2c6a2',
    occurred_at: '2026-11-18T11:06:40.000Z',
    payload: { roster: roster(PROJECT_ID, [member(ana, { person_id: null })]) },
    schema_version: 1,
    task_id: PROJECT_ID,
  };
  const written = Written.project();
  const { objects, commit } = written.append(ana, [opened], { tx: TX, atSeconds: AT_SECONDS });
  const bodyOf = (oid: string): Uint8Array => objects.find((object) => object.oid === oid)!.body;
  const parsed = parseCommit(commit.body);
  const top = new Map(parseTree(bodyOf(parsed.tree)).map(({ name, oid }) => [name, oid]));
  const hot = bodyOf(top.get('hot-000000')!);
  const [file] = parseTree(hot);
  const eventBytes = bodyOf(file!.oid);
  const packet = dearmor('SIGNATURE', parsed.signature);
  const { hashed } = parseSignature(packet);
  const names = [...top, ['event 0', file!.oid], ['top tree', parsed.tree], ['commit', commit.oid]];
  return {
    written,
    hex: {
      'public-key': hex(ana.publicKey),
      'leaf-hash': hex(leafHash(nodeCrypto, eventBytes)),
      'event-digest': sha('sha256', eventBytes),
      'hot-tree': hex(hot),
      'top-tree': hex(bodyOf(parsed.tree)),
      'signature-packet': hex(packet),
      'hashed-last': hex(hashed),
      digest: sha('sha512', ...parsed.payload, hashed),
    },
    text: {
      event: fromUtf8(eventBytes),
      frontier: fromUtf8(bodyOf(top.get('frontier')!)),
      'tree-head': fromUtf8(bodyOf(top.get('tree-head')!)),
      names: names.map(([name, oid]) => `${oid} ${name}\n`).join(''),
      payload: fromUtf8(concat(parsed.payload)),
      gpgsig: `gpgsig ${parsed.signature.trimEnd().replaceAll('\n', '\n ')}\n`,
    },
  };
}

function sha(name: 'sha256' | 'sha512', ...parts: Uint8Array[]): string {
  const hash = createHash(name);
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
