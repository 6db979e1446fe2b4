// A ledger onto which a stranger fast-forwarded garbage: nobody appends, nothing is lost, and a threshold of roots goes on
// from the last valid head. And what must not be repaired, because it would throw away what is valid.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { findDamage, repairDocument } from '../../src/app/repair.ts';
import { applyDraft } from '../../src/app/threshold/apply.ts';
import { judge } from '../../src/app/threshold/judge.ts';
import { draftOf } from '../../src/app/threshold/threshold-draft.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { fromUtf8, utf8 } from '../../src/format/bytes.ts';
import { armor } from '../../src/format/openpgp/armor.ts';
import { prepareTransaction } from '../../src/ledger/transaction.ts';
import { ledgerName, PROJECT_REF } from '../../src/ledger/names.ts';
import { applied, signed } from '../support/drafts.ts';
import { type TestKey, ANA, BO, CY } from '../support/people.ts';
import { aProject, benchAt, note, noteBy, people, reportOf } from '../support/project.ts';
import { git, scratch } from '../support/repos.ts';
import { refused, taken } from '../support/taken.ts';
import { aMission } from '../support/workbench.ts';

/** A mission of three events, and what a stranger with write access does to its branch. */
async function wedged(garbage: (path: string, ref: string) => string) {
  const project = await aProject(people(ANA, BO, CY), { threshold: 2 });
  const mission = await aMission(project.bench);
  for (const by of [ANA, BO]) taken(await note(project.bench, mission, by));
  const head = git(project.path, ['rev-parse', mission]);
  const tip = push(project.path, mission, garbage);
  return { ...project, mission, head, tip };
}

function push(path: string, ref: string, garbage: (path: string, ref: string) => string): string {
  const tip = garbage(path, ref);
  git(path, ['update-ref', ref, tip]);
  return tip;
}

const plain = (path: string, ref: string) => git(path, ['commit-tree', '-p', ref, '-m', 'garbage', `${ref}^{tree}`]);
const several = (path: string, ref: string) => plain(path, plain(path, plain(path, ref)));
const root = (path: string) => git(path, ['commit-tree', '-m', 'not ours', git(path, ['mktree'])]);
const merge = (path: string, first: string, second: string) =>
  git(path, ['commit-tree', '-p', first, '-p', second, '-m', 'Merge', git(path, ['mktree'])]);
const merged = (path: string, ref: string) => merge(path, ref, root(path));
/** The ledger hangs on the second parent: along first parents nothing of it is seen. */
const hidden = (path: string, ref: string) => merge(path, root(path), ref);

describe.each([
  ['a plain commit', plain, 1, 'commit_unsigned'],
  ['several', several, 3, 'commit_unsigned'],
  ['a merge', merged, 2, 'commit_unsigned'],
  ['a merge that hides the ledger behind another parent', hidden, 2, 'commit_unsigned'],
] as const)('garbage: %s', (_, garbage, count, code) => {
  it('stops writers, who lose nothing, until a threshold goes on from the last valid head', async () => {
    const { bench, path, mission, head, tip } = await wedged(garbage);
    await expect(note(bench, mission, ANA)).rejects.toMatchObject({ code });
    expect(git(path, ['rev-parse', mission])).toBe(tip);

    const damage = taken(await findDamage(bench, mission, await bench.project()));
    expect(damage).toMatchObject({ foreignTip: tip, foreignCount: count, tip: { oid: head, size: 3 } });
    const draft = draftOf({ purpose: 'repair', document: repairDocument(bench, damage) });
    const one = await signed(bench, draft, BO);
    expect(await applied(bench, one, BO)).toMatchObject({ code: 'threshold_not_met' });
    taken(await applied(bench, await signed(bench, one, CY), BO));

    // Garbage and ledger are both still there, and every commit but the foreign ones is verified.
    expect(git(path, ['rev-parse', `${mission}^`])).toBe(tip);
    expect(await reportOf(bench, mission)).toMatchObject({ integrity: { is: 'ok' }, events: 4, transactions: 4 });
    git(path, ['fsck', '--strict', '--full']);
    expect(refused(await note(bench, mission, ANA))).toBe('accepted');
    expect(refused(await findDamage(bench, mission, await bench.project()))).toBe('repair_needless');
    const recorded = (await bench.project()).tip.size;
    expect(recorded).toBe(2);
  });

  it('is found by somebody who never saw the ledger whole, and who catches up later', async () => {
    const { path, mission } = await wedged(garbage);
    const clone = scratch('clone');
    git(path, ['clone', '-q', '--mirror', '.', clone]);
    const bench = await benchAt(clone);
    await repaired(bench, mission, [ANA, CY]);
    expect((await reportOf(bench, mission)).integrity).toEqual({ is: 'ok' });
    // The first clone remembers the head of before the garbage, and follows.
    git(path, ['fetch', '-q', clone, '+refs/heads/*:refs/heads/*', '--update-head-ok']);
    const first = await benchAt(path);
    const { report } = await first.verify(mission, 'since-pin', { project: await first.project() });
    expect(report.integrity).toEqual({ is: 'ok' });
  });
});

