// What a changed roster does to keys and missions: rotation, removal, who may work where from when on.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { causesOf, readRecords } from '../../src/app/causes.ts';
import { electorateOf, signMatter, rootRisk } from '../../src/app/threshold/electorate.ts';
import { adoptEverywhere } from '../../src/app/threshold/everywhere.ts';
import { projectElectorate } from '../../src/app/threshold/judge.ts';
import { addMember, removeMember, rotateKey, setMember } from '../../src/app/threshold/roster-change.ts';
import { ledgerName, PROJECT_REF } from '../../src/ledger/names.ts';
import type { Tip } from '../../src/ledger/tip.ts';
import { prepareTransaction } from '../../src/ledger/transaction.ts';
import { applied, drafted, matterOf, publicKey } from '../support/drafts.ts';
import { uuid } from '../support/events.ts';
import { roster, testKey, type TestKey, ANA, BO, CY } from '../support/people.ts';
import { aProject, note, noteBy, people, reportOf } from '../support/project.ts';
import { git } from '../support/repos.ts';
import { refused, taken } from '../support/taken.ts';
import { aMission } from '../support/workbench.ts';

const DI = testKey('di');
const ANA_NEW = testKey('ana', 'ana, second key');
const DI_FACTS = { forge_user_id: null, layer: 'L1', person_id: 'di', principal_type: 'user' } as const;

describe('a key that is rotated', () => {
  it('ends where the new one begins, in the project and in open missions', async () => {
    const { bench } = await aProject(people(ANA));
    const mission = await aMission(bench);
    const from = (await bench.project()).tip.size;
    taken(await applied(bench, await drafted(bench, rotateKey(publicKey(ANA_NEW), from, 0), ANA), ANA));
    expect(await adoptEverywhere(bench, await bench.project(), ANA)).toEqual([
      { ledger: ledgerName(mission), is: 'adopted' },
    ]);
    const records = await readRecords(bench, mission, {});
    const adopted = records[0]!.events.find(({ event_type }) => event_type === 'roster.adopted')!;
    expect(causesOf(adopted.event_id, records)).toMatchObject({
      links: [
        { ledger: ledgerName(mission), event: { event_type: 'roster.adopted' } },
        { ledger: 'project', event: { event_type: 'roster.updated' } },
      ],
      end: 'start',
    });
    expect(refused(await note(bench, mission, ANA))).toBe('signer_outside_validity');
    expect(refused(await note(bench, mission, ANA_NEW))).toBe('accepted');
    // It is the new key that changes the roster from now on.
    expect(
      await signMatter(
        projectElectorate(await bench.project()),
        matterOf(await drafted(bench, setMember('ana', { layer: 'L2' }), ANA_NEW)),
        { signer: ANA, atSeconds: 1 },
      ),
    ).toMatchObject({ code: 'threshold_signer_not_root' });
    for (const ref of [PROJECT_REF, mission]) expect((await reportOf(bench, ref)).integrity).toEqual({ is: 'ok' });
  });

  it('may go on for some events, and makes room for itself when there were many', async () => {
    const { bench } = await aProject(people(ANA));
    let signer = ANA;
    for (let i = 1; i <= 6; i++) {
      const next = testKey('ana', `ana, key ${i}`);
      const from = (await bench.project()).tip.size;
      taken(await applied(bench, await drafted(bench, rotateKey(publicKey(next), from, 2), signer), signer));
      signer = next;
    }
    const { keys } = (await bench.project()).tip.state!.roster.members[0]!;
    expect(keys.map(({ from, until }) => [from, until])).toEqual([
      [3, 6],
      [4, 7],
      [5, 8],
      [6, null],
    ]);
  });
});

