// The life of an artifact in one repository: recorded, shown, erased, and what the ledger still proves afterwards.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { auditArtifacts } from '../../src/app/artifacts/audit.ts';
import { addArtifact } from '../../src/app/artifacts/add.ts';
import { appendWanted } from '../../src/app/append.ts';
import { prove } from '../../src/app/prove.ts';
import { readEvents } from '../../src/app/read-events.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { utf8 } from '../../src/format/bytes.ts';
import type { ReadEvent } from '../../src/kernel/read.ts';
import { checkBundle } from '../../src/ledger/bundle.ts';
import { PROJECT_REF } from '../../src/ledger/names.ts';
import { begun, desk } from '../support/desk.ts';
import { git } from '../support/repos.ts';
import { BEN, GUS } from '../support/people.ts';
import { taken } from '../support/taken.ts';

async function eventsOf(bench: Workbench, ref: string): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  await readEvents(bench, ref, (event) => events.push(event));
  return events;
}

async function states(bench: Workbench, ref: string): Promise<string[]> {
  return (await auditArtifacts(bench, ref)).findings.map(({ is }) => is);
}

/** The object under which the shelf keeps the one artifact whose digest this is. */
function oidOf(folder: string, shelf: string, digest: string): string {
  return git(folder, ['rev-parse', `${shelf}:${digest.slice(7, 9)}/${digest.slice(7)}`]);
}

describe('an artifact', () => {
  it('is recorded with what its bytes are, and shown as they were', async () => {
    const { bench, ref, add, show } = await begun();
    const { digest } = await add(ref, 'grüße\n', { mediaType: 'text/markdown' });
    expect(await show(ref, digest)).toBe('grüße\n');
    expect(await show(ref, digest.slice(7, 13))).toBe('grüße\n');
    const [, event] = await eventsOf(bench, ref);
    expect(event).toMatchObject({
      event_type: 'artifact.recorded',
      payload: { bytes: 8, digest, encryption: 'none', media_type: 'text/markdown' },
    });
  });

  it('may be empty, and may be the same as another one without their digests telling', async () => {
    const { ref, add, show } = await begun();
    const [one, two] = [await add(ref, ''), await add(ref, '')];
    expect(one.digest).not.toBe(two.digest);
    expect(await show(ref, one.digest)).toBe('');
  });

  it('lies in a reference whose commit has no parent and names nobody and no time', async () => {
    const { folder, ref, shelf, add } = await begun();
    await add(ref, 'one');
    const { digest } = await add(ref, 'two');
    expect(git(folder, ['rev-list', '--count', shelf])).toBe('1');
    expect(git(folder, ['log', '-1', '--format=%an %ae %at', shelf])).toBe('lazarus artifacts@lazarus.invalid 0');
    const files = git(folder, ['ls-tree', '-r', '--name-only', shelf]).split('\n');
    expect(files).toHaveLength(2);
    expect(files).toContain(`${digest.slice(7, 9)}/${digest.slice(7)}`);
    expect(git(folder, ['fsck', '--strict', '--no-dangling'])).toBe('');
  });

  it('can be a note, said in the same transaction, and belong to a task', async () => {
    const { bench, ref, session, add } = await begun();
    const task = randomUUID();
    const created = [{ event_type: 'task.created', payload: { contract: null }, task_id: task, entity_id: task }];
    taken(await (await session(ref)).submit(appendWanted(created, bench.parts.ids)));
    const { digest } = await add(ref, 'goal', { isNote: true, task });
    const [artifact, note] = (await eventsOf(bench, ref)).slice(2);
    expect(note).toMatchObject({ event_type: 'note.recorded', task_id: task, payload: { bytes: 4, digest } });
    expect(artifact).toMatchObject({ event_type: 'artifact.recorded', task_id: task, tx: note!.tx });
  });

  it('is refused where the rules refuse its event, and then leaves neither key nor bytes', async () => {
    const { folder, bench, ref, kit, keyFolder, session } = await begun();
    const wanted = { content: utf8('x'), mediaType: 'text/plain', isEncrypted: true, isNote: false };
    const before = git(folder, ['count-objects', '-v']);
    const inProject = await addArtifact(bench, await session(PROJECT_REF), kit, wanted);
    expect(inProject).toMatchObject({ is: 'refused', code: 'event_type_misplaced' });
    const nowhere = await addArtifact(bench, await session(ref), kit, { ...wanted, task: randomUUID() });
    expect(nowhere).toMatchObject({ is: 'refused', code: 'task_unknown' });
    expect(git(folder, ['count-objects', '-v'])).toBe(before);
    const { readdirSync } = await import('node:fs');
    expect(readdirSync(keyFolder)).toEqual([]);
  });

  it('is found by the beginning of its digest, or the answer says why not', async () => {
    const { ref, add, show } = await begun();
    await add(ref, 'one');
    await expect(show(ref, 'abc')).rejects.toMatchObject({ code: 'usage' });
    await expect(show(ref, '0000000000')).rejects.toMatchObject({ code: 'artifact_unknown' });
  });
});

