// One commit, altered in every place there is: never accepted, and never more than a refusal. First by somebody without
// a key, who can change bytes and rename the object; then by a member of the roster, who can sign the lie.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { fromUtf8, utf8 } from '../../src/format/bytes.ts';
import { encodeCommit, parseCommit } from '../../src/format/git/commit.ts';
import { gitObject } from '../../src/format/git/object.ts';
import { armor } from '../../src/format/openpgp/armor.ts';
import { readCommit } from '../../src/ledger/verify-commit.ts';
import { REASONS } from '../../src/reasons.ts';
import { T0_SECONDS, uuid } from '../support/events.ts';
import { CAST, fact } from '../support/given.ts';
import type { TestKey } from '../support/people.ts';
import { notes, reread, write, writtenMission, writtenProject, type Written } from '../support/written.ts';

const project = writtenProject();
const mission = writtenMission(project.tip);
const middle = write(mission.tip, notes(3), CAST.gate);
const crossing = write(write(middle.tip, notes(250), CAST.gate).tip, notes(5), CAST.gate);

const COMMITS = {
  'a project’s first commit': project,
  'a mission’s first commit': mission,
  'a commit': middle,
  'a commit that ends a segment': crossing,
};

function expectRefused(verdict: ReturnType<typeof reread>, what: string): void {
  if (verdict.is === 'accepted') throw new Error(`accepted: ${what}`);
  expect(REASONS).toHaveProperty(verdict.code);
}

describe.each(Object.entries(COMMITS))('%s', (_, written) => {
  const { body } = written.commit;

  it('is accepted as it is', () => {
    expect(reread(written).is).toBe('accepted');
  });

  it('is refused with any one byte of it changed', () => {
    for (let at = 0; at < body.length; at++) {
      const changed = Uint8Array.from(body);
      // Digits stay digits and letters letters, so that the change reaches past the first syntax check.
      changed[at]! ^= 1;
      expectRefused(reread(written, { body: changed }), `byte ${at} of ${fromUtf8(body)}`);
    }
  });

  it('is refused with bytes replaced, put in or taken out anywhere', () => {
    const change = fc.record({
      at: fc.nat(body.length - 1),
      take: fc.integer({ min: 0, max: 3 }),
      put: fc.oneof(fc.uint8Array({ maxLength: 3 }), fc.constantFrom(' ', '\n', '\n\n', '\0', '0', '=').map(utf8)),
    });
    fc.assert(
      fc.property(change, ({ at, take, put }) => {
        const changed = Uint8Array.from([...body.subarray(0, at), ...put, ...body.subarray(at + take)]);
        fc.pre(!Buffer.from(changed).equals(body));
        expectRefused(reread(written, { body: changed }), JSON.stringify({ at, take, put: [...put] }));
      }),
      { numRuns: 1500 },
    );
  });

  it('is refused with any byte of an event changed', () => {
    const place = fc.record({
      which: fc.nat(written.blobs.length - 1),
      at: fc.nat(),
      flip: fc.integer({ min: 1, max: 255 }),
    });
    fc.assert(
      fc.property(place, ({ which, at, flip }) => {
        const changed = Uint8Array.from(written.blobs[which]!);
        changed[at % changed.length]! ^= flip;
        const blobs = written.blobs.with(which, changed);
        expectRefused(reread(written, { blobs }), `byte ${at} of event ${which}`);
      }),
      { numRuns: 400 },
    );
  });

  it('is refused with an event missing, doubled or in another place', () => {
    const { blobs } = written;
    const others = [
      blobs.slice(1),
      blobs.slice(0, -1),
      [...blobs, blobs[0]!],
      [...notes(1, 900)].map(() => utf8('{}\n')),
    ];
    if (blobs.length > 1) others.push(blobs.toReversed());
    for (const other of others) expectRefused(reread(written, { blobs: other }), `${other.length} events`);
  });
});

describe('the name of a commit', () => {
  it('must be that of its bytes', () => {
    const { body, oid } = middle.commit;
    const renamed = { type: 'commit', oid, body: Uint8Array.from([...body, 10]) } as const;
    expect(readCommit(nodeCrypto, renamed)).toMatchObject({ code: 'object_corrupt' });
    expect(readCommit(nodeCrypto, gitObject(nodeCrypto, 'tree', body))).toMatchObject({ code: 'object_corrupt' });
  });
});

