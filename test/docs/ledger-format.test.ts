// docs/ledger-format.md against the code: the worked example byte for byte, the table of events, the reason codes.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ENTITY_TYPES, EVENT_TYPES, eventSchema, PLACES, type EventType } from '../../src/kernel/event.ts';
import { mayTryAgain } from '../../src/kernel/attempt/blame.ts';
import * as limits from '../../src/kernel/limits.ts';
import { REASONS } from '../../src/reasons.ts';
import { git, scratchRepository } from '../support/repos.ts';
import { example } from './example.ts';
import { blocks, read } from './pages.ts';
import { store } from './written.ts';

const PAGE = read('docs/ledger-format.md');

describe('the worked example', () => {
  it('is what the program writes, byte for byte', () => {
    const { hex, text } = example();
    const shown = [...blocks(PAGE, 'hex')].map(([name, body]) => [name, body.replace(/#.*$/gm, '').replace(/\s/g, '')]);
    expect(Object.fromEntries(shown)).toEqual(hex);
    expect(Object.fromEntries(blocks(PAGE, 'text'))).toEqual(text);
  });

  it('gives the commit its name, and stock git stores it under that name', () => {
    const { written } = example();
    const repository = scratchRepository();
    store(repository, written.objects);
    expect(PAGE).toContain(`into the commit \`${written.tip.oid}\``);
    expect(git(repository, ['fsck', '--strict', '--no-dangling'])).toBe('');
  });
});

describe('the page', () => {
  it('lists every event type with its ledgers, entity type and signers', () => {
    const listed = PAGE.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| ([PM ]+) \| (\w+) \| ([a-z, ]+) \| .* \|$/gm);
    const rows = [...listed].map(([, type, ledgers, entity, signers]) => [type, { ledgers, entity, signers }]);
    const expected = [...EVENT_TYPES].map((name) => {
      const type = name as EventType;
      const { in: kinds, by } = PLACES[type];
      const ledgers = kinds.map((kind) => (kind === 'project' ? 'P' : 'M')).join(' ');
      return [type, { ledgers, entity: ENTITY_TYPES[type], signers: by.join(', ') }];
    });
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected));
  });

  it('names only reason codes that exist', () => {
    const words = new Set([...PAGE.matchAll(/`([a-z]+(?:_[a-z0-9]+)+)`/g)].map(([, word]) => word!));
    const unknown = [...words].filter((word) => !(word in REASONS) && !FIELDS_AND_WORDS.has(word));
    expect(unknown).toEqual([]);
  });

  it('lists every reason that blames the runner, as the second verifier does', () => {
    const blaming = Object.keys(REASONS).filter(mayTryAgain).toSorted();
    const listed = /^\*\*Blames the runner\*\*: (.*)\.$/m.exec(PAGE)![1]!;
    expect([...listed.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code)).toEqual(blaming);
    const verifier = /^OF_THE_RUNNER = \(([^)]*)\)/m.exec(read('test/docs/verifier/worked.py'))![1]!;
    expect(verifier.match(/[a-z_]+/g)).toEqual(blaming);
  });

  it('states every limit of the format', () => {
    const stated = PAGE.replaceAll(',', '');
    const missing = Object.entries(limits).filter(([, value]) => !new RegExp(`(?<!\\d)${value}(?!\\d)`).test(stated));
    expect(missing).toEqual([]);
  });
});

/** What the page puts in the same type as reason codes: fields of events and their fixed words, and those of files. */
const FIELDS_AND_WORDS = new Set([
  ...[...EVENT_TYPES].flatMap((type) => wordsOf(z.toJSONSchema(eventSchema(type)!))),
  'as_of',
  'cut_offs',
  'former_plan',
  'old_size',
  'project_genesis',
  'project_unconfirmed',
  'settled_by',
  'settled_on',
]);

function wordsOf(schema: unknown): string[] {
  if (typeof schema === 'string') return [schema];
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]) => [name, ...wordsOf(value)]);
}
