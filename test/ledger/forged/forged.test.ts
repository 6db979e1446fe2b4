// Every forged ledger is refused where its table says, in every way of verifying; and the good ledger it was made from
// is not, so that the guard is what refuses and not an accident.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import type { ProjectView } from '../../../src/app/adoption.ts';
import { snapshotsIn, type Snapshots } from '../../../src/app/verify/snapshots.ts';
import type { Cosigned } from '../../../src/app/verify/cosigned.ts';
import type { Pin } from '../../../src/ports/pins.ts';
import type { Tip } from '../../../src/ledger/tip.ts';
import type { Attack, Forgery } from '../../support/forge/attack.ts';
import { KEY } from '../../support/forge/cast.ts';
import { memoryFolds } from '../../support/memory-folds.ts';
import { freeze, frozenHeads, ledgerRepository, rebuiltGolden, thaw, type Heads } from '../../support/forge/frozen.ts';
import { proofOf } from '../../support/forge/proof.ts';
import type { Golden } from '../../support/forge/golden.ts';
import { ATTACKS, CHAPTERS } from './attacks/index.ts';
import { answer, bundleAnswer, expected, verified, viewOfProject, type Answer, type Knowledge } from './judge.ts';
import { page } from './table.ts';

const PAGE = new URL('../../../docs/forgeries.md', import.meta.url).pathname;
const README = new URL('../../../README.md', import.meta.url).pathname;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-forged-')));
const store = folder();
const goodPins = new Map<string, Promise<Remembered>>();
/** What a clone keeps of a ledger that it verified. */
type Remembered = { readonly pin: Pin; readonly snapshots: Snapshots };

let golden: Golden;
let heads: Heads;
let view: ProjectView;

beforeAll(async () => {
  // Set only by somebody who means to write the vectors and the page anew.
  if (process.env['LAZARUS_FREEZE'] === '1') await freeze(folder(), ATTACKS);
  golden = rebuiltGolden();
  if (process.env['LAZARUS_FREEZE'] === '1') writeFileSync(PAGE, page(CHAPTERS, golden));
  heads = frozenHeads();
  thaw(store);
  const project = folder();
  ledgerRepository(project, store, { project: heads.golden.project });
  view = await viewOfProject(project);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

it.concurrent.each(ATTACKS.map((attack) => [attack.name, attack] as const))('%s', async (name, attack) => {
  const forgery = attack.forge(golden);
  expect(heads.forged[name], 'the forged head is the frozen one').toBe(forgery.head);
  const { pin, snapshots, ...known } = await knowledge(forgery);
  const reader = await openRepository(forgedRepository(forgery));
  const ask = (more: Knowledge): Promise<Answer> => answer(reader, forgery.ledger, more);
  try {
    expect({
      full: await ask(known),
      sincePin: await ask(pin === undefined ? known : { ...(known.view && { view: known.view }), pin, snapshots }),
      bundle: bundleAnswer(proofOf(golden.bench, forgery), { ...known, view }),
      ...(attack.cosigned && { cosigned: await ask({ ...known, cosigned: seenByBen(forgery.good) }) }),
    }).toEqual(expectations(attack, forgery));
  } finally {
    await reader.close();
  }
});

it('has a name of its own for every attack, and the names that are frozen', () => {
  expect(Object.keys(heads.forged)).toEqual(ATTACKS.map((attack) => attack.name));
  expect(new Set(Object.keys(heads.forged)).size).toBe(ATTACKS.length);
});

it('is the page that people read', () => {
  expect(readFileSync(PAGE, 'utf8')).toBe(page(CHAPTERS, golden));
  expect(readFileSync(README, 'utf8')).toContain(`[${ATTACKS.length} forgeries](docs/forgeries.md)`);
});

function expectations(attack: Attack, forgery: Forgery): Record<string, Answer> {
  return {
    full: expected(attack.full, forgery),
    sincePin: expected(attack.sincePin, forgery),
    bundle: expected(attack.bundle, forgery),
    ...(attack.cosigned && { cosigned: expected(attack.cosigned, forgery) }),
  };
}

/** What somebody knows who was told the genesis, has the project, and verified the good ledger before. */
async function knowledge({ ledger, good, pin }: Forgery): Promise<Knowledge> {
  const known = { genesis: golden.project.tip.state!.project_genesis, ...(ledger === 'project' ? {} : { view }) };
  // Made in the past: what the project recorded since is news to it.
  const made = await goodPin(ledger, good, { genesis: known.genesis });
  return pin === 'none' ? known : { ...known, ...made };
}

/** The pin of a good ledger; fails when that ledger is not good. */
function goodPin(ledger: Forgery['ledger'], good: Tip, known: Knowledge): Promise<Remembered> {
  const id = `${ledger} ${good.oid!}`;
  const pin = goodPins.get(id) ?? pinOf(ledger, good, known);
  goodPins.set(id, pin);
  return pin;
}

async function pinOf(ledger: Forgery['ledger'], good: Tip, known: Knowledge): Promise<Remembered> {
  const repository = folder();
  ledgerRepository(repository, store, { [ledger]: good.oid! });
  const reader = await openRepository(repository);
  const { report, pin, crossed } = await verified(reader, ledger, known);
  await reader.close();
  expect(report.integrity).toEqual({ is: 'ok' });
  expect(report.head?.oid).toBe(good.oid);
  const snapshots = snapshotsIn(memoryFolds());
  await snapshots.keep(report.name, crossed);
  return { pin: pin!, snapshots };
}

function forgedRepository({ ledger, head, tamper }: Forgery): string {
  const repository = folder();
  ledgerRepository(repository, store, { project: heads.golden.project, [ledger]: head });
  tamper?.(repository);
  return repository;
}

function seenByBen({ size, root }: Tip): Cosigned {
  return { fingerprint: KEY.ben.fingerprint, size, root };
}

function folder(): string {
  return mkdtempSync(join(root, 'repo-'));
}
