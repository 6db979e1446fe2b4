// Missions run by processes of their own, and the questions to ask once one of them is gone.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, expect } from 'vitest';
import type { DueKind } from '../../src/app/mission/advance.ts';
import { readEvents } from '../../src/app/read-events.ts';
import type { ReadEvent } from '../../src/kernel/read.ts';
import { missionStatus } from '../../src/kernel/mission/status.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import { ledgerName, PROJECT_REF } from '../../src/ledger/names.ts';
import { site } from '../app/mission/setting.ts';
import { passableScratch } from '../support/cells.ts';
import { benchAt, reportOf } from '../support/project.ts';
import { git } from '../support/repos.ts';
import type { MissionWorkerOptions } from './mission-worker.ts';
import { cloneOf, expectWhole } from './ledgers.ts';
import { program } from './workers.ts';
import { missionText } from '../support/templates.ts';

const WHOLE_WAY: readonly DueKind[] = ['plan', 'grant', 'recover', 'end', 'cell', 'deliver', 'observe'];

/** An agent that says something first, so that there is a moment in the middle of its work. */
const SPOKEN = missionText({
  'agent: example': "agent: [/bin/sh, -c, 'echo at work; sh tools/example-agent.sh']",
});

export type Ground = { readonly folder: string; readonly cells: string };

export async function ground(): Promise<Ground> {
  const { folder } = await site();
  return { folder, cells: passableScratch() };
}

export type Ran = {
  readonly lines: readonly string[];
  readonly steps: readonly string[];
  readonly signal: string | null;
};

export type Running = {
  readonly child: ChildProcess;
  /** Resolves when this line was printed. */
  readonly told: (line: string) => Promise<void>;
  readonly over: Promise<Ran>;
};

export async function start({ folder, cells }: Ground, options: Partial<MissionWorkerOptions> = {}): Promise<Running> {
  const given: MissionWorkerOptions = { missionFile: SPOKEN, cells, may: WHOLE_WAY, ...options };
  const args = [await program('mission-worker'), folder, JSON.stringify(given)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  const waiting: (() => void)[] = [];
  const wake = (): void => waiting.splice(0).forEach((go) => go());
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    wake();
  });
  const lines = (): string[] => text.split('\n').filter((line) => line !== '');
  const over = new Promise<Ran>((resolve) =>
    child.once('close', (_, signal) => {
      wake();
      const steps = lines().flatMap((line) => (line.startsWith('step ') ? [line.slice('step '.length)] : []));
      resolve({ lines: lines().filter((line) => !line.startsWith('step ')), steps, signal });
    }),
  );
  return {
    child,
    over,
    told: async (line) => {
      while (!lines().includes(line)) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`never told "${line}":\n${text}`);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

export async function runToEnd(at: Ground, options: Partial<MissionWorkerOptions> = {}): Promise<Ran> {
  return (await start(at, options)).over;
}

export type Told = { readonly ref: string; readonly state: MissionState; readonly events: readonly ReadEvent[] };

/** From a fresh clone, verified in full. */
export async function missionIn({ folder }: Ground): Promise<Told> {
  const clone = cloneOf(folder);
  const ref = git(clone, ['for-each-ref', '--format=%(refname)', 'refs/heads/lazarus/m-*']).split('\n')[0]!;
  const bench = await benchAt(clone);
  const events: ReadEvent[] = [];
  await readEvents(bench, ref, (event) => void events.push(event));
  const { state } = await reportOf(bench, ref);
  if (state?.kind !== 'mission') throw new Error('no mission');
  return { ref, state, events };
}

/** Done once: one branch, each effect intended and seen once, one receipt each, and nothing left on the machine. */
export async function expectDoneOnce(at: Ground, attemptNo: number): Promise<void> {
  const { ref, state, events } = await missionIn(at);
  expect(missionStatus(state)).toBe('done');
  const of = <Type extends ReadEvent['event_type']>(type: Type) =>
    events.filter((event): event is Extract<ReadEvent, { event_type: Type }> => event.event_type === type);
  expect(of('attempt.created').map(({ payload }) => payload.attempt_no)).toEqual(
    Array.from({ length: attemptNo }, (_, i) => i + 1),
  );
  expect(of('cell.closed').map(({ entity_id }) => entity_id)).toEqual(
    of('cell.spawned').map(({ entity_id }) => entity_id),
  );
  const effects = of('effect.intended').map(({ entity_id }) => entity_id);
  expect(effects).toHaveLength(1);
  expect(of('effect.observed').map(({ entity_id, payload }) => [entity_id, payload.outcome])).toEqual([
    [effects[0], 'applied'],
  ]);
  const receipts = of('receipt.issued').map(({ payload }) => `${payload.receipt_class} ${payload.result_code}`);
  expect(receipts.filter((one) => one.startsWith('publish'))).toEqual(['publish succeeded']);
  expect(receipts.filter((one) => one === 'command_execution succeeded')).toHaveLength(1);
  expect(receipts.filter((one) => one === 'command_execution failed')).toHaveLength(attemptNo - 1);
  const branch = `refs/heads/lazarus-work/${ledgerName(ref)}/${attemptNo}`;
  expect(git(at.folder, ['for-each-ref', '--format=%(refname)', 'refs/heads/lazarus-work'])).toBe(branch);
  expect(git(at.folder, ['rev-parse', branch])).toBe(of('work.proposed').at(-1)!.payload.commit);
  await expectWhole(at.folder, ref);
  const project = await reportOf(await benchAt(at.folder), PROJECT_REF);
  expect(project.state).toMatchObject({ missions: {} });
  expectNothingLeft(at);
}

/** No folder of a cell, no work in nobody's hands, no lock. */
export function expectNothingLeft({ folder, cells }: Ground): void {
  for (const kind of ['cells', 'work']) {
    const place = join(cells, kind);
    expect(existsSync(place) ? readdirSync(place) : []).toEqual([]);
  }
  const locks = join(folder, '.git/lazarus/runs');
  expect(existsSync(locks) ? readdirSync(locks) : []).toEqual([]);
  const mirror = join(folder, '.git/lazarus/mirror.git');
  const held = readdirSync(mirror, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'));
  expect(held).toEqual([]);
}
