// The golden ledgers are what they were when they were made, verify from their frozen bytes alone, and hold everything
// that a format-1 ledger can hold.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import type { ProjectView } from '../../../src/app/adoption.ts';
import { parseSignature } from '../../../src/format/openpgp/signature.ts';
import type { EventType } from '../../../src/kernel/event.ts';
import { KEY } from '../../support/forge/cast.ts';
import { signatureOf } from '../../support/forge/edit.ts';
import { note } from '../../support/forge/facts.ts';
import { frozenHeads, ledgerRepository, rebuiltGolden, thaw, type Heads } from '../../support/forge/frozen.ts';
import { LEDGER_REF, MISSION_ID, type Golden, type MissionWord } from '../../support/forge/golden.ts';
import { git } from '../../support/repos.ts';
import { verified, viewOfProject } from './judge.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-golden-')));
const store = mkdtempSync(join(root, 'store-'));
const repository = mkdtempSync(join(root, 'repo-'));
const LEDGERS = Object.keys(LEDGER_REF) as (MissionWord | 'project')[];
let golden: Golden;
let heads: Heads;
let view: ProjectView;

beforeAll(async () => {
  golden = rebuiltGolden();
  heads = frozenHeads();
  thaw(store);
  ledgerRepository(repository, store, heads.golden);
  view = await viewOfProject(repository);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

it.each(LEDGERS)('%s is built again object for object', (word) => {
  expect(golden[word].tip.oid).toBe(heads.golden[word]);
});

it.each(LEDGERS)('%s verifies, and can be relied on', async (word) => {
  const { report } = await look(word, heads.golden[word]);
  expect(report.integrity).toEqual({ is: 'ok' });
  expect(report.trust.is).toBe('confirmed');
  expect(report.events).toBe(golden[word].tip.size);
});

it('is sound to stock git', () => {
  expect(git(repository, ['fsck', '--strict', '--no-dangling', '--no-progress'])).toBe('');
});

it('holds what a ledger can hold', async () => {
  const long = await look('long', heads.golden.long);
  expect(long.report.events).toBeGreaterThanOrEqual(600);
  expect(git(repository, ['ls-tree', '-d', '--name-only', `${heads.golden.long}:seg/00000`]).split('\n')).toHaveLength(
    2,
  );
  expect(Math.max(...long.sizes)).toBeGreaterThan(1);
  expect(await typesOf('project')).toEqual(expect.arrayContaining(['roster.updated', 'key.cut_off', 'halt.lifted']));
  expect(await typesOf('cut')).toEqual(
    expect.arrayContaining(['roster.adopted', 'cut_off.adopted', 'trust.annotated']),
  );
  expect(await typesOf('repaired')).toContain('ledger.repaired');
  expect(await typesOf('sealed')).toContain('ledger.sealed');
  expect(await typesOf('course')).toEqual(
    expect.arrayContaining(['vote.cast', 'cell.spawned', 'verification.recorded', 'receipt.issued', 'mission.ended']),
  );
});

it('holds a signature as stock gpg makes it, over SHA-256', () => {
  expect(parseSignature(signatureOf(golden.bench, golden.gpg.tip.oid!)).hash).toBe('sha256');
});

it('was disowned where a cut-off key signed, until the roots judged it', async () => {
  const { report } = await look('cut', golden.cut.at('adopted').oid!);
  expect(report.integrity).toEqual({ is: 'ok' });
  expect(report.trust).toMatchObject({
    is: 'disowned',
    disowned: [{ fingerprint: KEY.rob.fingerprint, from: 4, until: 6 }],
  });
});

it('is what a forger gets who tells no lie: else a forgery would be refused for another reason than its own', () => {
  const { bench, long } = golden;
  const events = [note(KEY.sam, MISSION_ID.long, 9000)];
  const honest = bench.honest(long.at('base'), KEY.sam, events);
  expect(bench.forged(long.at('base'), KEY.sam, { events }).oid).toBe(honest.oid);
});

async function look(ledger: MissionWord | 'project', head: string) {
  const reader = await openRepository(repository);
  const sizes: number[] = [];
  const types: EventType[] = [];
  const genesis = golden.project.tip.state!.project_genesis;
  const { report } = await verified(reader, ledger, {
    genesis,
    ...(ledger === 'project' ? {} : { view }),
    head,
    onCommit: ({ events }) => {
      sizes.push(events.length);
      types.push(...events.map((event) => event.event_type));
    },
  });
  await reader.close();
  return { report, sizes, types };
}

async function typesOf(ledger: MissionWord | 'project'): Promise<EventType[]> {
  return (await look(ledger, heads.golden[ledger])).types;
}
