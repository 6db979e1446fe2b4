// A forge that stays away for longer than a job waits: what its agent made lies on the runner's disk, and the next job there
// hands it over, if nobody took the attempt meanwhile; else it is kept, and people find it. Nobody slips in anything else.
import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sweepAbandoned } from '../../../src/adapters/cells/abandoned.ts';
import { stowFiles } from '../../../src/adapters/state/stow-files.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { lateWorkOf } from '../../../src/app/mission/late-work.ts';
import { patienceFor, withPatience } from '../../../src/app/patience.ts';
import { missionState } from '../../../src/app/mission/world.ts';
import { saidCommit } from '../../../src/app/said-commit.ts';
import { Failure } from '../../../src/failure.ts';
import { courseOf } from '../../../src/kernel/course/steps.ts';
import { LATE_WORK } from '../../../src/ledger/late-work.ts';
import { KEPT_REFS } from '../../../src/ledger/names.ts';
import { readSaid } from '../../../src/ledger/said.ts';
import type { Remote } from '../../../src/ports/remote.ts';
import type { Stow } from '../../../src/ports/stow.ts';
import { testKey, type TestKey } from '../../support/people.ts';
import { git, scratch } from '../../support/repos.ts';
import { never } from '../mission/running.ts';
import { gateSite, RUNNER, WRITER, type GateSite } from './gate-site.ts';
import { approved, branches, cell, heal, jobSite, writer, type Machine } from './jobs.ts';

const PATIENCE_MS = 600_000;
const AHEAD_SECONDS = 600;
const LATER_SECONDS = 2 * 3600;
const DAY_SECONDS = 24 * 3600;

/** A runner's machine: its folder outlives its jobs, and so does what it told. */
async function machineOf(at: GateSite, folder = join(scratch('state'), 'handovers')) {
  const { project } = (await at.gate()).world;
  const clock = { nowSeconds: () => Math.floor(Date.now() / 1000) + at.clock.aheadSeconds };
  const stow: Stow = stowFiles({ folder, project: project.tip.state!.project_genesis, clock });
  const log: string[] = [];
  const machine: Machine = { stow, told: (line) => log.push(line) };
  const files = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.handover'));
  return { machine, log, files, folder, path: () => join(folder, files()[0]!) };
}

/** The forge is away from this step of a job on, until somebody says that it is back. */
function outage(at: GateSite) {
  let isAway = false;
  let nowMs = 0;
  const leaving = new AbortController();
  const patience = patienceFor({
    awayMsMax: PATIENCE_MS,
    nowMs: () => nowMs,
    backOff: (upToMs) => Promise.resolve(void (nowMs += upToMs)),
    over: leaving.signal,
  });
  const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (isAway) throw new Failure('remote_unreachable', { url: 'http://forge.invalid' }, { retry: 'later' });
    return ask();
  };
  at.between.wrapRemote = (remote: Remote) =>
    withPatience(
      {
        ...remote,
        heads: (...of) => asked(() => remote.heads(...of)),
        fetch: (...of) => asked(() => remote.fetch(...of)),
        push: (...of) => asked(() => remote.push(...of)),
        pushStored: (...of) => asked(() => remote.pushStored(...of)),
      },
      patience,
    );
  return {
    from: (step: string) => (reached: string) => void (isAway ||= reached === step),
    back: () => (isAway = false),
    /** The machine is shut down. */
    leave: () => leaving.abort(),
    waitedMs: () => nowMs,
  };
}

const keptAt = (at: GateSite): string[] =>
  git(at.server, ['for-each-ref', '--format=%(refname)', KEPT_REFS]).split('\n').filter(Boolean);

/** A mission whose hand-over waits on a machine, and the forge back again. */
async function stowed(step = 'collected', changes = {}, agent?: string) {
  const at = await gateSite();
  if (agent !== undefined) at.commitToMain('tools/example-agent.sh', agent);
  const one = await approved(at, changes);
  const here = await machineOf(at);
  const away = outage(at);
  const job = cell(at, one.mission, { ...here.machine, onPoint: away.from(step) });
  await expect(job).rejects.toMatchObject({
    code: 'handover_stowed',
    facts: { mission: one.mission, attempt: 1, because: 'remote_unreachable' },
  });
  expect(away.waitedMs()).toBeGreaterThanOrEqual(PATIENCE_MS);
  away.back();
  return { at, ...one, ...here };
}

