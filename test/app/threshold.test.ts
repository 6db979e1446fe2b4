// Roster changes that several people must sign: drafts that travel, and who counts.
import { describe, expect, it } from 'vitest';
import { jcs } from '../../src/format/jcs.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { signMatter } from '../../src/app/threshold/electorate.ts';
import { judge, projectElectorate } from '../../src/app/threshold/judge.ts';
import {
  addMember,
  nextRoster,
  removeMember,
  setMember,
  setThreshold,
  type RosterChange,
} from '../../src/app/threshold/roster-change.ts';
import {
  decodeDraft,
  encodeDraft,
  mergeDrafts,
  withSignature,
  type ThresholdDraft,
} from '../../src/app/threshold/threshold-draft.ts';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { applied, drafted, matterOf, publicKey, signed } from '../support/drafts.ts';
import { member, testKey, ANA, BO, CY } from '../support/people.ts';
import { aProject, people, reportOf } from '../support/project.ts';
import { refused, taken } from '../support/taken.ts';

const ANA_NEW = testKey('ana', 'ana, second key');
const AT = { from: 1, facts: { forge_user_id: null, layer: 'L1', principal_type: 'user' } } as const;

describe('two of three', () => {
  it('sign a draft that travels as a file, and then it is the roster', async () => {
    const { bench } = await aProject(people(ANA, BO, CY), { threshold: 2 });
    const file = encodeDraft(await drafted(bench, removeMember('cy'), ANA));
    const received = taken(decodeDraft(file));
    expect(await applied(bench, received, BO)).toMatchObject({
      is: 'refused',
      code: 'threshold_not_met',
      facts: { threshold: 2, signed: ['ana'], missing: ['bo', 'cy'] },
    });
    expect(await applied(bench, await signed(bench, received, BO), BO)).toMatchObject({ is: 'accepted' });
    const { state } = await reportOf(bench, PROJECT_REF);
    expect(state!.roster.members.map((one) => one.principal_id)).toEqual(['ana', 'bo']);
  });

  it('may sign copies of it apart from each other', async () => {
    const { bench } = await aProject(people(ANA, BO, CY), { threshold: 3 });
    const begun = await drafted(bench, setMember('cy', { layer: 'L2' }), ANA);
    const copies = [await signed(bench, begun, BO), await signed(bench, begun, CY)];
    expect(await applied(bench, taken(mergeDrafts(begun, copies)), CY)).toMatchObject({ is: 'accepted' });
  });

  it('are persons: one of them with two keys, or with two principals, is one', async () => {
    const desk = member(testKey('ana-desk'), { person_id: 'ana' });
    const two = member(ANA, { keys: [...member(ANA).keys, ...member(ANA_NEW).keys] });
    const { bench } = await aProject([two, desk, ...people(BO)], { threshold: 2 });
    let draft = await drafted(bench, setThreshold(1), ANA);
    for (const key of [ANA_NEW, testKey('ana-desk')]) draft = await signed(bench, draft, key);
    expect(draft.signatures).toHaveLength(3);
    expect(await applied(bench, draft, ANA)).toMatchObject({
      code: 'threshold_not_met',
      facts: { signed: ['ana'], missing: ['bo'] },
    });
    // The attack: the same signatures past our own check, straight into the ledger.
    const update = { roster: draft.document as never, signatures: [...draft.signatures] };
    const id = (await bench.project()).tip.state!.project_id;
    const about = { entity_type: 'roster', entity_id: id, task_id: id } as const;
    const forced = await bench.session(PROJECT_REF, ANA).submit({
      decide: () => ({ is: 'accepted', value: [{ event_type: 'roster.updated', payload: update, ...about }] }),
    });
    expect(refused(forced)).toBe('threshold_not_met');
  });
});

