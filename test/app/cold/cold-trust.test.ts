// What a machine without a clone does not believe: older ledgers, other ledgers, files beside a signature, and keys that
// no longer count. Nothing of it may end in a push.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { sealLedger } from '../../../src/app/seal.ts';
import { adoptEverywhere } from '../../../src/app/threshold/everywhere.ts';
import { ledgerName } from '../../../src/ledger/names.ts';
import { planCutOff } from '../../../src/app/threshold/cut-off.ts';
import { draftOf } from '../../../src/app/threshold/threshold-draft.ts';
import type { State } from '../../../src/kernel/state.ts';
import { rosterFiles, standingFile } from '../../../src/ledger/derived.ts';
import { prepareTransaction } from '../../../src/ledger/transaction.ts';
import { applied, signed, signedSeal } from '../../support/drafts.ts';
import { grow, pushes, served, WAYS, type Machine, type Served } from '../../support/cold.ts';
import { member, testKey, type TestKey, ANA, BO } from '../../support/people.ts';
import { benchAt, note, noteBy } from '../../support/project.ts';
import { git, scratch } from '../../support/repos.ts';
import { refused, taken } from '../../support/taken.ts';

describe.each(WAYS)('%s', (_way, machine) => {
  const MALLORY = testKey('mallory');

  /** A served mission, and a machine that appended to it once. */
  async function seen(size: number): Promise<Served & { readonly cold: Machine }> {
    const at = await served(size);
    const cold = machine();
    taken(await cold.note(at.url, at.ref));
    return { ...at, cold };
  }

  async function expectRefused(at: Served, cold: Machine, code: string, by: TestKey = ANA): Promise<void> {
    const before = pushes(at);
    expect(refused(await cold.note(at.url, at.ref, by))).toBe(code);
    expect(pushes(at)).toBe(before);
  }

  describe.each([1, 301])('a remote that shows another ledger than before (%i events)', (size) => {
    it('is caught when it is older, without fetching much of it', async () => {
      const { cold, ...at } = await seen(size);
      git(at.path, ['update-ref', at.ref, `${at.ref}~1`]);
      at.wire.take();
      await expectRefused(at, cold, 'rollback_detected');
      expect(at.wire.take()).toBeLessThan(30_000);
    });

    it('is caught when it is gone', async () => {
      const { cold, ...at } = await seen(size);
      git(at.path, ['update-ref', '-d', at.ref]);
      await expectRefused(at, cold, 'rollback_detected');
    });

    it.each([
      ['as long', 1],
      ['longer', 7],
      ['longer by segments', 600],
    ])('is caught when it is %s', async (_, count) => {
      const at = await served(size);
      const other = scratch('fork');
      git(other, ['clone', '--quiet', '--mirror', at.path, '.']);
      const cold = machine();
      taken(await cold.note(at.url, at.ref));
      await grow(await benchAt(other), at.ref, count);
      git(at.path, ['fetch', '--quiet', other, `+${at.ref}:${at.ref}`]);
      await expectRefused(at, cold, 'fork_detected');
    });

    it('is caught when somebody pushed something else onto it', async () => {
      const { cold, ...at } = await seen(size);
      const tree = git(at.path, ['rev-parse', `${at.ref}^{tree}`]);
      const foreign = git(at.path, ['commit-tree', '-p', at.ref, '-m', 'mine now', tree]);
      git(at.path, ['update-ref', at.ref, foreign]);
      await expectRefused(at, cold, 'commit_unsigned');
    });
  });

  // Whoever believed the forged file would let ana append; who verifies refuses everybody.
  describe('files of the tree that nobody has verified', () => {
    /** A transaction decided on a state that is not the ledger's, as a forger would write it. */
    async function forge(at: Served, by: TestKey, lie: (state: State) => State): Promise<void> {
      const { bench, ref } = at;
      const tip = await bench.session(ref, ANA, await bench.project()).tip();
      const believed = { ...tip, state: lie(tip.state!) };
      const prepared = taken(prepareTransaction(nodeCrypto, believed, noteBy(by, believed)));
      const files = [
        ...Object.values(rosterFiles(nodeCrypto, believed.state.roster)),
        standingFile(nodeCrypto, believed.state),
      ];
      const { objects, commit } = prepared.finish(await by.sign(prepared.payload, 1_800_000_000));
      await bench.parts.repository.commit({
        objects: [...objects, ...files],
        updates: [{ ref, old: tip.oid, next: commit.oid }],
      });
    }

    it.each([1, 301])(
      'do not make a member: roster.json of an unpinned head is not believed (%i events)',
      async (size) => {
        const { cold, ...at } = await seen(size);
        await forge(at, MALLORY, (state) => ({
          ...state,
          roster: { ...state.roster, members: [...state.roster.members, member(MALLORY)] },
        }));
        for (const one of [cold, machine()]) await expectRefused(at, one, 'signer_unknown');
      },
    );

    it('do not bring a cut-off key back: standing.json of an unpinned head is not believed', async () => {
      const { cold, ...at } = await seen(301);
      await cutOffBo(at);
      await forge(at, BO, (state) => ({ ...state, cut_offs: [] }));
      for (const one of [cold, machine()]) await expectRefused(at, one, 'signer_cut_off');
    });

    it('do not open a sealed ledger again', async () => {
      const { cold, ...at } = await seen(301);
      await sealIt(at);
      await forge(at, ANA, (state) => ({ ...state, sealed: false }));
      for (const one of [cold, machine()]) await expectRefused(at, one, 'ledger_sealed');
    });
  });

  describe.each([1, 301])('a ledger that takes nothing from this writer (%i events)', (size) => {
    it('because it is sealed: said before anything is sent, also when the head is pinned', async () => {
      const { cold, ...at } = await seen(size);
      await sealIt(at);
      for (const one of [cold, cold, machine()]) await expectRefused(at, one, 'ledger_sealed');
    });

    it('because the key is cut off: said before anything is signed or sent', async () => {
      const { cold, ...at } = await seen(size);
      await cutOffBo(at);
      for (const one of [cold, cold, machine()]) await expectRefused(at, one, 'signer_cut_off', BO);
      taken(await cold.note(at.url, at.ref, ANA));
    });

    it('because nobody knows the key', async () => {
      const { cold, ...at } = await seen(size);
      for (const one of [cold, machine()]) await expectRefused(at, one, 'signer_unknown', MALLORY);
    });
  });

  describe('the pin of a machine', () => {
    it('is not ignored when it is damaged', async () => {
      const { cold, ...at } = await seen(1);
      const folder = join(
        cold.state,
        'lazarus',
        'remotes',
        readdirSync(join(cold.state, 'lazarus', 'remotes'))[0]!,
        'pins',
      );
      for (const file of readdirSync(folder)) writeFileSync(join(folder, file), '{');
      await expect(cold.note(at.url, at.ref)).rejects.toMatchObject({ code: 'pin_unreadable' });
    });

    it('is of one address: another remote that shows less is another ledger to it', async () => {
      const { cold, ...at } = await seen(301);
      const other = await served(1);
      expect(taken(await cold.note(other.url, other.ref))).toMatchObject({ way: 'whole', from: 1 });
      expect(taken(await cold.note(at.url, at.ref))).toMatchObject({ way: 'pinned', from: 302 });
    });
  });

  async function sealIt({ bench, ref }: Served): Promise<void> {
    const seal = await signedSeal(bench, ref, [ANA]);
    taken(await sealLedger(bench, ref, seal, { signer: ANA, project: await bench.project() }));
  }

  async function cutOffBo({ bench, ref }: Served): Promise<void> {
    const plan = await planCutOff(bench, await bench.project(), {
      fingerprint: BO.fingerprint,
      trusted: new Map(),
      distrustOthers: false,
    });
    const draft = draftOf({ purpose: 'cut-off', document: plan.document });
    taken(await applied(bench, await signed(bench, draft, ANA), ANA));
    expect(await adoptEverywhere(bench, await bench.project(), ANA)).toContainEqual({
      ledger: ledgerName(ref),
      is: 'adopted',
    });
    expect(refused(await note(bench, ref, BO))).toBe('signer_cut_off');
  }
});