describe('an erased artifact', () => {
  it('is reachable from no reference and gone from the object store, at once', async () => {
    const { folder, ref, shelf, add, erase, show } = await begun();
    const kept = await add(ref, 'kept');
    const { digest } = await add(ref, 'ana@example.org');
    const oid = oidOf(folder, shelf, digest);
    expect(await erase(ref, digest)).toMatchObject({ wasHere: true, isPacked: false });
    expect(() => git(folder, ['cat-file', '-e', oid])).toThrow();
    expect(git(folder, ['rev-list', '--objects', '--all', '--reflog'])).not.toContain(oid);
    expect(git(folder, ['fsck', '--full', '--no-dangling'])).toBe('');
    await expect(show(ref, digest)).rejects.toMatchObject({
      code: 'artifact_erased',
      facts: { because: 'personal_data' },
    });
    expect(await show(ref, kept.digest)).toBe('kept');
  });

  it('leaves the ledger verifying in full, and every proof as good as before', async () => {
    const { bench, ref, add, erase } = await begun();
    const { digest, landed } = await add(ref, 'bytes');
    const event = String(landed.from);
    const before = await prove(bench, ref, { event });
    await erase(ref, digest);
    const after = await prove(bench, ref, { event });
    for (const { bytes } of [before, after]) expect(checkBundle(nodeCrypto, bytes)).toMatchObject({ is: 'accepted' });
    const { report } = await bench.verify(ref, 'full');
    expect(report.integrity).toEqual({ is: 'ok' });
    expect(report.state).toMatchObject({ artifacts: { recorded: 1, erased: 1 } });
    expect(await states(bench, ref)).toEqual(['erased']);
  });

  it('is named by an event that says who and why, about the same thing', async () => {
    const { bench, ref, add, erase } = await begun();
    const { digest } = await add(ref, 'bytes');
    await erase(ref, digest, BEN);
    const [, recorded, erased] = await eventsOf(bench, ref);
    expect(erased).toMatchObject({
      event_type: 'artifact.erased',
      actor_id: 'ben',
      entity_id: recorded!.entity_id,
      payload: { because: 'personal_data', digest },
    });
  });

  it('keeps its bytes when the signer may not erase', async () => {
    const { bench, ref, add, erase, show } = await begun();
    const { digest } = await add(ref, 'bytes', { key: GUS });
    await expect(erase(ref, digest, GUS)).rejects.toThrow('role_not_allowed');
    expect(await show(ref, digest)).toBe('bytes');
    expect(await states(bench, ref)).toEqual(['sound']);
  });

  it('can be erased again: no second event, and what came back is gone again', async () => {
    const { folder, bench, ref, shelf, add, erase } = await begun();
    const { digest } = await add(ref, 'bytes');
    const oid = oidOf(folder, shelf, digest);
    const bytes: Uint8Array[] = [];
    for await (const { body } of bench.parts.repository.read([oid])) bytes.push(body);
    await erase(ref, digest);
    // Somebody who still had the bytes puts them back.
    expect(git(folder, ['hash-object', '-w', '--stdin'], bytes[0])).toBe(oid);
    const fan = git(folder, ['mktree'], `100644 blob ${oid}\t${digest.slice(7)}\n`);
    const root = git(folder, ['mktree'], `040000 tree ${fan}\t${digest.slice(7, 9)}\n`);
    git(folder, ['update-ref', shelf, git(folder, ['commit-tree', root, '-m', 'back'])]);
    expect(await states(bench, ref)).toEqual(['lingering']);
    const size = (await eventsOf(bench, ref)).length;
    expect(await erase(ref, digest)).toMatchObject({ landed: undefined, wasHere: true });
    expect(await states(bench, ref)).toEqual(['erased']);
    expect((await eventsOf(bench, ref)).length).toBe(size);
    expect(() => git(folder, ['cat-file', '-e', oid])).toThrow();
  });

  it('is found and erased even where no reference leads to its bytes any more', async () => {
    const { folder, bench, ref, shelf, add, erase } = await begun();
    const { digest } = await add(ref, 'bytes');
    const oid = oidOf(folder, shelf, digest);
    const bytes: Uint8Array[] = [];
    for await (const { body } of bench.parts.repository.read([oid])) bytes.push(body);
    await erase(ref, digest);
    git(folder, ['hash-object', '-w', '--stdin'], bytes[0]);
    expect(await states(bench, ref)).toEqual(['lingering']);
    expect(await erase(ref, digest)).toMatchObject({ landed: undefined, wasHere: true, isPacked: false });
    expect(await states(bench, ref)).toEqual(['erased']);
    expect(() => git(folder, ['cat-file', '-e', oid])).toThrow();
  });

  it('is reported as still packed when git had packed it, and pruned by the command that is shown', async () => {
    const { folder, ref, shelf, add, erase } = await begun();
    const { digest } = await add(ref, 'bytes');
    const oid = oidOf(folder, shelf, digest);
    git(folder, ['gc', '--quiet']);
    expect(await erase(ref, digest)).toMatchObject({ wasHere: true, isPacked: true });
    git(folder, ['cat-file', '-e', oid]);
    git(folder, ['reflog', 'expire', '--expire=now', '--all']);
    git(folder, ['gc', '--quiet', '--prune=now']);
    expect(() => git(folder, ['cat-file', '-e', oid])).toThrow();
    expect((await (await desk({ folder })).bench.verify(ref, 'full')).report.integrity).toEqual({ is: 'ok' });
  });
});
