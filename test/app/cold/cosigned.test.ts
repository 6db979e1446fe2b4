// A machine that never saw a mission, and a snapshot of it that others signed: when it may begin there, and every way in
// which somebody who can push, or a member who lies, would have it begin at a state of their own.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { shareSnapshot } from '../../../src/app/share-snapshot.ts';
import { readShared, sharedCommit, type SharedFiles } from '../../../src/app/shared-snapshot.ts';
import { planCutOff } from '../../../src/app/threshold/cut-off.ts';
import { removeMember } from '../../../src/app/threshold/roster-change.ts';
import { draftOf } from '../../../src/app/threshold/threshold-draft.ts';
import { base64, fromUtf8, utf8 } from '../../../src/format/bytes.ts';
import { jcs } from '../../../src/format/jcs.ts';
import { statement } from '../../../src/format/openpgp/detached.ts';
import { STATE_VERSION } from '../../../src/kernel/state.ts';
import { treeHeadBody } from '../../../src/ledger/derived.ts';
import { ledgerName, snapshotRef } from '../../../src/ledger/names.ts';
import { decodeSnapshot, snapshotStatement } from '../../../src/ledger/snapshot.ts';
import { grow, machine, seenByAll, served, type Machine, type Served } from '../../support/cold.ts';
import { applied, drafted, signed as signedDraft } from '../../support/drafts.ts';
import { member, testKey, type TestKey, ANA, BO, CY } from '../../support/people.ts';
import { people } from '../../support/project.ts';
import { git } from '../../support/repos.ts';
import { refused, taken } from '../../support/taken.ts';
import { aMission } from '../../support/workbench.ts';

const CY_TOO = testKey('cy2');
const BOT = testKey('bot');
const MEMBERS = [
  ...people(ANA, BO, CY),
  member(CY_TOO, { person_id: 'cy', roles: ['person'] }),
  member(BOT, { person_id: null, principal_type: 'service', roles: ['writer'] }),
];

type At = Served & { readonly long: string; readonly cold: Machine };

/** Ana's machine knows the project from another mission. The long one it never saw. */
async function prepared(size = 300): Promise<At> {
  const at = await served(1, 10, MEMBERS);
  const long = await aMission(at.bench);
  await grow(at.bench, long, size - 1);
  const cold = machine();
  taken(await cold.note(at.url, at.ref));
  return { ...at, long, cold };
}

async function signed({ bench, long }: At, ...by: readonly TestKey[]): Promise<void> {
  for (const key of by) await shareSnapshot(bench, long, () => Promise.resolve(key));
}

async function wayOf({ cold, url, long }: At, by: TestKey = ANA): Promise<string> {
  return taken(await cold.note(url, long, by)).way;
}

describe('a snapshot that two others signed', () => {
  it('is where a machine begins that knows the project only, and what it keeps for the next time', async () => {
    const at = await prepared();
    await signed(at, BO, CY);
    await grow(at.bench, at.long, 30);
    const id = randomUUID();
    expect(taken(await at.cold.task(at.url, at.long, 'task.created', id))).toMatchObject({
      way: 'cosigned',
      from: 330,
    });
    expect(refused(await at.cold.task(at.url, at.long, 'task.completed', id))).toBe('task_transition_illegal');
    expect(taken(await at.cold.task(at.url, at.long, 'task.readied', id))).toMatchObject({ way: 'since_pin' });
    expect(await wayOf(at)).toBe('pinned');
    const { integrity, events } = await seenByAll({ path: at.path, ref: at.long });
    expect([integrity.is, events]).toEqual(['ok', 333]);
  });

  it('costs time only when it is lost, and nothing is begun at it without a project that this machine knows', async () => {
    const at = await prepared();
    await signed(at, BO, CY);
    expect(taken(await machine().note(at.url, at.long)).way).toBe('whole');
    git(at.path, ['update-ref', '-d', snapshotRef(ledgerName(at.long))]);
    expect(await wayOf(at)).toBe('whole');
  });

  it('gathers signatures while it is the same, and begins anew at a newer boundary', async () => {
    const at = await prepared();
    const share = (key: TestKey) => shareSnapshot(at.bench, at.long, () => Promise.resolve(key));
    const first = await share(BO);
    expect(await share(BO)).toEqual(first);
    expect(await share(CY)).toEqual({
      head: first.head,
      signed: expect.arrayContaining([BO.fingerprint, CY.fingerprint]),
    });
    await grow(at.bench, at.long, 256);
    // Ana never signed it: she adds to what others rely on. Bo has, and goes on.
    expect((await share(ANA)).signed).toHaveLength(3);
    const next = await share(BO);
    expect(next.head.size).toBeGreaterThan(first.head.size);
    expect(next.signed).toEqual([BO.fingerprint]);
  });

  it('is not made of a short ledger, nor by a machine', async () => {
    const at = await prepared(20);
    await expect(signed(at, BO)).rejects.toMatchObject({ code: 'snapshot_needless' });
    await grow(at.bench, at.long, 256);
    await expect(signed(at, BOT)).rejects.toMatchObject({ code: 'cosignature_invalid' });
  });
});