describe('a draft', () => {
  it.each<[string, (text: string) => string]>([
    ['a second spelling', (text) => text.replace('{"document"', '{ "document"')],
    ['a key twice', (text) => text.replace('{"document"', '{"kind":"lazarus.draft","document"')],
    ['a field nobody knows', (text) => text.replace('"kind"', '"intent":1,"kind"')],
    [
      'another purpose than its document',
      (text) => text.replace('"roster","schema_version"', '"repair","schema_version"'),
    ],
    ['a newer version', (text) => text.replace('"schema_version":1', '"schema_version":2')],
    ['half of it', (text) => text.slice(0, text.length / 2)],
    ['too much', (text) => text + ' '.repeat(1024 * 1024)],
  ])('with %s is refused', async (_, altered) => {
    const { bench } = await aProject(people(ANA, BO), { threshold: 2 });
    const text = encodeDraft(await drafted(bench, setThreshold(1), ANA));
    expect(refused(decodeDraft(text))).toBe('accepted');
    expect(altered(text)).not.toBe(text);
    expect(refused(decodeDraft(altered(text)))).toBe('draft_malformed');
  });

  it('whose document was altered after a signature is refused before anybody adds theirs', async () => {
    const { bench } = await aProject(people(ANA, BO), { threshold: 2 });
    const draft = await drafted(bench, setMember('bo', { layer: 'L2' }), ANA);
    const altered = JSON.parse(jcs(draft).replace('"L2"', '"L0"')) as ThresholdDraft;
    expect(await applied(bench, altered, BO)).toMatchObject({
      code: 'threshold_signature_invalid',
      facts: { fingerprint: ANA.fingerprint },
    });
  });

  it('takes no signature for another purpose', async () => {
    const { bench } = await aProject(people(ANA, BO), { threshold: 2 });
    const draft = await drafted(bench, setThreshold(1), ANA);
    const electorate = projectElectorate(await bench.project());
    const other = { purpose: 'repair', document: draft.document } as never;
    const stolen = taken(await signMatter(electorate, other, { signer: BO, atSeconds: 1 }));
    expect(await applied(bench, withSignature(draft, stolen), ANA)).toMatchObject({
      code: 'threshold_signature_invalid',
    });
  });

  it('made for a roster that is gone is refused, also when it is presented a second time', async () => {
    const { bench } = await aProject(people(ANA, BO));
    const first = await drafted(bench, setMember('bo', { layer: 'L2' }), ANA);
    const second = await drafted(bench, removeMember('bo'), ANA);
    taken(await applied(bench, first, ANA));
    for (const late of [first, second]) expect(refused(await judge(bench, matterOf(late)))).toBe('roster_replayed');
  });

  it('is not signed by who has no say, and copies of different ones do not go together', async () => {
    const { bench } = await aProject([...people(ANA), member(BO, { roles: ['person'] })]);
    const one = await drafted(bench, setMember('bo', { layer: 'L2' }), ANA);
    const other = await drafted(bench, setMember('bo', { layer: 'L3' }), ANA);
    const electorate = projectElectorate(await bench.project());
    expect(await signMatter(electorate, matterOf(one), { signer: BO, atSeconds: 1 })).toMatchObject({
      code: 'threshold_signer_not_root',
    });
    expect(refused(mergeDrafts(one, [other]))).toBe('draft_mismatch');
  });
});

describe('a change that makes no sound roster', () => {
  it.each<[string, RosterChange, string]>([
    ['nothing', setThreshold(1), 'roster_unchanged'],
    ['a stranger removed', removeMember('nobody'), 'roster_member_unknown'],
    [
      'somebody added twice',
      addMember(publicKey(BO), 1, { ...AT.facts, person_id: 'bo', roles: ['person'] }),
      'roster_member_exists',
    ],
    [
      'a key of somebody else',
      addMember(publicKey(testKey('di', 'bo')), 1, { ...AT.facts, person_id: null, roles: ['person'] }),
      'roster_key_twice',
    ],
    ['no roles', setMember('bo', { roles: [] }), 'event_malformed'],
    ['a threshold that nobody can meet', setThreshold(3), 'roster_threshold_unreachable'],
    [
      'the last root removed',
      (current) => ({ is: 'accepted', value: { members: current.members.filter((m) => m.roles.length < 3) } }),
      'event_malformed',
    ],
  ])('%s', async (_, change, code) => {
    const { bench } = await aProject(people(ANA, BO));
    expect(refused(nextRoster(nodeCrypto, projectElectorate(await bench.project()), change))).toBe(code);
  });
});