describe('a lie that a member of the roster signed', () => {
  const zeros = '0'.repeat(64);
  const tree = middle.commit.body.subarray(5, 45);

  it.each([
    ['tree', (text: string) => text.replace(fromUtf8(tree), '0'.repeat(40)), 'tree_mismatch'],
    ['parent', (text: string) => text.replace(mission.tip.oid!, '0'.repeat(40)), 'commit_reparented'],
    ['no parent', (text: string) => text.replace(/parent .*\n/, ''), 'commit_parents'],
    ['second parent', (text: string) => text.replace(/(parent .*\n)/, '$1$1'), 'commit_parents'],
    ['ledger id', (text: string) => text.replace(/Id: .*/, `Id: ${uuid('other')}`), 'ledger_id_mismatch'],
    [
      'transaction id of the one before',
      (text: string) => text.replace(/Tx: .*/, `Tx: ${mission.tip.recent[0]!}`),
      'transaction_duplicate',
    ],
    ['previous size', (text: string) => text.replace('Prev-Size: 1', 'Prev-Size: 0'), 'prev_size_mismatch'],
    ['size, too large', (text: string) => text.replace('Ledger-Size: 4', 'Ledger-Size: 5'), 'events_missing'],
    ['size, too small', (text: string) => text.replace('Ledger-Size: 4', 'Ledger-Size: 3'), 'events_missing'],
    ['size, none added', (text: string) => text.replace('Ledger-Size: 4', 'Ledger-Size: 1'), 'transaction_size'],
    ['size, far too large', (text: string) => text.replace('Ledger-Size: 4', 'Ledger-Size: 258'), 'transaction_size'],
    ['previous root', (text: string) => text.replace(/Prev-Root: .*/, `Prev-Root: ${zeros}`), 'prev_root_mismatch'],
    ['root', (text: string) => text.replace(/Ledger-Root: .*/, `Ledger-Root: ${zeros}`), 'root_mismatch'],
    ['roster number', (text: string) => text.replace('Roster: 0 ', 'Roster: 1 '), 'roster_mismatch'],
    ['roster digest', (text: string) => text.replace(/Roster: 0 .*/, `Roster: 0 ${zeros}`), 'roster_mismatch'],
    ['project size, smaller', (text: string) => text.replace('Project: 1 ', 'Project: 0 '), 'project_head_decreased'],
    ['project root', (text: string) => text.replace(/Project: 1 \w+/, `Project: 1 ${zeros}`), 'project_head_decreased'],
    ['no project', (text: string) => text.replace(/Ledger-Project: .*\n/, ''), 'project_head_missing'],
    ['repair', (text: string) => `${text}Ledger-Repairs: ${mission.tip.oid!} 1\n`, 'repair_mismatch'],
    ['subject', (text: string) => text.replace('3 events', '4 events'), 'subject_mismatch'],
    [
      'subject that begins like the right one',
      (text: string) => text.replace('note.recorded', 'note.recorded note'),
      'subject_mismatch',
    ],
    ['author’s name', (text: string) => text.replaceAll('gate <', 'root <'), 'author_mismatch'],
    ['author’s address', (text: string) => text.replaceAll('@lazarus.invalid', '@example.org'), 'author_mismatch'],
    [
      'author’s key',
      (text: string) => text.replaceAll(CAST.gate.fingerprint, CAST.root.fingerprint),
      'author_mismatch',
    ],
  ])('about its %s is refused', (_, lie, code) => {
    expect(reread(middle, { body: resigned(middle, CAST.gate, lie) })).toMatchObject({ is: 'refused', code });
  });

  it('about who signed it is refused', () => {
    const asRoot = (text: string): string =>
      text.replaceAll(CAST.gate.fingerprint, CAST.root.fingerprint).replaceAll('gate <', 'root <');
    expect(reread(middle, { body: resigned(middle, CAST.gate, asRoot) })).toMatchObject({
      code: 'signature_issuer_wrong',
    });
  });

  it('may change the time: nothing but its own word stands behind it', () => {
    const later = (text: string): string => text.replaceAll('1795000000', '1795000001');
    expect(reread(middle, { body: resigned(middle, CAST.gate, later) }).is).toBe('accepted');
  });

  it('is refused when a project commit cites a project head', () => {
    const halted = write(project.tip, [fact('halt.declared', {}, CAST.root)], CAST.root);
    const body = resigned(halted, CAST.root, (text) => `${text}Ledger-Project: 1 ${zeros} ${'0'.repeat(40)}\n`);
    expect(reread(halted, { body })).toMatchObject({ code: 'project_head_misplaced' });
  });

  function resigned(written: Written, by: TestKey, lie: (text: string) => string): Uint8Array {
    const { signature: _old, payload: _bytes, ...fields } = parseCommit(written.commit.body);
    const honest = fromUtf8(encodeCommit(fields));
    const text = lie(honest);
    if (text === honest) throw new Error('this lie changes nothing');
    const signature = armor('SIGNATURE', by.signNow(utf8(text), T0_SECONDS));
    return utf8(text.replace('\n\n', () => `\ngpgsig ${signature.trimEnd().replaceAll('\n', '\n ')}\n\n`));
  }
});