async function attemptOf(at: GateSite, mission: string) {
  const site = await jobSite(at, RUNNER);
  return courseOf(await missionState(await site.actOn(mission)))!.attempt!;
}

describe('a hand-over that cannot leave', () => {
  it('waits on the disk for its user alone, once its job has waited as long as it may', async () => {
    const { folder, path, files } = await stowed();
    expect(files()).toHaveLength(1);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    // Nothing half-written beside it.
    expect(readdirSync(folder)).toEqual(files());
  });

  it.each(['collected', 'handed_over', 'checked'])(
    'is made by the next job there, from %s on, under the lease that it came from, and the mission ends done',
    async (step) => {
      const { at, mission, machine, files, log, issue } = await stowed(step);
      const next = await cell(at, mission, machine);
      expect(log).toEqual([`${mission}: what waited here is handed over, under the lease that it came from`]);
      expect(next.outcome).toMatchObject({ next: 'writer', reasonCode: 'work_handed_over' });
      expect(files()).toEqual([]);
      expect((await writer(at, mission)).outcome).toMatchObject({ decision: 'complete' });
      expect(branches(at)).toMatch(new RegExp(`refs/heads/lazarus-work/${mission}/1$`));
      expect((await at.ours(issue))[0]).not.toContain('another attempt');
      // Once: whoever comes later finds nothing.
      await cell(at, mission, machine);
      expect(log).toHaveLength(1);
    },
  );

  it('is made by the job of another mission as well, and that one’s own agent runs all the same', async () => {
    const { at, mission, machine, files } = await stowed();
    const other = await approved(at, { paths: 'docs/other/**', goal: 'Something else' });
    await cell(at, other.mission, machine).catch(() => undefined);
    expect(files()).toEqual([]);
    expect(await attemptOf(at, mission)).toMatchObject({ no: 1, verdict: 'satisfied' });
  });

  it('says what failed as if it had left at once: the check, and the work that it failed', async () => {
    const { at, mission, machine } = await stowed('collected', { acceptance: "sh -c 'exit 9'" });
    const next = await cell(at, mission, machine);
    expect(next).toMatchObject({ failed: 'verify_failed', outcome: { next: 'writer' } });
    expect(keptAt(at)).toHaveLength(1);
  });

  it('is judged path by path when it is taken up, and what it may not change is refused and kept', async () => {
    const agent = '#!/bin/sh\necho x > README.md\n';
    const { at, mission, machine } = await stowed('collected', {}, agent);
    expect(await cell(at, mission, machine)).toMatchObject({ failed: 'scope_violated' });
    expect(keptAt(at)).toHaveLength(1);
  });

  it('is heard of again while it is taken up, so that a schedule that found it silent leaves it', async () => {
    const { at, mission, machine, files } = await stowed();
    at.clock.aheadSeconds = AHEAD_SECONDS;
    let isSent = (): void => undefined;
    const beat = new Promise<void>((resolve) => (isSent = resolve));
    const untilNextBeacon: Machine['untilNextBeacon'] = (over) => {
      isSent();
      return never(over);
    };
    const looked: string[] = [];
    const cells: Machine['cells'] = (real) => ({
      ...real,
      takeUp: async (laid) => {
        await beat;
        looked.push((await heal(at)).outcome.next);
        return real.takeUp(laid);
      },
    });
    expect((await cell(at, mission, { ...machine, cells, untilNextBeacon })).outcome).toMatchObject({ next: 'writer' });
    expect(looked).toEqual(['none']);
    expect(files()).toEqual([]);
  });

  it('goes nowhere where its mission was called off meanwhile', async () => {
    const { at, mission, machine, files, issue } = await stowed();
    await at.comment('ana', issue, '/cancel');
    await cell(at, mission, machine);
    expect(files()).toEqual([]);
    await writer(at, mission);
    expect(await at.labels(issue)).toContain('mission/cancelled');
    expect(branches(at)).toBe('');
  });

  it.each(['handed_over', 'checked'])(
    'is finished by the job after one whose machine goes at %s while it takes it up',
    async (step) => {
      const { at, mission, machine, files } = await stowed();
      const onPoint = (reached: string): void => {
        if (reached === step) throw new Error('the machine is gone');
      };
      await expect(cell(at, mission, { ...machine, onPoint })).rejects.toThrow('the machine is gone');
      expect(files()).toHaveLength(1);
      expect((await cell(at, mission, machine)).outcome).toMatchObject({ next: 'writer' });
      expect(files()).toEqual([]);
      expect(await attemptOf(at, mission)).toMatchObject({ no: 1, verdict: 'satisfied' });
    },
  );

  it('waits on where the forge is away once more', async () => {
    const { at, mission, machine, files, log } = await stowed();
    const again = outage(at);
    const away: Machine = { ...machine, onPoint: again.from('handed_over') };
    await cell(at, mission, away).catch(() => undefined);
    expect(log.at(-1)).toContain('a hand-over waits here still: remote_unreachable');
    expect(files()).toHaveLength(1);
    again.back();
    expect((await cell(at, mission, machine)).outcome).toMatchObject({ next: 'writer' });
    expect(files()).toEqual([]);
  });

  it('waits there at once where its job is told to leave meanwhile: that waits for nobody', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    const { machine, files } = await machineOf(at);
    const away = outage(at);
    const onPoint = (step: string): void => {
      away.from('collected')(step);
      if (step === 'collected') away.leave();
    };
    await expect(cell(at, mission, { ...machine, onPoint })).rejects.toMatchObject({ code: 'handover_stowed' });
    expect(away.waitedMs()).toBe(0);
    expect(files()).toHaveLength(1);
  });

  it('is said to be lost, with the reason, where the disk does not take it', async () => {
    const at = await gateSite();
    const { mission } = await approved(at);
    const { machine } = await machineOf(at, '/dev/null/handovers');
    const away = outage(at);
    await expect(cell(at, mission, { ...machine, onPoint: away.from('collected') })).rejects.toMatchObject({
      code: 'handover_lost',
      facts: { attempt: 1, because: 'remote_unreachable', why: expect.stringContaining('not_writable') },
    });
  });
});

