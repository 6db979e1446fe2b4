// What is laid beside a ledger, on a real remote, by writers who get in each other's way: nothing of either is lost, nobody
// tries for ever, and an answer that was lost is looked up.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { sendArtifacts } from '../../src/app/artifacts/send.ts';
import { cosign } from '../../src/app/cosign.ts';
import { shareSnapshot } from '../../src/app/share-snapshot.ts';
import { pullLedgers, pushLedgers } from '../../src/app/sync.ts';
import { artifactsRef, cosignRef, ledgerName, snapshotRef } from '../../src/ledger/names.ts';
import type { Remote } from '../../src/ports/remote.ts';
import { grow } from '../support/cold.ts';
import { begin, desk, type Desk } from '../support/desk.ts';
import { createBareRepository, startGitHttpServer, type GitHttpServer } from '../support/http-server.ts';
import { type TestKey, ANA, BEN } from '../support/people.ts';
import { git, scratchRepository } from '../support/repos.ts';

let server: GitHttpServer;
let root: string;
let names = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lazarus-beside-'));
  server = await startGitHttpServer(root);
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

type Writer = { readonly desk: Desk; readonly key: TestKey };
type Act = () => Promise<unknown>;

type Kind = {
  readonly ref: (ledger: string) => string;
  readonly size?: number;
  /** What makes each of them ready to write there; the acts themselves, and what lies there once both are done. */
  readonly prepare: (
    all: { readonly ana: Writer; readonly ben: Writer; readonly bare: string },
    ref: string,
  ) => Promise<{ readonly acts: readonly [ana: Act, ben: Act]; readonly left: readonly string[] }>;
};

const fileOf = (digest: string): string => `${digest.slice(7, 9)}/${digest.slice(7)}`;
const signedBy = (...keys: readonly TestKey[]): string[] => keys.map(({ fingerprint }) => `${fingerprint}.json`);

const KINDS: Readonly<Record<string, Kind>> = {
  'a shelf that artifacts are sent to': {
    ref: artifactsRef,
    prepare: async ({ ana, ben }, ref) => {
      const added: string[] = [];
      for (const { desk: one, key } of [ana, ben]) {
        // Without its remote: what is added lies in the clone alone.
        const alone = await desk({ folder: one.folder });
        added.push((await alone.add(ref, `of ${key.principalId}`, { key })).digest);
      }
      const act = (one: Writer) => () => sendArtifacts(one.desk.bench, ref);
      return { acts: [act(ana), act(ben)], left: added.map(fileOf) };
    },
  },
  'a shelf that artifacts are erased from': {
    ref: artifactsRef,
    prepare: async ({ ana, ben, bare }, ref) => {
      const add = async (text: string) => (await ana.desk.add(ref, text)).digest;
      const [first, second, kept] = [await add('first'), await add('second'), await add('kept')];
      // Somebody puts back what both ledgers say is erased.
      const shelf = artifactsRef(ledgerName(ref));
      const full = git(bare, ['rev-parse', shelf]);
      git(bare, ['update-ref', 'refs/kept', full]);
      for (const digest of [first, second]) await ana.desk.erase(ref, digest);
      git(bare, ['update-ref', shelf, full]);
      git(bare, ['update-ref', '-d', 'refs/kept']);
      await pullLedgers(ben.desk.bench);
      const act = (one: Writer, digest: string) => () => one.desk.erase(ref, digest, one.key);
      return { acts: [act(ana, first), act(ben, second)], left: [fileOf(kept)] };
    },
  },
  'co-signatures': {
    ref: cosignRef,
    prepare: ({ ana, ben }, ref) => {
      const act =
        ({ desk: { bench }, key }: Writer) =>
        async () => {
          const { tip } = await bench.verify(ref, 'full', { project: await bench.project() });
          await cosign(bench, ref, tip, key);
        };
      return Promise.resolve({ acts: [act(ana), act(ben)], left: signedBy(ANA, BEN) });
    },
  },
  'a shared snapshot': {
    ref: snapshotRef,
    size: 260,
    prepare: ({ ana, ben }, ref) => {
      const act = (one: Writer) => () => shareSnapshot(one.desk.bench, ref, () => Promise.resolve(one.key));
      const left = [...signedBy(ANA, BEN), 'proof.json', 'snapshot.json'];
      return Promise.resolve({ acts: [act(ana), act(ben)], left });
    },
  },
};

describe.each(Object.entries(KINDS))('%s', (_, { ref: beside, size = 1, prepare }) => {
  /** Two people with a clone each. `ana.before` happens before each push of hers. */
  async function twoWriters() {
    const bare = createBareRepository(root, `beside-${names++}.git`);
    const url = server.url(basename(bare));
    const between = { before: (): Promise<unknown> => Promise.resolve(), pushes: 0 };
    const folder = scratchRepository();
    const wrapRemote = (remote: Remote): Remote => ({
      ...remote,
      push: async (change) => {
        between.pushes += 1;
        await between.before();
        return remote.push(change);
      },
    });
    const alone = await desk({ folder });
    const ref = await begin(alone);
    if (size > 1) await grow(alone.bench, ref, size - 1, 20);
    const parts = { backOff: () => Promise.resolve() };
    const ana = { desk: await desk({ folder, remote: url, wrapRemote, parts }), key: ANA };
    await pushLedgers(ana.desk.bench);
    const ben = { desk: await desk({ remote: url }), key: BEN };
    await pullLedgers(ben.desk.bench);
    const { acts, left } = await prepare({ ana, ben, bare }, ref);
    const target = beside(ledgerName(ref));
    const there = () => git(bare, ['ls-tree', '-r', '--name-only', target]).split('\n').toSorted();
    between.pushes = 0;
    return { bare, between, acts, left: left.toSorted(), target, there };
  }

  it('keeps what both wrote, though one was quicker while the other pushed', async () => {
    const { between, acts, left, there } = await twoWriters();
    between.before = async () => {
      between.before = () => Promise.resolve();
      await acts[1]();
    };
    await acts[0]();
    expect(there()).toEqual(left);
    expect(between.pushes).toBe(2);
  });

  it('keeps what both wrote, though neither waits for the other', async () => {
    const { acts, left, there } = await twoWriters();
    await Promise.all(acts.map((act) => act()));
    expect(there()).toEqual(left);
  });

  it('is given up by a writer who loses for ever, who is told so and has taken nothing away', async () => {
    const { bare, between, acts, target } = await twoWriters();
    const standing = git(bare, ['for-each-ref', '--format=%(objectname)', target]);
    const tree = standing === '' ? git(bare, ['mktree'], '') : `${standing}^{tree}`;
    let theirs = '';
    between.before = async () => {
      theirs = git(bare, ['commit-tree', '-m', `rival ${between.pushes}`, tree]);
      git(bare, ['update-ref', target, theirs]);
    };
    await expect(acts[0]()).rejects.toMatchObject({ code: 'head_moved', retry: 'reload', facts: { ref: target } });
    expect(between.pushes).toBeGreaterThan(1);
    expect(git(bare, ['rev-parse', target])).toBe(theirs);
  });

  it('is found where the answer was lost, and not pushed again', async () => {
    const { between, acts, there } = await twoWriters();
    let dropped = 0;
    server.faults(({ method, path }) =>
      method === 'POST' && path.endsWith('/git-receive-pack') && dropped++ === 0 ? { do: 'drop_answer' } : undefined,
    );
    await acts[0]();
    server.faults(() => undefined);
    expect([between.pushes, dropped]).toEqual([1, 1]);
    expect(there().length).toBeGreaterThan(0);
  });
});
