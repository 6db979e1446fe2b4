// A runner that dies says nothing: another takes over once its beacons are missing, long before its lease is over. Whoever
// lives is not robbed, be its clock wrong or its beacon taken away; and who only beats keeps nothing for ever.
import { describe, expect, it } from 'vitest';
import { workOn } from '../../../src/app/gate/turns.ts';
import { rotateKey } from '../../../src/app/threshold/roster-change.ts';
import { readEvents } from '../../../src/app/read-events.ts';
import type { EventOf } from '../../../src/kernel/event.ts';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import { desk } from '../../support/desk.ts';
import { applied, drafted, publicKey } from '../../support/drafts.ts';
import { ANA, testKey } from '../../support/people.ts';
import { git } from '../../support/repos.ts';
import { taken } from '../../support/taken.ts';
import { gateSite, RUNNER, type GateSite } from './gate-site.ts';
import { approved, branches, cell, heal, jobSite, writer, type Machine } from './jobs.ts';

const beaconsAt = (at: GateSite): string => git(at.server, ['for-each-ref', 'refs/lazarus/beacon/']);
const refOf = (at: GateSite): string => git(at.server, ['for-each-ref', '--format=%(refname)', 'refs/lazarus/beacon/']);

/** Its machine goes when its cell is born. */
async function died(at: GateSite, mission: string): Promise<void> {
  const onPoint = (step: string): void => {
    if (step === 'spawned') throw new Error('the machine is gone');
  };
  await expect(workOn(await jobSite(at, RUNNER, { onPoint }), mission, 'cell')).rejects.toThrow('the machine is gone');
}

async function expiries(at: GateSite, mission: string): Promise<readonly EventOf<'lease.expired'>['payload'][]> {
  const { bench } = (await at.gate()).world;
  const found: EventOf<'lease.expired'>['payload'][] = [];
  const ref = `refs/heads/lazarus/${mission}`;
  await bench.place.keep(ref, (await bench.place.head(ref))!);
  await readEvents(bench, ref, (event) => {
    if (event.event_type === 'lease.expired') found.push(event.payload);
  });
  return found;
}

/** A runner at work whose beacons the test sends; `meanwhile` happens before it hands over. */
function atWork(meanwhile: (beat: () => Promise<void>) => Promise<void>): Machine {
  let go = (): void => undefined;
  let isSent = (): void => undefined;
  const beat = (): Promise<void> =>
    new Promise((sent) => {
      isSent = sent;
      go();
    });
  return {
    // Asked for again once the one before it has been sent.
    untilNextBeacon: (over) =>
      new Promise((next) => {
        isSent();
        go = next;
        over.addEventListener('abort', () => next(), { once: true });
      }),
    onPoint: async (step) => {
      if (step === 'collected') await meanwhile(beat);
    },
  };
}

