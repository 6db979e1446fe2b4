// Artifacts through a remote: event and bytes land together or not at all, in front of rivals and of lost answers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { auditArtifacts } from '../../src/app/artifacts/audit.ts';
import { sendArtifacts } from '../../src/app/artifacts/send.ts';
import { pullLedgers, pushLedgers } from '../../src/app/sync.ts';
import { artifactsRef, ledgerName } from '../../src/ledger/names.ts';
import { begin, desk, type Desk } from '../support/desk.ts';
import { createBareRepository, startGitHttpServer, type GitHttpServer } from '../support/http-server.ts';
import { type TestKey, ANA, BEN } from '../support/people.ts';
import { git, scratchRepository } from '../support/repos.ts';

let root: string;
let server: GitHttpServer;
let names = 0;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lazarus-artifacts-'));
  server = await startGitHttpServer(root);
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

type Shared = {
  readonly bare: string;
  readonly url: string;
  readonly ana: Desk;
  readonly ref: string;
  readonly shelf: string;
};

/** A mission that ana began here and pushed; from then on she works through the remote. */
async function shared(): Promise<Shared> {
  const name = `artifacts-${names++}.git`;
  const bare = createBareRepository(root, name);
  const url = server.url(name);
  const folder = scratchRepository();
  const ana = await desk({ folder, remote: url });
  const ref = await begin(await desk({ folder }));
  await pushLedgers(ana.bench);
  return { bare, url, ana, ref, shelf: artifactsRef(ledgerName(ref)) };
}

async function colleague(url: string): Promise<Desk> {
  const ben = await desk({ remote: url });
  await pullLedgers(ben.bench);
  return ben;
}

const tip = (bare: string, ref: string): string => git(bare, ['for-each-ref', '--format=%(objectname)', ref]);
const states = async ({ bench }: Desk, ref: string): Promise<string[]> =>
  (await auditArtifacts(bench, ref)).findings.map(({ is }) => is);

describe('through a remote', () => {
  it('event and bytes arrive in one push, and a colleague can read them', async () => {
    const { bare, url, ana, ref, shelf } = await shared();
    const pushes = (): number => server.seen.filter(({ path }) => path.endsWith('/git-receive-pack')).length;
    await ana.add(ref, 'first');
    const before = pushes();
    const { digest } = await ana.add(ref, 'for ben');
    expect(pushes() - before).toBe(1);
    expect(git(bare, ['cat-file', 'blob', `${shelf}:${digest.slice(7, 9)}/${digest.slice(7)}`])).toContain('for ben');
    const ben = await colleague(url);
    expect(await ben.show(ref, digest)).toBe('for ben');
    expect(await ana.show(ref, digest)).toBe('for ben');
    git(bare, ['fsck', '--strict', '--full']);
  });

  it.each(['the artifacts', 'the ledger'])('neither moves when the server refuses %s', async (refused) => {
    const { bare, ana, ref, shelf } = await shared();
    await ana.add(ref, 'first');
    const before = [tip(bare, ref), tip(bare, shelf)];
    const hook = join(bare, 'hooks', 'update');
    writeFileSync(hook, `#!/bin/sh\ntest "$1" != ${refused === 'the ledger' ? ref : shelf}\n`, { mode: 0o755 });
    await expect(ana.add(ref, 'second')).rejects.toMatchObject({ code: 'push_rejected' });
    expect([tip(bare, ref), tip(bare, shelf)]).toEqual(before);
    rmSync(hook);
    await ana.add(ref, 'third');
    await pullLedgers(ana.bench);
    expect(await states(ana, ref)).toEqual(['sound', 'sound']);
  });

  it('a server that hides the reference is told so before the ledger names anything', async () => {
    const { bare, ana, ref, shelf } = await shared();
    git(bare, ['config', 'receive.hideRefs', 'refs/lazarus']);
    const before = tip(bare, ref);
    await expect(ana.add(ref, 'bytes')).rejects.toMatchObject({ code: 'push_rejected', facts: { ref: shelf } });
    expect(tip(bare, ref)).toBe(before);
  });

  it('two people who add at once both succeed, and both can read both', async () => {
    const { url, ana, ref } = await shared();
    const ben = await colleague(url);
    const both = async (one: Desk, key: TestKey, texts: readonly string[]): Promise<string[]> => {
      const digests: string[] = [];
      for (const text of texts) digests.push((await one.add(ref, text, { key })).digest);
      return digests;
    };
    const added = await Promise.all([both(ana, ANA, ['a1', 'a2', 'a3']), both(ben, BEN, ['b1', 'b2', 'b3'])]);
    for (const one of [ana, ben]) {
      await pullLedgers(one.bench);
      const shown = await Promise.all(added.flat().map((digest) => one.show(ref, digest)));
      expect(shown).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3']);
      expect(await states(one, ref)).toEqual(Array(6).fill('sound'));
    }
  });

  it('an answer that was lost is recognised: one event, one artifact', async () => {
    const { ana, ref } = await shared();
    await ana.add(ref, 'first');
    let dropped = 0;
    server.faults(({ method, path }) =>
      method === 'POST' && path.endsWith('/git-receive-pack') && dropped++ === 0 ? { do: 'drop_answer' } : undefined,
    );
    const { digest, landed } = await ana.add(ref, 'once');
    server.faults(() => undefined);
    expect(landed.attempts).toBe(2);
    await pullLedgers(ana.bench);
    expect(await states(ana, ref)).toEqual(['sound', 'sound']);
    expect(await ana.show(ref, digest)).toBe('once');
  });
});

