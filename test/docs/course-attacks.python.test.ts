// The rules of a mission's course as the page states them: the verifier in another language gives every forged course the
// answer that the table of forgeries gives it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Attack } from '../support/forge/attack.ts';
import { frozenHeads, ledgerRepository, rebuiltGolden, thaw, type Heads } from '../support/forge/frozen.ts';
import { LEDGER_REF, type Golden } from '../support/forge/golden.ts';
import { CANCEL } from '../ledger/forged/attacks/cancel.ts';
import { CAUSED } from '../ledger/forged/attacks/caused.ts';
import { CELLS } from '../ledger/forged/attacks/cells.ts';
import { COURSE_WORK } from '../ledger/forged/attacks/course-work.ts';
import { COURSE } from '../ledger/forged/attacks/course.ts';
import { HOLD } from '../ledger/forged/attacks/hold.ts';
import { PEOPLE } from '../ledger/forged/attacks/people.ts';
import { STEPS } from '../ledger/forged/attacks/steps.ts';
import { TIME } from '../ledger/forged/attacks/time.ts';

const OF_THE_PROJECT = new Set([
  'halt-of-a-root-lifted-by-a-person',
  'policy-brought-back',
  'roster-with-a-machine-among-people',
  'roster-with-one-account-for-two',
]);
const VERIFIER = new URL('verifier', import.meta.url).pathname;
const root = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-course-')));
const store = mkdtempSync(join(root, 'store-'));
let heads: Heads;
let golden: Golden;

beforeAll(() => {
  heads = frozenHeads();
  golden = rebuiltGolden();
  thaw(store);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

function inPython(ledger: 'course' | 'project', head: string): string {
  const repository = mkdtempSync(join(root, 'repo-'));
  ledgerRepository(repository, store, { project: heads.golden.project, [ledger]: head });
  const run = spawnSync('python3', ['-B', VERIFIER, repository, LEDGER_REF[ledger]], { encoding: 'utf8' });
  if (run.error !== undefined || run.stderr !== '') throw new Error(`python3: ${run.error?.message ?? run.stderr}`);
  return run.stdout.trim();
}

it('accepts the golden course', () => {
  const { size, root: merkleRoot, state } = golden.course.tip;
  const said = inPython('course', heads.golden.course);
  expect(said).toBe(`verified mission ${size} ${merkleRoot} ${state!.project_genesis}`);
});

it.each(
  [...COURSE, ...PEOPLE, ...CANCEL, ...HOLD, ...COURSE_WORK, ...CELLS, ...STEPS, ...CAUSED, ...TIME].map(
    (attack) => [attack.name, attack] as const,
  ),
)('%s', (name, { full }: Attack) => {
  const head = heads.forged[name]!;
  const ledger = OF_THE_PROJECT.has(name) ? 'project' : 'course';
  if (full.is !== 'refused') throw new Error('every forged course is refused');
  expect(inPython(ledger, head)).toBe(`refused ${full.code} ${head}`);
});