describe('a runner of which nothing is heard any more', () => {
  it('is taken for dead three minutes after its last beacon, and the ledger names that one', async () => {
    const at = await gateSite();
    const { mission, issue } = await approved(at);
    await died(at, mission);
    expect(beaconsAt(at)).toMatch(/ commit\trefs\/lazarus\/beacon\/[0-9a-f-]{36}$/);
    const watched: number[] = [];
    const watch = async (seconds: number): Promise<void> => void watched.push(seconds);
    at.clock.aheadSeconds = 60;
    expect((await heal(at, watch)).outcome).toMatchObject({ next: 'none' });
    expect(watched).toEqual([]);
    at.clock.aheadSeconds = 200;
    expect((await heal(at, watch)).outcome).toMatchObject({ next: 'cell', mission });
    expect(watched).toEqual([65]);
    const [{ fence, silence }] = (await expiries(at, mission)) as [EventOf<'lease.expired'>['payload']];
    expect(fence).toBe(1);
    expect(silence).toMatchObject({ beacon: { no: 1, digest: expect.stringMatching(/^sha256:/) } });
    expect(silence!.seconds).toBeGreaterThanOrEqual(180);
    const [status] = await at.ours(issue);
    expect(status).toContain('another attempt: number 2, from the base again (gate)');
    expect(status).toMatch(/^\| Before \| `attempt 1: runner_lost: The runner that worked on it is gone;/m);
    expect((await cell(at, mission)).outcome).toMatchObject({ next: 'writer' });
    expect((await writer(at, mission)).outcome).toMatchObject({ decision: 'complete' });
    expect(branches(at)).toMatch(new RegExp(`refs/heads/lazarus-work/${mission}/2$`));
    await heal(at);
    expect(beaconsAt(at)).toBe('');
  });

  it('is waited for where its silence is about to be long enough, so that one schedule is enough', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    await died(at, mission);
    at.clock.aheadSeconds = 120;
    const later = async (seconds: number): Promise<void> => void (at.clock.aheadSeconds += seconds);
    expect((await heal(at, later)).outcome).toMatchObject({ next: 'cell', mission });
  });

  it('is given another attempt also where the mission was called off meanwhile: that ends at once', async () => {
    const at = await gateSite();
    const { mission, issue } = await approved(at);
    await died(at, mission);
    await at.comment('ana', issue, '/cancel');
    at.clock.aheadSeconds = 200;
    await heal(at);
    expect(await at.labels(issue)).toContain('mission/cancelled');
  });

  it('is taken for dead as soon although its key was ended meanwhile, under which it can hand nothing over', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    await died(at, mission);
    const { bench } = await desk({ remote: at.server });
    await bench.place.keep(PROJECT_REF, (await bench.place.head(PROJECT_REF))!);
    const newer = publicKey(testKey('runner', 'runner, second key'));
    const change = await drafted(bench, rotateKey(newer, (await bench.project()).tip.size, 0), ANA);
    taken(await applied(bench, change, ANA));
    await bench.place.upToDate();
    at.clock.aheadSeconds = 200;
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
  });

  it.each<[string, (at: GateSite) => void]>([
    ['is gone', (at) => void git(at.server, ['update-ref', '-d', refOf(at)])],
    ['is garbage', (at) => void git(at.server, ['update-ref', refOf(at), 'refs/heads/main'])],
  ])('whose beacon %s holds its lease until that is over: nobody can vouch for its silence', async (_, harm) => {
    const at = await gateSite();
    const { mission } = await approved(at);
    await died(at, mission);
    harm(at);
    at.clock.aheadSeconds = 600;
    expect((await heal(at)).outcome).toMatchObject({ next: 'none' });
    at.clock.aheadSeconds = 2 * 3600;
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
    expect(await expiries(at, mission)).toEqual([{ fence: 1, silence: null }]);
  });
});

describe('a runner that lives', () => {
  it('keeps its attempt although its clock is ten minutes behind: its beacon moves while it is watched', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    const seen: string[] = [];
    const machine = atWork(async (beat) => {
      at.clock.aheadSeconds = 600;
      seen.push((await heal(at, beat)).outcome.next);
      at.clock.aheadSeconds = 0;
    });
    expect((await cell(at, mission, machine)).outcome).toMatchObject({ next: 'writer' });
    expect(seen).toEqual(['none']);
    expect(await expiries(at, mission)).toEqual([]);
  });

  it('keeps it although somebody deletes its beacon, or puts an old one back', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    const heads: string[] = [];
    const machine = atWork(async (beat) => {
      const ref = refOf(at);
      const first = git(at.server, ['rev-parse', ref]);
      await beat();
      heads.push(git(at.server, ['rev-parse', ref]));
      git(at.server, ['update-ref', '-d', ref]);
      // What it expected is not there; it looks, and the next one lands.
      await beat();
      await beat();
      heads.push(git(at.server, ['rev-parse', ref]));
      git(at.server, ['update-ref', ref, first]);
      at.clock.aheadSeconds = 600;
      const beats = async (): Promise<void> => {
        await beat();
        await beat();
      };
      heads.push((await heal(at, beats)).outcome.next);
      at.clock.aheadSeconds = 0;
    });
    expect((await cell(at, mission, machine)).outcome).toMatchObject({ next: 'writer' });
    expect(new Set(heads).size).toBe(3);
    expect(heads.at(-1)).toBe('none');
  });

  it('and is silent for that long loses it, and what it hands over then counts for nothing', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    const machine = atWork(async () => {
      at.clock.aheadSeconds = 600;
      expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
      at.clock.aheadSeconds = 0;
    });
    await expect(cell(at, mission, machine)).rejects.toMatchObject({ code: 'lease_lost' });
    expect(branches(at)).toBe('');
  });

  it('and does nothing but beat holds the mission no longer than its lease', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    const machine = atWork(async (beat) => {
      at.clock.aheadSeconds = 2 * 3600;
      await beat();
      expect((await heal(at, beat)).outcome).toMatchObject({ next: 'cell', mission });
    });
    await expect(cell(at, mission, machine)).rejects.toMatchObject({ code: 'lease_lost' });
    expect(await expiries(at, mission)).toEqual([{ fence: 1, silence: null }]);
  });
});
