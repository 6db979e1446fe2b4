// Looks of a clone at what others added: when they go over HTTP alone, when git is asked, and that no server can leave a
// hole below a reference of somebody's clone.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pktLine } from '../../../src/adapters/git-remote/pkt-line.ts';
import { encodePack } from '../../../src/adapters/git/pack.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { concat, utf8 } from '../../../src/format/bytes.ts';
import type { GitObject } from '../../../src/format/git/object.ts';
import { openTestRemote } from '../../contract/remote.ts';
import { createBareRepository, startGitHttpServer } from '../../support/http-server.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';
import { steps, type Step } from '../../support/transactions.ts';

const X = 'refs/heads/lazarus/x';
const INTO = 'refs/lazarus/fetched/';
const HERE = `${INTO}heads/lazarus/x`;

/** A clone that is at the third of six transactions, and a remote that others move on. */
async function looking() {
  const bare = createBareRepository(scratch('root'), 'x.git');
  const all = steps(6, 'look');
  const origin = await openRepository(bare);
  const store = (some: readonly Step[]) =>
    origin.commit({ objects: some.flatMap(({ objects }) => objects), updates: [] });
  await store(all);
  const moveTo = (oid: string): string => git(bare, ['update-ref', X, oid]);
  moveTo(all[2]!.oid);
  const server = await startGitHttpServer(dirname(bare));
  const local = scratchRepository();
  const remote = await openTestRemote({ cwd: local, where: { url: server.url('x.git') } });
  onTestFinished(async () => {
    await origin.close();
    await server.close();
  });
  await remote.fetch([X], INTO);
  server.seen.length = 0;
  const asked = (): readonly string[] => server.seen.map(({ method, path }) => `${method} ${path}`);
  return { all, bare, local, moveTo, remote, server, asked, store };
}

const POST = 'POST /x.git/git-upload-pack';
const at = (local: string): string => git(local, ['rev-parse', HERE]);
/** What git itself says of the whole of it. */
const whole = (local: string): string => git(local, ['rev-list', '--objects', '--quiet', HERE]);

describe('a look of a clone over http', () => {
  it('is two requests of our own, on the connection that pushes use, and starts no git', async () => {
    const { all, local, moveTo, remote, server, asked } = await looking();
    moveTo(all[4]!.oid);
    const ofGit = server.connections();
    await remote.fetch([X], INTO);
    expect([at(local), asked()]).toEqual([all[4]!.oid, [POST, POST]]);
    whole(local);
    const change = { objects: all[5]!.objects, updates: [{ ref: X, old: all[4]!.oid, next: all[5]!.oid }] };
    expect(await remote.push(change)).toEqual({ is: 'landed' });
    expect(await remote.heads([X])).toEqual(new Map([[X, all[5]!.oid]]));
    expect(server.connections() - ofGit).toBe(1);
  });

  it('asks for nothing that is here, whoever brought it', async () => {
    const { all, local, moveTo, remote, asked } = await looking();
    await remote.fetch([X], INTO, new Map([[X, all[2]!.oid]]));
    expect(asked()).toEqual([]);
    moveTo(all[3]!.oid);
    await remote.fetch([X], INTO);
    git(local, ['update-ref', X, HERE]);
    git(local, ['update-ref', HERE, all[1]!.oid]);
    await remote.fetch([X], INTO, new Map([[X, all[3]!.oid]]));
    expect(at(local)).toBe(all[3]!.oid);
    expect(asked()).toEqual([POST, POST]);
  });

  it('leaves files of their own of what may have to be erased one day', async () => {
    const { all, local, moveTo, remote } = await looking();
    moveTo(all[3]!.oid);
    await remote.fetch([X], INTO);
    const { oid } = all[3]!.objects[0]!;
    expect(readdirSync(join(local, '.git', 'objects', oid.slice(0, 2)))).toContain(oid.slice(2));
    const repository = await openRepository(local);
    onTestFinished(() => repository.close());
    expect(await repository.erase([oid])).toEqual([]);
  });

  it.each<[string, (scene: Awaited<ReturnType<typeof looking>>) => Promise<void>]>([
    ['a reference that was moved back', async ({ all, moveTo }) => void moveTo(all[1]!.oid)],
    [
      'more than a look may bring',
      async ({ all, moveTo, store }) => {
        const more = steps(340, 'more', all[2]);
        await store(more);
        moveTo(more.at(-1)!.oid);
      },
    ],
    [
      'a reference that is not here yet',
      async ({ all, bare, local }) => {
        git(bare, ['update-ref', X, all[4]!.oid]);
        git(local, ['update-ref', '-d', HERE]);
      },
    ],
  ])('leaves to git: %s', async (_, prepare) => {
    const scene = await looking();
    await prepare(scene);
    await scene.remote.fetch([X], INTO);
    expect(at(scene.local)).toBe(git(scene.bare, ['rev-parse', X]));
    whole(scene.local);
    expect(scene.asked().some((one) => one.startsWith('GET '))).toBe(true);
  });
});

