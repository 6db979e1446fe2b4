// Files that follow from the events: readable without lazarus, never believed by it.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { base64, fromHex, fromUtf8, utf8 } from '../../src/format/bytes.ts';
import { readFrontier, readStanding, treeHeadBody } from '../../src/ledger/derived.ts';
import type { Tip } from '../../src/ledger/tip.ts';
import { CAST, fact, MISSION } from '../support/given.ts';
import { cutOffAdoption, exampleOf, sealOf } from '../support/examples.ts';
import { notes, write, writtenMission, writtenProject, type Written } from '../support/written.ts';

const project = writtenProject();
const mission = writtenMission(project.tip);

/** The tip of a mission with so many events. */
function missionOf(size: number): Tip {
  let { tip } = mission;
  while (tip.size < size) ({ tip } = write(tip, notes(Math.min(256, size - tip.size), tip.size), CAST.gate));
  return tip;
}

describe('a frontier', () => {
  const { tip, objects } = write(missionOf(100), notes(5, 100), CAST.gate);
  const lines = `${tip.frontier.hashes().map(base64).join('\n')}\n`;
  const body = objects.find(({ body: bytes }) => fromUtf8(bytes) === lines)!.body;

  it('written down is taken up again', () => {
    const read = readFrontier(nodeCrypto, body, 105, tip.root);
    expect(read.is === 'accepted' && read.value.hashes()).toEqual(tip.frontier.hashes());
  });

  it('that does not have the signed root is refused', () => {
    expect(readFrontier(nodeCrypto, body, 105, 'ab'.repeat(32))).toMatchObject({ code: 'derived_file_mismatch' });
    const swapped = utf8(fromUtf8(body).split('\n').slice(0, -1).reverse().join('\n').concat('\n'));
    expect(readFrontier(nodeCrypto, swapped, 105, tip.root)).toMatchObject({ code: 'derived_file_mismatch' });
  });
});

describe('a file that is no text, or not the text it should be', () => {
  it.each([
    ['a frontier', 'frontier', (body: Uint8Array) => readFrontier(nodeCrypto, body, 1, 'ab'.repeat(32))],
    ['a standing', 'standing.json', readStanding],
  ])('is named instead of %s', (_, file, read) => {
    expect(() => read(Uint8Array.of(0x66, 0xc3, 0x28, 0x0a))).toThrow(
      expect.objectContaining({ code: 'derived_file_mismatch', facts: { file } }),
    );
  });

  it.each(['null', '[]', '{"cut_offs":[],"sealed":0}', '{"cut_offs":[1],"sealed":false}', '{"sealed":false}'])(
    'is named instead of a standing: %s',
    (text) =>
      expect(() => readStanding(utf8(`${text}\n`))).toThrow(expect.objectContaining({ code: 'derived_file_mismatch' })),
  );
});

describe('a tree head', () => {
  it('is a text of three lines that other tools can read', () => {
    const root = 'ab'.repeat(32);
    expect(treeHeadBody(MISSION, 7, root)).toBe(`lazarus/${MISSION}\n7\n${base64(fromHex(root)!)}\n`);
  });
});

describe('roster and standing', () => {
  it('are written when they change, and only then', () => {
    const names = (written: Written) =>
      written.objects.map(({ body, type }) => (type === 'blob' ? kindOf(body) : '')).filter(Boolean);
    expect(names(project)).toEqual(['frontier', 'tree-head', 'keys', 'roster', 'standing']);
    expect(names(mission)).toEqual(['frontier', 'tree-head', 'keys', 'roster', 'standing']);
    expect(names(write(mission.tip, notes(1), CAST.gate))).toEqual(['frontier', 'tree-head']);
    const adopted = write(mission.tip, [exampleOf('roster.adopted', CAST.gate).event], CAST.gate);
    expect(names(adopted)).toEqual(['frontier', 'tree-head', 'keys', 'roster']);
    const cut = write(mission.tip, [fact('cut_off.adopted', cutOffAdoption(), CAST.gate)], CAST.gate);
    expect(names(cut)).toEqual(['frontier', 'tree-head', 'standing']);
    const sealed = write(cut.tip, [fact('ledger.sealed', sealOf(), CAST.root)], CAST.root);
    expect(names(sealed)).toEqual(['frontier', 'tree-head', 'standing']);
  });

  function kindOf(body: Uint8Array): string {
    const text = fromUtf8(body);
    if (text.startsWith('lazarus/')) return 'tree-head';
    if (text.startsWith('-----BEGIN PGP PUBLIC')) return 'keys';
    if (text.startsWith('{"members"')) return 'roster';
    if (text.startsWith('{"cut_offs"')) return 'standing';
    return text.startsWith('{') ? '' : 'frontier';
  }
});