describe('signatures that do not suffice', () => {
  it.each([
    ['none but its own', [ANA]],
    ['one other', [BO]],
    ['its own and one other', [ANA, BO]],
    ['two keys of one person', [CY, CY_TOO]],
  ])('%s: everything is verified', async (_, keys) => {
    const at = await prepared();
    await signed(at, ...keys);
    expect(await wayOf(at)).toBe('whole');
  });

  it('of somebody who was removed from the project since, which the mission does not say', async () => {
    const at = await prepared();
    await signed(at, BO, CY);
    taken(await applied(at.bench, await drafted(at.bench, removeMember('bo'), ANA), ANA));
    expect(await wayOf(at)).toBe('whole');
  });

  it('of a key that was cut off since, whichever of the two knows it', async () => {
    const at = await prepared();
    await signed(at, BO, CY);
    const suspicion = { fingerprint: BO.fingerprint, trusted: new Map(), distrustOthers: false };
    const { document } = await planCutOff(at.bench, await at.bench.project(), suspicion);
    const draft = await signedDraft(at.bench, draftOf({ purpose: 'cut-off', document }), ANA);
    taken(await applied(at.bench, draft, ANA));
    expect(await wayOf(at)).toBe('whole');
  });
});

/** What members who lie together, or whoever can push, put there instead of what is true. */
describe('a forged one', () => {
  let truth: SharedFiles;
  let at: At;

  async function forged(lie: (files: SharedFiles) => SharedFiles | Promise<SharedFiles>): Promise<string> {
    at = await prepared();
    await signed(at, BO, CY);
    const target = snapshotRef(ledgerName(at.long));
    const { repository } = at.bench.parts;
    const old = (await repository.resolve(target))!;
    truth = (await readShared(repository, old))!;
    const { objects, next } = sharedCommit(nodeCrypto, await lie(truth), 1);
    await repository.commit({ objects, updates: [{ ref: target, old, next }] });
    return wayOf(at);
  }

  it('is needed for these tests to say anything: the true one put back is good', async () => {
    expect(await forged((files) => files)).toBe('cosigned');
  });

  it.each<readonly [string, (files: SharedFiles) => SharedFiles | Promise<SharedFiles>]>([
    [
      'a changed state under the true signatures',
      (files) => ({ ...files, snapshot: edited(files.snapshot, { notes: 1 }) }),
    ],
    ['bytes that are no snapshot', (files) => ({ ...files, snapshot: utf8('[]\n') })],
    ['bytes that are no proof', (files) => ({ ...files, proof: utf8('{}\n') })],
    [
      'another renderer, signed by both',
      (files) => resigned(files, jcsWith(files.snapshot, { renderer: STATE_VERSION + 1 })),
    ],
    [
      'another ledger, signed by both',
      (files) => resigned(files, jcsWith(files.snapshot, { ledger_id: randomUUID() })),
    ],
    [
      'a roster of their own in the state, signed by both',
      (files) => resigned(files, edited(files.snapshot, { roster: oneRoot(files.snapshot) })),
    ],
    [
      'a head that the ledger does not contain, signed by both',
      (files) =>
        resigned(
          files,
          jcsWith(files.snapshot, { head: { ...decodeSnapshot(files.snapshot)!.head, oid: 'ab'.repeat(20) } }),
        ),
    ],
    ['signatures over the tree head alone', (files) => ({ ...files, signatures: overHeadOnly(files) })],
    ['signatures for another purpose', (files) => ({ ...files, signatures: forAnotherPurpose(files) })],
  ])('%s: everything is verified', async (_, lie) => {
    expect(await forged(lie)).toBe('whole');
  });

  it('that two members agreed on brings a tree to light which is not that of the state, and everything is verified', async () => {
    expect(await forged((files) => resigned(files, edited(files.snapshot, { sealed: true })))).toBe('whole');
  });

  it.each<readonly [string, Fields]>([
    ['nothing barred', { cut_offs: null }],
    ['no roster', { roster: {} }],
    ['members that are none', { roster: { members: [null], n: 0, project_id: 'x' } }],
  ])('that two members agreed on, of no shape that a rule could read (%s): everything is verified', async (_, lie) => {
    expect(await forged((files) => resigned(files, edited(files.snapshot, lie)))).toBe('whole');
  });

  it('that breaks a rule only later, when this machine has kept it, is left behind then', async () => {
    expect(await forged((files) => resigned(files, edited(files.snapshot, { tasks: null })))).toBe('cosigned');
    const id = randomUUID();
    // The attack: every task of this machine would end in a broken program, for as long as it keeps that state.
    expect(taken(await at.cold.task(at.url, at.long, 'task.created', id)).way).toBe('whole');
    expect(refused(await at.cold.task(at.url, at.long, 'task.completed', id))).toBe('task_transition_illegal');
    const { integrity, state } = await seenByAll({ path: at.path, ref: at.long });
    expect([integrity.is, state]).toMatchObject(['ok', { tasks: { [id]: expect.anything() } }]);
  });

  it('of another mission of the project, under this one’s name', async () => {
    const there = await prepared();
    const other = await aMission(there.bench);
    await grow(there.bench, other, 300);
    for (const key of [BO, CY]) await shareSnapshot(there.bench, other, () => Promise.resolve(key));
    const oid = git(there.path, ['rev-parse', snapshotRef(ledgerName(other))]);
    git(there.path, ['update-ref', snapshotRef(ledgerName(there.long)), oid]);
    expect(await wayOf(there)).toBe('whole');
  });

  it('is no way below what this machine has seen: its own pin goes before', async () => {
    const there = await prepared();
    await signed(there, BO, CY);
    expect(await wayOf(there)).toBe('cosigned');
    const seen = git(there.path, ['rev-parse', there.long]);
    git(there.path, ['update-ref', there.long, `${seen}~1`]);
    expect(refused(await there.cold.note(there.url, there.long))).toBe('rollback_detected');
  });
});