describe('a repair', () => {
  it('can be needed again, and in the project ledger', async () => {
    const { bench, path, mission } = await wedged(plain);
    await repaired(bench, mission, [ANA, BO]);
    push(path, mission, hidden);
    await repaired(bench, mission, [BO, CY]);
    push(path, PROJECT_REF, several);
    await expect(bench.project()).rejects.toMatchObject({ code: 'commit_unsigned' });
    await repaired(bench, PROJECT_REF, [ANA, CY]);
    for (const ref of [PROJECT_REF, mission]) expect((await reportOf(bench, ref)).integrity).toEqual({ is: 'ok' });
    expect(refused(await note(bench, mission, CY))).toBe('accepted');
  });

  it('leaves everything else in the repository alone', async () => {
    const { bench, path, mission } = await wedged(plain);
    const blob = git(path, ['hash-object', '-w', '--stdin'], 'an artifact');
    git(path, ['update-ref', `refs/lazarus/artifacts/${ledgerName(mission)}`, blob]);
    const others = () => git(path, ['for-each-ref', '--format=%(refname) %(objectname)', 'refs/lazarus', 'refs/tags']);
    const before = others();
    await repaired(bench, mission, [ANA, BO]);
    expect(others()).toBe(before);
    expect(git(path, ['cat-file', 'blob', blob])).toBe('an artifact');
  });

  it('that was signed before more garbage came is no longer the one that is needed', async () => {
    const { bench, path, mission } = await wedged(plain);
    const draft = await signedRepair(bench, mission, [ANA, BO]);
    push(path, mission, plain);
    expect(refused(await judge(bench, { purpose: 'repair', document: draft.document as never }))).toBe(
      'statement_stale',
    );
  });

  it('is not appended when the branch moves between looking and writing', async () => {
    const { bench, path, mission } = await wedged(plain);
    const draft = await signedRepair(bench, mission, [ANA, BO]);
    const judged = taken(await judge(bench, { purpose: 'repair', document: draft.document as never }));
    const tip = push(path, mission, plain);
    await expect(applyDraft(bench, draft, judged, ANA)).rejects.toMatchObject({ code: 'head_moved' });
    expect(git(path, ['rev-parse', mission])).toBe(tip);
    expect((await bench.project()).tip.size).toBe(1);
  });

  it('names what it names: altered, it is refused although it is signed', async () => {
    const { bench, mission, head } = await wedged(several);
    const damage = taken(await findDamage(bench, mission, await bench.project()));
    const document = repairDocument(bench, damage);
    for (const altered of [
      { foreign_count: 2 },
      { foreign_tip: head },
      { valid_head: { ...document.valid_head, size: 2 } },
    ])
      expect(refused(await judge(bench, { purpose: 'repair', document: { ...document, ...altered } }))).toBe(
        'statement_stale',
      );
  });
});

describe('no repair', () => {
  it.each([
    ['at the head', 'format_newer', (_: string, newer: string) => newer],
    ['below garbage', 'format_newer', (path: string, newer: string) => plain(path, newer)],
    ['hidden by a merge', 'repair_of_valid', (path: string, newer: string) => hidden(path, newer)],
  ])('throws away what only a newer version can read, %s', async (_, code, garbage) => {
    const { bench, path, mission, head } = await wedged(plain);
    git(path, ['update-ref', mission, head]);
    const newer = await appendedByNewer(bench, path, mission);
    push(path, mission, () => garbage(path, newer));
    expect(refused(await findDamage(bench, mission, await bench.project()))).toBe(code);
  });

  it('undoes a rollback or a fork: there is no garbage, there is a missing head', async () => {
    const { bench, path, mission, head } = await wedged(plain);
    git(path, ['update-ref', mission, `${head}^`]);
    expect(refused(await findDamage(bench, mission, await bench.project()))).toBe('rollback_detected');
    // The attack: garbage on an old head, so that a repair from there would drop the newest transaction.
    push(path, mission, plain);
    expect(refused(await findDamage(bench, mission, await bench.project()))).toBe('commit_unsigned');
    await expect(repaired(bench, mission, [ANA, BO])).rejects.toThrow('commit_unsigned');
  });

  it('finds a head where nothing verifies', async () => {
    const { path, mission } = await wedged(plain);
    const clone = scratch('clone');
    git(path, ['clone', '-q', '--mirror', '.', clone]);
    push(clone, mission, (where) => root(where));
    const bench = await benchAt(clone);
    expect(refused(await findDamage(bench, mission, await bench.project()))).toBe('repair_no_valid_head');
  });
});

async function signedRepair(bench: Workbench, ref: string, by: readonly TestKey[]) {
  const project = ref === PROJECT_REF ? undefined : await bench.project();
  const damage = taken(await findDamage(bench, ref, project));
  let draft = draftOf({ purpose: 'repair', document: repairDocument(bench, damage) });
  for (const key of by) draft = await signed(bench, draft, key);
  return draft;
}

async function repaired(bench: Workbench, ref: string, by: readonly TestKey[]): Promise<void> {
  taken(await applied(bench, await signedRepair(bench, ref, by), by[0]!));
}

/** A commit that is right in everything, of the format after ours; its author signed it. */
async function appendedByNewer(bench: Workbench, path: string, ref: string): Promise<string> {
  const tip = await bench.session(ref, ANA, await bench.project()).tip();
  const transaction = noteBy(ANA, tip);
  const prepared = taken(prepareTransaction(nodeCrypto, tip, transaction));
  const text = fromUtf8(prepared.payload).replace('Ledger-Format: 1\n', 'Ledger-Format: 2\n');
  const signature = armor('SIGNATURE', await ANA.sign(utf8(text), transaction.atSeconds));
  await bench.parts.repository.commit({ objects: prepared.finish(await ANA.sign(utf8(text), 1)).objects, updates: [] });
  const body = text.replace('\n\n', `\ngpgsig ${signature.trimEnd().replaceAll('\n', '\n ')}\n\n`);
  return git(path, ['hash-object', '-t', 'commit', '-w', '--stdin'], body);
}
