// From a repository to a proof and back: what `lazarus prove` writes is what `lazarus check` accepts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openRepository } from '../../src/adapters/git/repository.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { checkHere } from '../../src/app/check.ts';
import { prove } from '../../src/app/prove.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { checkBundle } from '../../src/ledger/bundle.ts';
import { base64, utf8 } from '../../src/format/bytes.ts';
import { encodeCommit } from '../../src/format/git/commit.ts';
import { gitObject } from '../../src/format/git/object.ts';
import { encodeTree } from '../../src/format/git/tree.ts';
import { jcs } from '../../src/format/jcs.ts';
import { cosignedBytes } from '../../src/ledger/cosignature.ts';
import { cosignRef, missionRef, PROJECT_REF } from '../../src/ledger/names.ts';
import { bytesOf } from '../support/given.ts';
import {
  ana,
  ben,
  bundleOf,
  MISSION,
  missionMaterial,
  noteBy,
  store,
  stranger,
  world,
  type World,
} from '../support/bundles.ts';
import { T0_SECONDS } from '../support/events.ts';
import { lazarus } from '../support/cli.ts';
import { scratch, scratchRepository } from '../support/repos.ts';
import { benchOver } from '../support/workbench.ts';

const REF = missionRef(MISSION);
const NAME = REF.slice('refs/heads/lazarus/'.length);

let w: World;
beforeAll(() => {
  w = world();
});

async function stored(): Promise<{ folder: string; bench: Workbench }> {
  const folder = scratchRepository();
  const repository = await openRepository(folder);
  await store(w, repository);
  const unused = (): never => {
    throw new Error('nothing is written here');
  };
  const bench = benchOver(repository, { clock: { nowSeconds: unused }, ids: { next: unused }, backOff: unused });
  return { folder, bench };
}

describe('proving from a repository', () => {
  it('writes the very bundle that follows from the ledger', async () => {
    const { bench } = await stored();
    const { bytes, size } = await prove(bench, REF, { event: '4' });
    expect(bytes).toEqual(bundleOf(missionMaterial(w, 4)));
    expect(size).toBe(w.mission.tip.size);
    await bench.close();
  });

  it('finds an event by the beginning of its id, and says when there is none or more than one', async () => {
    const { bench } = await stored();
    const { event_id } = JSON.parse(new TextDecoder().decode(w.mission.transactions[3]!.events[0]!.bytes)) as {
      event_id: string;
    };
    expect((await prove(bench, REF, { event: event_id.slice(0, 12).toUpperCase() })).claim).toEqual({
      is: 'event',
      index: 5,
    });
    await expect(prove(bench, REF, { event: '999' })).rejects.toMatchObject({ code: 'event_not_found' });
    await expect(prove(bench, REF, { event: 'zz' })).rejects.toMatchObject({ code: 'event_not_found' });
    await bench.close();
  });

  it('proves growth between two signed heads, and no other sizes', async () => {
    const { bench } = await stored();
    const { bytes } = await prove(bench, REF, { oldSize: 5 });
    expect(checkBundle(nodeCrypto, bytes)).toMatchObject({
      value: { claim: { is: 'continuation', old: { size: 5 } } },
    });
    await expect(prove(bench, REF, { oldSize: 4 })).rejects.toMatchObject({ code: 'head_not_found' });
    await bench.close();
  });

  it('takes along who co-signed a head of the ledger, and nothing that only lies beside it', async () => {
    const { bench } = await stored();
    const { repository } = bench.parts;
    const cosigned = (by: typeof ana, size: number, root: string) => ({
      fingerprint: by.fingerprint,
      root,
      signature: base64(by.signNow(cosignedBytes(MISSION, size, root), T0_SECONDS)),
      size,
    });
    const rootAt = (transaction: number): string =>
      /Ledger-Root: (.*)/.exec(new TextDecoder().decode(w.mission.transactions[transaction]!.commit))![1]!;
    const files = [cosigned(ana, 5, rootAt(2)), cosigned(ben, 3, rootAt(1)), cosigned(stranger, 5, rootAt(2))];
    const blobs = files.map((one) => ({
      name: `${one.fingerprint}.json`,
      object: gitObject(nodeCrypto, 'blob', utf8(`${jcs(one)}\n`)),
    }));
    const tree = gitObject(
      nodeCrypto,
      'tree',
      encodeTree(blobs.map(({ name, object }) => ({ mode: '100644', name, oid: object.oid }))),
    );
    const author = { name: 'ana', email: 'ana@lazarus.invalid', atSeconds: T0_SECONDS };
    const beside = gitObject(
      nodeCrypto,
      'commit',
      encodeCommit({ tree: tree.oid, parents: [], author, message: 'x\n' }),
    );
    const objects = [...blobs.map(({ object }) => object), tree, beside];
    await repository.commit({ objects, updates: [{ ref: cosignRef(NAME), old: undefined, next: beside.oid }] });
    const { bytes } = await prove(bench, REF, { event: '11' });
    const checked = checkBundle(nodeCrypto, bytes);
    const by = checked.is === 'accepted' ? checked.value.cosigned_by : [];
    expect(by.map(({ principal_id, size }) => `${principal_id} ${size}`).toSorted()).toEqual(['ana 5', 'ben 3']);
    await bench.close();
  });

  it('proves nothing from a ledger that does not verify', async () => {
    const own = world();
    own.mission.lie(stranger, [bytesOf(noteBy(stranger, 80))]);
    const folder = scratchRepository();
    const repository = await openRepository(folder);
    await store(own, repository);
    await repository.close();
    const { code, stderr } = await lazarus(['prove', NAME, '4', '-o', 'proof.json'], { cwd: folder });
    expect(code).toBe(3);
    expect(stderr).toContain('signer_unknown');
    expect(existsSync(join(folder, 'proof.json'))).toBe(false);
  });

  it('is confirmed against the project ledger of the repository, once somebody vouched for the genesis', async () => {
    const { bench } = await stored();
    const { bytes } = await prove(bench, REF, { event: '4' });
    const genesis = w.project.tip.state!.project_genesis;
    expect(await checkHere(bench, bytes, {})).toMatchObject({ value: { trust: { is: 'unpinned' } } });
    expect(await checkHere(bench, bytes, { genesis })).toMatchObject({ value: { trust: { is: 'confirmed' } } });
    expect((await prove(bench, PROJECT_REF, { event: '1' })).claim).toEqual({ is: 'event', index: 1 });
    await bench.close();
  });
});