describe('a hand-over that comes too late', () => {
  it.each<[string, number]>([
    ['was taken over after the silence of its runner', AHEAD_SECONDS],
    ['ran out of its lease', LATER_SECONDS],
  ])(
    'of an attempt that %s is refused by the fence, and kept for `diff` by the word of its runner',
    async (_, ahead) => {
      const { at, mission, machine, files, log, issue } = await stowed();
      at.clock.aheadSeconds = ahead;
      expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
      const before = git(at.server, ['for-each-ref', `refs/heads/lazarus/${mission}`]);
      await cell(at, mission, { ...machine, onPoint: undefined as never });
      expect(log[0]).toMatch(/: lease_lost: what waited here came too late, and its work is kept until \d{4}-/);
      expect(files()).toEqual([]);
      // The next attempt began as if there had been nothing.
      expect(git(at.server, ['for-each-ref', `refs/heads/lazarus/${mission}`])).not.toBe(before);
      expect(await attemptOf(at, mission)).toMatchObject({ no: 2, verdict: 'satisfied' });
      const [ref, late] = keptAt(at);
      expect(late).toBe(`${ref}.late`);
      await writer(at, mission);
      const [status] = await at.ours(issue);
      expect(status).toContain(`\`lazarus diff ${mission} --attempt 1\``);
      expect(status).toContain('is the word of runner alone');
      expect(await at.comment('ben', issue, '/diff attempt 1')).toMatchObject({ reasonCode: 'shown' });
      const reply = (await at.ours(issue)).at(-1)!;
      expect(reply).toContain('+++ b/docs/usage.md');
      expect(reply).toContain('the word of `runner` alone');
      // Nothing sweeps it up before its day, and both go together then.
      at.clock.aheadSeconds = 13 * DAY_SECONDS;
      await heal(at);
      expect(keptAt(at)).toHaveLength(2);
      at.clock.aheadSeconds = 16 * DAY_SECONDS;
      await heal(at);
      expect(keptAt(at)).toEqual([]);
    },
  );

  it('is refused by the law itself where it is taken over in the very moment in which it is taken up', async () => {
    const { at, mission, machine, log, files } = await stowed();
    let isTaken = false;
    const cells: Machine['cells'] = (real) => ({
      ...real,
      takeUp: async (laid) => {
        if (!isTaken) {
          isTaken = true;
          // However alive it is: its lease is over.
          at.clock.aheadSeconds = LATER_SECONDS;
          expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
        }
        return real.takeUp(laid);
      },
    });
    await cell(at, mission, { ...machine, cells });
    expect(log[0]).toContain('lease_lost: what waited here came too late, and its work is kept until');
    expect(files()).toEqual([]);
    expect(await attemptOf(at, mission)).toMatchObject({ no: 2 });
  });

  it('is kept as well by a job that lived all the while, and was robbed for its silence', async () => {
    const at = await gateSite();
    const { mission, issue } = await approved(at);
    const { machine } = await machineOf(at);
    const onPoint = async (step: string): Promise<void> => {
      if (step !== 'collected') return;
      at.clock.aheadSeconds = AHEAD_SECONDS;
      await heal(at);
      at.clock.aheadSeconds = 0;
    };
    await expect(cell(at, mission, { ...machine, onPoint })).rejects.toMatchObject({
      code: 'lease_lost',
      facts: { kept_until: expect.stringMatching(/^\d{4}-/) },
    });
    expect(await at.comment('ben', issue, '/diff attempt 1')).toMatchObject({ reasonCode: 'shown' });
  });

  it('is swept up by the day that its name has, wherever it still waits', async () => {
    const { at, machine, files, mission, log } = await stowed();
    at.clock.aheadSeconds = 20 * DAY_SECONDS;
    await cell(at, mission, machine).catch(() => undefined);
    expect(files()).toEqual([]);
    expect(log).toEqual([]);
    expect(keptAt(at)).toEqual([]);
  });
});

