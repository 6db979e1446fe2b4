// A world that fails while effects are caused: what can be found out is, what cannot be told is receipted as such and not
// repeated, and what rests on something that did not happen is not tried.
import { beforeEach, describe, expect, it } from 'vitest';
import type { DueKind } from '../../../src/app/mission/advance.ts';
import { branchExecutors } from '../../../src/app/mission/executors.ts';
import { Failure } from '../../../src/failure.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { settle } from '../../../src/app/mission/settle.ts';
import { missionStatus } from '../../../src/kernel/mission/status.ts';
import { missionName } from '../../../src/kernel/values.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import type { Executor, Executors } from '../../../src/ports/effects.ts';
import { git } from '../../support/repos.ts';
import { documentText, eventsOf, tryToRun } from './running.ts';
import { approved, LAPTOP, site, type Site } from './setting.ts';
import { BEN } from '../../support/people.ts';
import { missionText } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';

const ON_FORGE = { forge: { issue: 1 }, tierMax: 1 } as const;
const TEXT = missionText({ 'capabilities: []': 'capabilities: [repo:push-branch, pr:open, issue:comment]' });
const DELIVERING: ReadonlySet<DueKind> = new Set<DueKind>(['deliver', 'observe']);

const lost = (): Failure => new Failure('forge_answer_lost', {}, { retry: 'later' });
const unreachable = (): Failure => new Failure('forge_unreachable', {}, { retry: 'later' });

/** A forge that keeps what it is given, and fails as it is told. */
class Shaky {
  made = 0;
  tried = 0;
  observing: (() => Failure) | undefined;
  applying: { readonly keeps: boolean; readonly failure: () => Failure } | undefined;

  executor<Kind extends 'open_pull_request' | 'post_comment'>(): Executor<Kind> {
    return {
      isIdempotent: false,
      observe: async () => {
        if (this.observing !== undefined) throw this.observing();
        return this.made > 0 ? { is: 'applied', oid: null, number: 7 } : { is: 'absent' };
      },
      apply: async () => {
        this.tried++;
        if (this.applying?.keeps !== false) this.made++;
        if (this.applying !== undefined) throw this.applying.failure();
      },
    };
  }
}