describe('a server that lies to a clone', () => {
  const line = (bytes: Uint8Array): Uint8Array => pktLine(bytes);
  const FLUSH = utf8('0000');
  const packed = (objects: readonly GitObject[]): Uint8Array =>
    concat([line(utf8('packfile\n')), line(concat([Uint8Array.of(1), encodePack(objects, { thin: false })])), FLUSH]);
  const headers = { 'content-type': 'application/x-git-upload-pack-result' };

  /** To us, until git comes: it reads an advertisement first. */
  function answering({ server }: Awaited<ReturnType<typeof looking>>, body: Uint8Array): void {
    server.faults(() =>
      server.seen.some(({ method }) => method === 'GET') ? undefined : { do: 'answer', status: 200, body, headers },
    );
  }

  it.each<[string, (step: Step) => readonly GitObject[]]>([
    ['a file', ({ objects }) => objects.slice(1)],
    ['a folder', ({ objects }) => [objects[0]!, objects[2]!]],
    ['all but the commit', ({ objects }) => objects.slice(2)],
    ['the commit', ({ objects }) => objects.slice(0, 2)],
  ])('by leaving out %s has git asked, even where that lies about here already', async (_, some) => {
    const scene = await looking();
    const { all, local, moveTo, remote, asked } = scene;
    const [next, known] = [all[3]!, new Map([[X, all[3]!.oid]])];
    moveTo(next.oid);
    // What is left of something else, and may be gone tomorrow, with or without what it names.
    const repository = await openRepository(local);
    onTestFinished(() => repository.close());
    const left = next.objects.filter((one) => !some(next).includes(one));
    await repository.commit({ objects: left, updates: [] });
    answering(scene, packed(some(next)));
    await remote.fetch([X], INTO, known);
    expect(asked()).toContain('GET /x.git/info/refs?service=git-upload-pack');
    expect(at(local)).toBe(next.oid);
    whole(local);
  });

  it('would otherwise leave a hole that no later fetch fills', async () => {
    const { all, local, moveTo, remote } = await looking();
    const [file, ...others] = all[3]!.objects;
    const repository = await openRepository(local);
    onTestFinished(() => repository.close());
    // The attack: what came is stored, and the reference moved, because the head is there.
    const updates = [{ ref: HERE, old: all[2]!.oid, next: all[3]!.oid }];
    await repository.commit({ objects: others, updates });
    moveTo(all[4]!.oid);
    await remote.fetch([X], INTO).catch(() => undefined);
    expect(() => git(local, ['cat-file', '-e', file!.oid])).toThrow();
  });

  it.each<[string, (step: Step) => Uint8Array]>([
    ['garbage', () => utf8('hello')],
    ['a pack that breaks off', ({ objects }) => packed(objects).subarray(0, 80)],
    [
      'another commit',
      ({ objects }) => packed(steps(1, 'other').flatMap((one) => [...one.objects, ...objects.slice(0, 1)])),
    ],
  ])('with %s is asked by git instead', async (_, body) => {
    const scene = await looking();
    const { all, local, moveTo, remote } = scene;
    moveTo(all[3]!.oid);
    answering(scene, body(all[3]!));
    await remote.fetch([X], INTO, new Map([[X, all[3]!.oid]]));
    expect(at(local)).toBe(all[3]!.oid);
    whole(local);
  });

  it('stores nothing with us that no reference needs', async () => {
    const scene = await looking();
    const { all, local, moveTo, remote } = scene;
    moveTo(all[3]!.oid);
    const ballast = steps(1, 'ballast')[0]!;
    answering(scene, packed([...all[3]!.objects, ...ballast.objects]));
    await remote.fetch([X], INTO, new Map([[X, all[3]!.oid]]));
    expect(at(local)).toBe(all[3]!.oid);
    expect(() => git(local, ['cat-file', '-e', ballast.oid])).toThrow();
  });

  it('and never ends is left at a mebibyte, and git is asked', async () => {
    const scene = await looking();
    const { all, local, moveTo, remote, server } = scene;
    moveTo(all[3]!.oid);
    server.faults(() =>
      server.seen.some(({ method }) => method === 'GET')
        ? undefined
        : { do: 'endless', chunk: Buffer.alloc(1 << 16, '0009\u0002hey\n') },
    );
    await remote.fetch([X], INTO, new Map([[X, all[3]!.oid]]));
    expect(at(local)).toBe(all[3]!.oid);
  });
});
