// A command that writes verifies what it found of a ledger once, and of a long one only what came since this clone last
// looked: counted in the program itself, by the signatures that it checks.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SEGMENT_EVENTS } from '../../../src/kernel/limits.ts';
import { LEDGER_REFS, PROJECT_REF } from '../../../src/ledger/names.ts';
import { counted } from '../../support/counted.ts';
import { git } from '../../support/repos.ts';
import { json, ok, workshop, type Workshop } from '../../support/workshop.ts';

const EVENTS_PER_COMMIT = 20;
const NOTE = JSON.stringify({ bytes: 1, digest: `sha256:${'5a'.repeat(32)}`, media_type: 'text/plain' });

let at: Workshop;
let mission: string;
let artifact: string;

beforeAll(async () => {
  at = await workshop({ people: ['bo'] });
  ({ mission } = await at.propose());
  writeFileSync(join(at.home, 'seen.txt'), 'seen\n');
  const added = at.run(['artifact', 'add', mission, join(at.home, 'seen.txt'), '--key', 'ana', '--json']);
  ({ digest: artifact } = await json<{ digest: string }>(added));
  // A project so long that its beginning lies before what this clone keeps of it.
  const stops = Array.from({ length: SEGMENT_EVENTS }, (_, i) => ({
    event_type: i % 2 === 0 ? 'halt.declared' : 'halt.lifted',
    payload: {},
  }));
  const file = join(at.home, 'stops.jsonl');
  writeFileSync(file, stops.map((one) => JSON.stringify(one)).join('\n'));
  const size = String(EVENTS_PER_COMMIT);
  await ok(at.run(['ledger', 'append', 'project', '--events', file, '--per-transaction', size, '--key', 'ana']));
  // Looked at once as it is now: the next ones go on from here.
  await ok(at.run(['list']));
});
afterAll(() => at.remove());

describe('lazarus verify', () => {
  it('checks every signature, and here that is seen', async () => {
    const { times } = await counted(at, ['verify']);
    expect(Math.min(...times(PROJECT_REF), ...times(`${LEDGER_REFS}${mission}`))).toBeGreaterThanOrEqual(1);
  });
});

describe('a command that writes', () => {
  it.each<[string, () => readonly string[]]>([
    ['ledger append to a mission', () => ['ledger', 'append', mission, 'note.recorded', '--payload', NOTE]],
    ['ledger append to the project', () => ['ledger', 'append', 'project', 'halt.declared']],
    ['unstop', () => ['unstop']],
    ['stop', () => ['stop']],
    ['unstop again', () => ['unstop']],
    ['ledger init', () => ['ledger', 'init', '--mission']],
    ['artifact add', () => ['artifact', 'add', mission, join(at.home, 'seen.txt')]],
    ['artifact erase', () => ['artifact', 'erase', mission, artifact, '--because', 'personal_data', '--yes']],
    ['roster set', () => ['roster', 'set', 'bo', '--roles', 'person,witness', '--yes']],
    ['roster remove', () => ['roster', 'remove', 'bo', '--yes']],
    ['policy adopt', () => ['policy', 'adopt', '--yes']],
    ['propose', () => ['propose', at.file(), '--as', 'ana']],
    ['cancel', () => ['cancel', mission, '--as', 'ana']],
    ['ledger seal', () => ['ledger', 'seal', mission, '--yes']],
  ])('%s verifies nothing twice, and the project from where it was', async (name, args) => {
    if (name === 'policy adopt') anotherPolicy();
    const typed = args();
    const { ran, times } = await counted(at, typed.includes('--as') ? typed : [...typed, '--key', 'ana']);
    expect(ran).toMatchObject({ code: 0 });
    const project = times(PROJECT_REF);
    expect(Math.max(...project, ...times(`${LEDGER_REFS}${mission}`))).toBeLessThanOrEqual(1);
    expect(project[0]).toBe(0);
    expect(project.length).toBeGreaterThan(SEGMENT_EVENTS / EVENTS_PER_COMMIT);
  });
});

function anotherPolicy(): void {
  const file = join(at.folder, '.gitea/lazarus/policy.yml');
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('persons_may_stop: false');
  writeFileSync(file, text.replace('persons_may_stop: false', 'persons_may_stop: true'));
  git(at.folder, ['commit', '-qam', 'another policy']);
}