describe('a member who is removed', () => {
  it('appends nothing more: not here, and not past us into the ledger', async () => {
    const { bench, path } = await aProject(people(ANA, BO));
    const mission = await aMission(bench);
    // Bo prepares a transaction under the roster of before, to be slipped in later.
    const before = await bench.session(mission, BO, await bench.project()).tip();
    taken(await applied(bench, await drafted(bench, removeMember('bo'), ANA), ANA));
    // Without the barrier the mission has not heard of it: our own write path refuses already.
    expect(refused(await note(bench, mission, BO))).toBe('signer_unknown');
    expect((await adoptEverywhere(bench, await bench.project(), ANA))[0]).toMatchObject({ is: 'adopted' });
    expect(refused(await note(bench, mission, BO))).toBe('signer_unknown');

    // The attack: behind the barrier, a commit by bo as if nothing had happened, citing the old project head or the new.
    const barrier = await bench.session(mission, ANA, await bench.project()).tip();
    for (const [cited, code] of [
      [before.project, 'project_head_decreased'],
      [barrier.project, 'signer_unknown'],
    ] as const) {
      const forged = await slipped({ ...barrier, state: before.state, project: cited }, BO);
      git(path, ['update-ref', mission, barrier.oid!]);
      const updates = [{ ref: mission, old: barrier.oid, next: forged.commit.oid }];
      await bench.parts.repository.commit({ objects: forged.objects, updates });
      expect((await reportOf(bench, mission)).integrity).toMatchObject({ is: 'refused', index: barrier.size, code });
    }
  });
});

describe('open missions', () => {
  it('let a new member work at once, and hear of every change once only', async () => {
    const { bench } = await aProject(people(ANA));
    const mission = await aMission(bench);
    taken(
      await applied(
        bench,
        await drafted(bench, addMember(publicKey(DI), 1, { ...DI_FACTS, roles: ['person'] }), ANA),
        ANA,
      ),
    );
    expect(refused(await note(bench, mission, DI))).toBe('signer_unknown');
    const project = await bench.project();
    await adoptEverywhere(bench, project, ANA);
    expect(refused(await note(bench, mission, DI))).toBe('accepted');
    const adopted = await bench.place.head(mission);
    expect(await adoptEverywhere(bench, project, ANA)).toEqual([]);
    expect(await bench.place.head(mission)).toEqual(adopted);
  });

  it('do not wait for one that is wedged', async () => {
    const { bench, path } = await aProject(people(ANA, BO));
    const [wedged, whole] = [await aMission(bench), await aMission(bench)].toSorted();
    const garbage = git(path, ['commit-tree', '-p', wedged!, '-m', 'garbage', `${wedged}^{tree}`]);
    git(path, ['update-ref', wedged!, garbage]);
    taken(await applied(bench, await drafted(bench, removeMember('bo'), ANA), ANA));
    expect(await adoptEverywhere(bench, await bench.project(), ANA)).toEqual([
      { ledger: ledgerName(wedged!), is: 'commit_unsigned' },
      { ledger: ledgerName(whole!), is: 'adopted' },
    ]);
  });
});

describe('the loss of root keys', () => {
  const risk = (keys: readonly TestKey[], threshold: number, cutOff: readonly TestKey[] = []) => {
    const state = {
      roster: roster(uuid('project'), people(...keys), { threshold }),
      cut_offs: cutOff.map(({ fingerprint }) => ({ fingerprint })),
    };
    return rootRisk(electorateOf(state as never, 5));
  };

  it('is told as how many may lose theirs, down to none', () => {
    expect(risk([ANA, BO, CY], 2)).toEqual({ threshold: 2, persons: ['ana', 'bo', 'cy'], losable: 2 });
    expect(risk([ANA, BO, CY], 3)).toMatchObject({ losable: 1 });
    expect(risk([ANA, BO, CY], 2, [CY])).toMatchObject({ persons: ['ana', 'bo'], losable: 1 });
    expect(risk([ANA, BO, CY], 2, [BO, CY])).toMatchObject({ persons: ['ana'], losable: 0 });
  });
});

/** A transaction as its author would like the ledger to stand. */
async function slipped(tip: Tip, by: TestKey) {
  const transaction = noteBy(by, tip);
  const prepared = taken(prepareTransaction(nodeCrypto, tip, transaction));
  return prepared.finish(await by.sign(prepared.payload, transaction.atSeconds));
}