type Fields = Readonly<Record<string, unknown>>;

function jcsWith(snapshot: Uint8Array, changes: Fields): Uint8Array {
  return utf8(`${jcs({ ...(JSON.parse(fromUtf8(snapshot)) as Fields), ...changes })}\n`);
}

function edited(snapshot: Uint8Array, changes: Fields): Uint8Array {
  const { state } = JSON.parse(fromUtf8(snapshot)) as { state: Fields };
  return jcsWith(snapshot, { state: { ...state, ...changes } });
}

function oneRoot(snapshot: Uint8Array): unknown {
  const { roster } = decodeSnapshot(snapshot)!.state;
  return { ...roster, members: roster.members.filter(({ principal_id }) => principal_id !== 'bo') };
}

/** Bo and Cy sign whatever they are given: what they cannot do is make it true of this ledger. */
async function resigned(files: SharedFiles, snapshot: Uint8Array): Promise<SharedFiles> {
  const { head, ledger_id: ledgerId } = JSON.parse(fromUtf8(snapshot)) as { head: never; ledger_id: string };
  const said = snapshotStatement(nodeCrypto, snapshot, { ledgerId, head });
  const signatures = await Promise.all(
    [BO, CY].map(async (key) => ({ fingerprint: key.fingerprint, signature: base64(await key.sign(said, 1)) })),
  );
  return { ...files, snapshot, signatures };
}

/** A co-signature of a tree head says nothing of what the ledger came to. */
function overHeadOnly({ snapshot, signatures }: SharedFiles): SharedFiles['signatures'] {
  const { head, ledgerId } = decodeSnapshot(snapshot)!;
  return signedAnew(signatures, statement('cosign', utf8(treeHeadBody(ledgerId, head.size, head.root))));
}

function forAnotherPurpose({ snapshot, signatures }: SharedFiles): SharedFiles['signatures'] {
  const said = fromUtf8(snapshotStatement(nodeCrypto, snapshot, decodeSnapshot(snapshot)!));
  return signedAnew(signatures, utf8(said.replace('lazarus snapshot v1', 'lazarus cosign v1')));
}

function signedAnew(signatures: SharedFiles['signatures'], bytes: Uint8Array): SharedFiles['signatures'] {
  return signatures.map(({ fingerprint }) => {
    const key = [BO, CY].find((one) => one.fingerprint === fingerprint)!;
    return { fingerprint, signature: base64(key.signNow(bytes, 1)) };
  });
}
