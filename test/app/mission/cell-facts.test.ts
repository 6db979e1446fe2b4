// The document of a cell's facts, as runners of other versions wrote it, or as one that lies does.
import { expect, it } from 'vitest';
import { Facts, factsDocument } from '../../../src/app/mission/cell-facts.ts';
import { readJson } from '../../../src/app/mission/documents.ts';
import { fromUtf8 } from '../../../src/format/bytes.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import { eventsOf } from './running.ts';
import { approved, site } from './setting.ts';

const TROUBLE = { code: 'disk_full', why: '' };
const EXIT = { reason: 'exited', code: 1, signal: null, usage: { wallMs: 5, memoryPeakBytes: null } };

it('has the bytes that were asked for, and what nobody said stands in none', () => {
  const { content } = factsDocument({ trouble: TROUBLE, exit: null });
  expect(fromUtf8(content)).toBe('{"exit":null,"trouble":{"code":"disk_full","why":""}}');
  expect(Facts.parse(JSON.parse(fromUtf8(content)))).toEqual({ trouble: TROUBLE });
  expect(Facts.parse({})).toEqual({});
});

it('loses nothing by a field in another form', () => {
  const said = { exit: EXIT, network: { reached: 'many' }, port: { requests: [{ what: 3 }] }, exposed_to: 'moon' };
  expect(Facts.parse({ ...said, trouble: TROUBLE })).toEqual({ exit: EXIT, trouble: TROUBLE });
});

it('is none where it is no JSON, as a runner that lies may have it', async () => {
  const at = await site();
  const { mission } = await approved(at);
  const recorded = await eventsOf(at, mission, 'artifact.recorded');
  const words = recorded.find(({ payload }) => payload.media_type === 'application/yaml')!.payload.digest;
  // The words of the mission file: a document like any that somebody names as facts.
  expect(await readJson(at.bench, missionRef(mission), words, Facts)).toBeUndefined();
});
