// Co-signatures as a floor: a forge that shows an older or another ledger is caught by somebody who has never been here.
import { describe, expect, it } from 'vitest';
import { cosign, readCosignatures, validCosignatures } from '../../src/app/cosign.ts';
import { planCutOff } from '../../src/app/threshold/cut-off.ts';
import { draftOf } from '../../src/app/threshold/threshold-draft.ts';
import { removeMember } from '../../src/app/threshold/roster-change.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { cosignRef, ledgerName } from '../../src/ledger/names.ts';
import { applied, drafted, signed } from '../support/drafts.ts';
import { testKey, type TestKey, ANA, BO, CY } from '../support/people.ts';
import { aProject, benchAt, note, people } from '../support/project.ts';
import { git, scratch } from '../support/repos.ts';
import { taken } from '../support/taken.ts';
import { aMission } from '../support/workbench.ts';

async function cosigned() {
  const project = await aProject(people(ANA, BO));
  const mission = await aMission(project.bench);
  taken(await note(project.bench, mission, ANA));
  const old = git(project.path, ['rev-parse', mission]);
  taken(await note(project.bench, mission, ANA));
  await cosignNow(project.bench, mission, BO);
  return { ...project, mission, old };
}

describe('without any pin', () => {
  it('a rollback is caught', async () => {
    const { path, mission, old } = await cosigned();
    git(path, ['update-ref', mission, old]);
    const { report } = await strangerSees(path, mission);
    expect(report.integrity).toMatchObject({
      code: 'rollback_detected',
      facts: { cosigned_size: 3, size: 2, by: BO.fingerprint },
    });
  });

  it('a fork is caught, however well it is signed', async () => {
    const { path, mission, old } = await cosigned();
    // The attack: the forge hands ana an old head; she appends in good faith, and the history of before is gone.
    const beside = cosignRef(ledgerName(mission));
    const kept = git(path, ['rev-parse', beside]);
    git(path, ['update-ref', mission, old]);
    git(path, ['update-ref', '-d', beside]);
    const elsewhere = scratch('clone');
    git(path, ['clone', '-q', '--mirror', '.', elsewhere]);
    const fooled = await benchAt(elsewhere);
    taken(await note(fooled, mission, ANA));
    taken(await note(fooled, mission, ANA));
    git(path, ['fetch', '-q', elsewhere, `+${mission}:${mission}`]);
    git(path, ['update-ref', beside, kept]);
    const { report } = await strangerSees(path, mission);
    expect(report.integrity).toMatchObject({ code: 'fork_detected', facts: { cosigned_size: 3, by: BO.fingerprint } });
  });

  it('a ledger that grew since is fine', async () => {
    const { bench, path, mission } = await cosigned();
    taken(await note(bench, mission, ANA));
    expect((await strangerSees(path, mission)).report.integrity).toEqual({ is: 'ok' });
  });
});

describe('a co-signature counts', () => {
  it('once per key, the newest, and next to those of others', async () => {
    const { bench, path, mission } = await cosigned();
    taken(await note(bench, mission, ANA));
    for (const by of [BO, ANA]) await cosignNow(bench, mission, by);
    const found = await readCosignatures(bench.parts.repository, mission);
    expect(found.map(({ fingerprint, size }) => `${fingerprint} ${size}`).toSorted()).toEqual(
      [ANA, BO].map(({ fingerprint }) => `${fingerprint} 4`).toSorted(),
    );
    expect(git(path, ['rev-list', '--count', cosignRef(ledgerName(mission))])).toBe('1');
    git(path, ['fsck', '--strict']);
  });

  it('not by a stranger, not by who was removed, not by a key that was cut off', async () => {
    const { bench, path, mission } = await cosigned();
    await expect(cosignNow(bench, mission, testKey('mallory'))).rejects.toMatchObject({ code: 'cosignature_invalid' });
    const project = await bench.project();
    const suspicion = { fingerprint: BO.fingerprint, trusted: new Map<string, number>(), distrustOthers: false };
    const draft = draftOf({ purpose: 'cut-off', document: (await planCutOff(bench, project, suspicion)).document });
    taken(await applied(bench, await signed(bench, draft, ANA), ANA));
    taken(await note(bench, mission, ANA));
    const tip = await bench.session(mission, ANA, await bench.project()).tip();
    expect(validCosignatures(nodeCrypto, tip, await readCosignatures(bench.parts.repository, mission))).toEqual([]);
    // Whoever holds the stolen key could otherwise make every honest ledger look rolled back.
    expect((await strangerSees(path, mission)).report.integrity).toEqual({ is: 'ok' });
  });

  it('only where the signer is still on the roster', async () => {
    const { bench, mission } = await cosigned();
    taken(await applied(bench, await drafted(bench, removeMember('bo'), ANA), ANA));
    taken(await note(bench, mission, ANA));
    const tip = await bench.session(mission, ANA, await bench.project()).tip();
    expect(validCosignatures(nodeCrypto, tip, await readCosignatures(bench.parts.repository, mission))).toEqual([]);
  });

  it('for its own ledger: copied beside another one it says nothing', async () => {
    const { bench, path, mission } = await cosigned();
    const other = await aMission(bench);
    git(path, ['update-ref', cosignRef(ledgerName(other)), cosignRef(ledgerName(mission))]);
    expect((await strangerSees(path, other)).report.integrity).toEqual({ is: 'ok' });
  });

  it('also when somebody filled the reference with garbage', async () => {
    const { bench, path, mission } = await cosigned();
    const kept = git(path, ['ls-tree', cosignRef(ledgerName(mission))]);
    const junk = git(path, ['hash-object', '-w', '--stdin'], '{"fingerprint":1}');
    const entries = [CY.fingerprint, 'readme'].map((name) => `100644 blob ${junk}\t${name}.json`).toSorted();
    const tree = git(path, ['mktree'], [...entries, kept].map((line) => `${line}\n`).join(''));
    git(path, ['update-ref', cosignRef(ledgerName(mission)), git(path, ['commit-tree', '-m', 'x', tree])]);
    const found = await readCosignatures(bench.parts.repository, mission);
    expect(found.map(({ fingerprint }) => fingerprint)).toEqual([BO.fingerprint]);
    // The next one leaves only what is valid.
    await cosignNow(bench, mission, ANA);
    expect(git(path, ['ls-tree', '--name-only', cosignRef(ledgerName(mission))]).split('\n')).toHaveLength(2);
  });
});

async function cosignNow(bench: Workbench, ref: string, by: TestKey): Promise<void> {
  const { tip } = await bench.verify(ref, 'full', { project: await bench.project() });
  await cosign(bench, ref, tip, by);
}

/** Somebody with a fresh clone: every reference, no memory. */
async function strangerSees(path: string, ref: string) {
  const clone = scratch('stranger');
  git(path, ['clone', '-q', '--mirror', '.', clone]);
  const bench = await benchAt(clone);
  return bench.verify(ref, 'full', { project: await bench.project() });
}