describe('verified work, delivered to a forge that fails', () => {
  let at: Site;
  let mission: string;
  let pulls: Shaky;
  let comments: Shaky;

  beforeEach(async () => {
    at = await site();
    ({ mission } = await approved(at, TEXT, ON_FORGE));
    const may: ReadonlySet<DueKind> = new Set<DueKind>(['cell']);
    taken(await tryToRun(at, mission, {}, { may, setting: ON_FORGE, executors: {} }));
    pulls = new Shaky();
    comments = new Shaky();
  });

  const head = (): string => git(at.folder, ['rev-parse', missionRef(mission)]);

  async function deliver(executors: Partial<Executors> = {}) {
    return tryToRun(
      at,
      mission,
      {},
      {
        may: DELIVERING,
        setting: ON_FORGE,
        executors: {
          ...branchExecutors(at.bench),
          open_pull_request: pulls.executor<'open_pull_request'>(),
          post_comment: comments.executor<'post_comment'>(),
          ...executors,
        },
      },
    );
  }

  async function expectReceipts(...expected: readonly string[]): Promise<void> {
    const receipts = await eventsOf(at, mission, 'receipt.issued');
    expect(receipts.map(({ payload }) => `${payload.result_code} ${payload.result_summary}`)).toEqual([
      'succeeded approved',
      ...expected,
    ]);
    const { report } = await at.bench.verify(missionRef(mission), 'full', { project: await at.bench.project() });
    expect(report.integrity).toEqual({ is: 'ok' });
  }

  it('which did it and lost its answer: found by looking', async () => {
    pulls.applying = { keeps: true, failure: lost };
    const { state } = taken(await deliver());
    expect(missionStatus(state)).toBe('done');
    expect([pulls.tried, comments.tried]).toEqual([1, 1]);
    await expectReceipts('succeeded applied', 'succeeded applied', 'succeeded applied', 'succeeded verified');
  });

  it('which did it and fell silent: unknown, said once, and found out by a later look', async () => {
    pulls.applying = {
      keeps: true,
      failure: () => {
        pulls.observing = unreachable;
        return lost();
      },
    };
    taken(await deliver());
    await expectReceipts('succeeded applied', 'unknown_outcome forge_answer_lost');
    expect(comments.tried).toBe(0);
    const before = head();
    taken(await deliver());
    // Nothing new is known, and nothing is written about it.
    expect(head()).toBe(before);
    pulls.observing = undefined;
    const { state } = taken(await deliver());
    expect(missionStatus(state)).toBe('done');
    expect([pulls.tried, comments.tried]).toEqual([1, 1]);
    await expectReceipts(
      'succeeded applied',
      'unknown_outcome forge_answer_lost',
      'succeeded applied',
      'succeeded applied',
      'succeeded verified',
    );
  });

  it('which nobody knows whether it will still do it: looked for, and never sent twice', async () => {
    pulls.applying = { keeps: false, failure: lost };
    taken(await deliver());
    const before = head();
    const { state, next } = taken(await deliver());
    expect([missionStatus(state), next.is]).toEqual(['verifying', 'observe']);
    expect(pulls.tried).toBe(1);
    expect(head()).toBe(before);
    pulls.made = 1;
    expect(missionStatus(taken(await deliver()).state)).toBe('done');
    expect(pulls.tried).toBe(1);
  });

  it('which cannot be reached at all: nothing was tried, so the intent stands and is carried out another day', async () => {
    pulls.observing = unreachable;
    taken(await deliver());
    await expectReceipts('succeeded applied');
    const before = head();
    taken(await deliver());
    expect(head()).toBe(before);
    pulls.observing = undefined;
    expect(missionStatus(taken(await deliver()).state)).toBe('done');
    expect([pulls.tried, comments.tried]).toEqual([1, 1]);
    await expectReceipts('succeeded applied', 'succeeded applied', 'succeeded applied', 'succeeded verified');
  });

  describe('which never tells, until a person looks and says what became of it', () => {
    const seen = { reason: utf8('I looked at the list of pull requests.'), evidence: [] };
    let effect: string;

    beforeEach(async () => {
      pulls.applying = {
        keeps: false,
        failure: () => {
          pulls.observing = unreachable;
          return lost();
        },
      };
      taken(await deliver());
      const intents = await eventsOf(at, mission, 'effect.intended');
      effect = intents.find(({ payload }) => payload.kind === 'open_pull_request')!.entity_id;
    });

    it('applied: the rest goes on, the receipt says whose word it is and on what it rests', async () => {
      const screenshot = { content: utf8('#7 open'), mediaType: 'text/plain' };
      const word = { ...seen, effect: effect.slice(0, 8), outcome: 'applied', evidence: [screenshot] } as const;
      taken(await settle(at.as(BEN, mission), word));
      const { state } = taken(await deliver());
      expect(missionStatus(state)).toBe('done');
      expect([pulls.tried, comments.tried]).toEqual([1, 1]);
      await expectReceipts(
        'succeeded applied',
        'unknown_outcome forge_answer_lost',
        'succeeded applied',
        'succeeded settled_by_person',
        'succeeded verified',
      );
      const [decision] = await eventsOf(at, mission, 'decision.recorded');
      const receipts = await eventsOf(at, mission, 'receipt.issued');
      const receipt = receipts.find(({ payload }) => payload.result_summary === 'settled_by_person')!;
      expect(decision!.signer.principal_id).toBe('ben');
      expect(receipt.signer.principal_id).toBe('laptop');
      expect(receipt.payload).toMatchObject({
        receipt_class: 'observation_resolution',
        decision_ref: decision!.entity_id,
        subject_ref: effect,
      });
      const texts = await Promise.all(receipt.payload.output_refs.map((digest) => documentText(at, mission, digest)));
      expect(texts).toEqual(['I looked at the list of pull requests.', '#7 open']);
    });

    it('not applied: nothing is sent again, the mission fails, and what rests on it is not tried', async () => {
      taken(await settle(at.as(BEN, mission), { ...seen, effect, outcome: 'not_applied' }));
      pulls.observing = undefined;
      const { state } = taken(await deliver());
      expect(state.course!.end).toEqual({ outcome: 'failed', because: 'effect_refused' });
      expect([pulls.tried, comments.tried]).toEqual([1, 0]);
    });

    it('and no machine says so, nobody says so of what is known, and nobody twice', async () => {
      const say = (by: typeof BEN, what: string, outcome: 'applied' | 'not_applied' = 'applied') =>
        settle(at.as(by, mission), { ...seen, effect: what, outcome });
      expect(await say(LAPTOP, effect)).toMatchObject({ is: 'refused', code: 'role_not_allowed' });
      const [pushed] = await eventsOf(at, mission, 'effect.observed');
      expect(await say(BEN, pushed!.entity_id)).toMatchObject({
        is: 'refused',
        code: 'effect_settled',
        facts: { outcome: 'applied' },
      });
      expect(await say(BEN, effect.slice(0, 3))).toMatchObject({ is: 'refused', code: 'effect_unknown' });
      expect(await say(BEN, 'ffff0000')).toMatchObject({ is: 'refused', code: 'effect_unknown' });
      taken(await say(BEN, effect));
      expect(await say(BEN, effect, 'not_applied')).toMatchObject({ is: 'refused', code: 'effect_settled' });
    });
  });

  it('which says no: the mission fails, and what comes after it is not tried', async () => {
    pulls.applying = { keeps: false, failure: () => new Failure('forge_refused') };
    const { state } = taken(await deliver());
    expect(state.course!.end).toEqual({ outcome: 'failed', because: 'effect_refused' });
    expect(comments.tried).toBe(0);
    await expectReceipts(
      'succeeded applied',
      'refused forge_refused',
      'refused effect_missing',
      'refused effect_refused',
    );
  });

  it('where somebody else has the branch: no pull request asks to merge their commit', async () => {
    git(at.folder, ['branch', `lazarus-work/${missionName(mission)}/1`, 'main']);
    const { state } = taken(await deliver());
    expect(state.course!.end).toEqual({ outcome: 'failed', because: 'effect_refused' });
    expect([pulls.tried, comments.tried]).toEqual([0, 0]);
    await expectReceipts(
      'refused branch_taken',
      'refused effect_missing',
      'refused effect_missing',
      'refused effect_refused',
    );
  });

  it('from a place that has no forge: refused before anything is written, for another place can do it', async () => {
    const before = head();
    const may = DELIVERING;
    const nowhere = { may, setting: ON_FORGE, executors: branchExecutors(at.bench) };
    expect(await tryToRun(at, mission, {}, nowhere)).toMatchObject({ is: 'refused', code: 'effect_unavailable' });
    expect(head()).toBe(before);
    expect(missionStatus(taken(await deliver()).state)).toBe('done');
  });
});