describe('what is believed of work that came late', () => {
  async function late() {
    const made = await stowed();
    const { at, mission, machine } = made;
    at.clock.aheadSeconds = AHEAD_SECONDS;
    await heal(at);
    await cell(at, mission, machine);
    const found = async (): Promise<readonly unknown[]> => {
      const site = await jobSite(at, RUNNER);
      const acting = await site.actOn(mission);
      const { ledger_id } = await missionState(acting);
      return lateWorkOf(acting.world, ledger_id, (await acting.desk.told()).attempts);
    };
    return { ...made, found };
  }

  it('is its runner’s word for this attempt: of another statement, another attempt or garbage there is nothing to see', async () => {
    const { at, found } = await late();
    expect(await found()).toMatchObject([{ no: 1, by: 'runner' }]);
    const [ref, said] = keptAt(at);
    const oid = git(at.server, ['rev-parse', said!]);
    // Whoever can push moves it to another attempt.
    git(at.server, ['update-ref', said!.replace(/[0-9a-f-]{36}/, '0'.repeat(8) + '-0000-4000-8000-000000000000'), oid]);
    git(at.server, ['update-ref', '-d', said!]);
    expect(await found()).toEqual([]);
    git(at.server, ['update-ref', said!, ref!]);
    expect(await found()).toEqual([]);
    git(at.server, ['update-ref', said!, oid]);
    expect(await found()).toHaveLength(1);
  });

  it.each<[string, TestKey, readonly unknown[]]>([
    ['another member', WRITER, []],
    ['somebody on no roster', testKey('mallory'), []],
    // Its runner invents all of it, and is shown with its name: nothing else rests on it.
    ['its runner', RUNNER, [{ no: 1, by: 'runner' }]],
  ])('of %s with a good signature is shown only where that one held its lease', async (_, key, expected) => {
    const { at, found } = await late();
    const [, ref] = keptAt(at);
    const there = git(at.server, ['cat-file', 'blob', `${ref}:late.json`]);
    const { fingerprint: __, signature: ___, ...said } = readSaid(LATE_WORK.schema, Buffer.from(`${there}\n`))!;
    const lie = { ...said, commit: git(at.server, ['rev-parse', 'refs/heads/main']) };
    const clock = { nowSeconds: () => Math.floor(Date.now() / 1000) };
    const { objects, next } = await saidCommit({ crypto: nodeCrypto, clock }, key, LATE_WORK, lie);
    for (const { type, body } of objects) git(at.server, ['hash-object', '-t', type, '-w', '--stdin'], body);
    git(at.server, ['update-ref', ref!, next]);
    expect(await found()).toEqual(
      expected.map((one) => expect.objectContaining({ ...(one as object), commit: lie.commit })),
    );
  });
});