describe('lazarus prove and lazarus check', () => {
  it('agree, in words and in exit codes', async () => {
    const { folder, bench } = await stored();
    await bench.close();
    const made = await lazarus(['prove', NAME, '4', '-o', 'proof.json'], { cwd: folder });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(join(folder, 'proof.json'))).toEqual(Buffer.from(bundleOf(missionMaterial(w, 4))));

    const elsewhere = scratch('elsewhere');
    const genesis = w.project.tip.state!.project_genesis;
    writeFileSync(join(elsewhere, 'proof.json'), readFileSync(join(folder, 'proof.json')));
    const unpinned = await lazarus(['check', 'proof.json'], { cwd: elsewhere });
    expect(unpinned.code).toBe(0);
    expect(unpinned.stdout).toContain('UNPINNED');
    const pinned = await lazarus(['check', 'proof.json', '--genesis', genesis, '--json'], { cwd: elsewhere });
    expect(JSON.parse(pinned.stdout)).toMatchObject({
      proof: 'unvouched',
      trust: { is: 'project_unconfirmed' },
      claim: { index: 4 },
    });
    const here = await lazarus(['check', 'proof.json', '--genesis', genesis, '--here'], { cwd: folder });
    expect(here.stdout).toContain('confirmed: ');
    const wrong = await lazarus(['check', 'proof.json', '--genesis', `sha256:${'0'.repeat(64)}`], { cwd: elsewhere });
    expect(wrong.code).toBe(6);
    expect(wrong.stdout).toContain('genesis_mismatch');
  });

  it('refuse a tampered proof by name, with exit code 6', async () => {
    const folder = scratch('tampered');
    const text = new TextDecoder().decode(bundleOf(missionMaterial(w, 4)));
    writeFileSync(join(folder, 'proof.json'), text.replace('\\"bytes\\":101', '\\"bytes\\":102'));
    const { code, stdout } = await lazarus(['check', 'proof.json', '--json'], { cwd: folder });
    expect(code).toBe(6);
    expect(JSON.parse(stdout)).toMatchObject({ proof: 'refused', error: { code: 'inclusion_invalid' } });
  });

  it('say what is missing on the command line', async () => {
    const folder = scratch('usage');
    expect(await lazarus(['check', 'nothing.json'], { cwd: folder })).toMatchObject({ code: 7 });
    expect(await lazarus(['check', 'x', '--genesis', 'abc'], { cwd: folder })).toMatchObject({
      code: expect.any(Number),
    });
    expect(await lazarus(['prove', 'project'], { cwd: folder })).toMatchObject({ code: 2 });
  });
});