describe('erasing through a remote', () => {
  it('takes the bytes off the remote’s reference with the event, and out of this clone', async () => {
    const { bare, url, ana, ref, shelf } = await shared();
    const { digest } = await ana.add(ref, 'personal');
    const kept = await ana.add(ref, 'kept');
    const oid = git(bare, ['rev-parse', `${shelf}:${digest.slice(7, 9)}/${digest.slice(7)}`]);
    const ben = await colleague(url);
    expect(await ben.show(ref, digest)).toBe('personal');

    await ana.erase(ref, digest, ANA);
    for (const folder of [bare, ana.folder]) expect(git(folder, ['rev-list', '--objects', '--all'])).not.toContain(oid);
    expect(() => git(ana.folder, ['cat-file', '-e', oid])).toThrow();
    git(bare, ['gc', '--quiet', '--prune=now']);
    expect(() => git(bare, ['cat-file', '-e', oid])).toThrow();
    expect(await ana.show(ref, kept.digest)).toBe('kept');

    // The colleague's clone is told, sees what it still has, and cleans up without another event.
    await pullLedgers(ben.bench);
    expect(await states(ben, ref)).toEqual(['lingering', 'sound']);
    expect(await ben.erase(ref, digest, BEN)).toMatchObject({ landed: undefined, wasHere: true });
    expect(await states(ben, ref)).toEqual(['erased', 'sound']);
    expect(() => git(ben.folder, ['cat-file', '-e', oid])).toThrow();
  });

  it('a clone that adds later does not bring back what it still had', async () => {
    const { bare, url, ana, ref, shelf } = await shared();
    const { digest } = await ana.add(ref, 'personal');
    const ben = await colleague(url);
    await ben.show(ref, digest);
    await ana.erase(ref, digest, ANA);
    await ben.add(ref, 'new', { key: BEN });
    expect(git(bare, ['ls-tree', '-r', '--name-only', shelf])).not.toContain(digest.slice(7));
  });
});

describe('artifacts that were added without the remote', () => {
  it('are sent before the ledger follows, and only those that the remote lacks', async () => {
    const { bare, url, ana, ref, shelf } = await shared();
    await ana.add(ref, 'there already');
    const alone = await desk({ folder: ana.folder });
    const erased = await alone.add(ref, 'erased here');
    const { digest } = await alone.add(ref, 'added here');
    await alone.erase(ref, erased.digest);
    expect(await sendArtifacts(ana.bench, ref)).toBe(1);
    expect(await sendArtifacts(ana.bench, ref)).toBe(0);
    await pushLedgers(ana.bench);
    expect(git(bare, ['ls-tree', '-r', '--name-only', shelf]).split('\n')).toHaveLength(2);
    const ben = await colleague(url);
    expect(await ben.show(ref, digest)).toBe('added here');
    expect(await states(ben, ref)).toEqual(['sound', 'erased', 'sound']);
  });
});