describe('a file that waits', () => {
  it('outlives what sweeps up after killed cells', async () => {
    const { folder, files } = await stowed();
    await sweepAbandoned(join(folder, '..'));
    expect(files()).toHaveLength(1);
  });

  it.each<[string, (path: string) => void]>([
    [
      'was altered by one bit',
      (path) => {
        const bytes = readFileSync(path);
        bytes[bytes.length - 30]! ^= 1;
        writeFileSync(path, bytes);
      },
    ],
    ['was cut off', (path) => writeFileSync(path, readFileSync(path).subarray(0, -100))],
    ['is empty', (path) => writeFileSync(path, '')],
    [
      'claims another attempt',
      (path) => writeFileSync(path, readFileSync(path, 'latin1').replace('"fence":1', '"fence":2'), 'latin1'),
    ],
    ['others may write', (path) => chmodSync(path, 0o622)],
    [
      'is a link',
      (path) => {
        const bytes = readFileSync(path);
        unlinkSync(path);
        writeFileSync(`${path}.elsewhere`, bytes, { mode: 0o600 });
        symlinkSync(`${path}.elsewhere`, path);
      },
    ],
  ])('that %s is used for nothing, named, and left for a person', async (_, harm) => {
    const { at, mission, machine, log, path, files } = await stowed();
    const there = path();
    harm(there);
    const next = await cell(at, mission, machine);
    expect(log).toEqual([`a hand-over waits here still: handover_altered: ${there}`]);
    expect(files()).toHaveLength(1);
    expect(next.outcome.next).toBe('none');
    expect(await attemptOf(at, mission)).toMatchObject({ no: 1, work: null });
  });

  it('is in one pair of hands: of two jobs at once one makes the hand-over', async () => {
    const { at, mission, machine, log, files } = await stowed();
    const { stow } = machine;
    const [one] = await stow!.list();
    const taken = await stow!.take(one!);
    // Another job of this machine has it: nobody waits for that, and nobody does it twice.
    await cell(at, mission, machine);
    expect(log).toEqual([]);
    await taken!.letGo();
    await cell(at, mission, machine);
    expect(log).toHaveLength(1);
    expect(files()).toEqual([]);
    expect(await stow!.take(one!)).toBeUndefined();
  });

  it('is seen by no cell, which finds neither the folder nor a way to write there', async () => {
    const at = await gateSite();
    const { folder, machine, files } = await machineOf(at);
    at.commitToMain(
      'tools/example-agent.sh',
      `#!/bin/sh\nmkdir -p docs\nfor d in '${folder}' '${join(folder, '..')}'; do ls -d "$d" >> docs/usage.md 2>/dev/null; done\nmkdir -p '${folder}' 2>/dev/null && echo x > '${folder}/x.handover'\necho looked >> docs/usage.md\n`,
    );
    await machine.stow!.put({
      attempt: '00000000-0000-4000-8000-000000000000',
      endsAtSeconds: 4_000_000_000,
      bytes: Buffer.from('x'),
    });
    const { mission } = await approved(at, { acceptance: 'true', verify: 'true' });
    const { stow: _, ...without } = machine;
    expect((await cell(at, mission, without)).outcome).toMatchObject({ next: 'writer' });
    const work = git(at.server, ['for-each-ref', '--format=%(refname)', 'refs/lazarus/incoming/']);
    expect(git(at.server, ['show', `${work}:docs/usage.md`])).toBe('looked');
    expect(files()).toEqual([expect.stringContaining('00000000-0000-4000-8000-000000000000')]);
  });
});
