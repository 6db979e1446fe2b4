// What cannot be had in a test is judged by what the ports say of it: a full disk, a runner that anybody's workflow can read.
import { describe, expect, it } from 'vitest';
import { lookAtDisk } from '../../src/app/doctor/disk.ts';
import { examine } from '../../src/app/doctor/examine.ts';
import { hereOf, type DoctorWorld } from '../../src/app/doctor/here.ts';
import { lookAtGit, lookAtListener } from '../../src/app/doctor/machine.ts';
import { lookAtRunner } from '../../src/app/doctor/runner.ts';
import { lookAtRunners } from '../../src/app/doctor/runners.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { Failure } from '../../src/failure.ts';
import type { Forge, Job } from '../../src/ports/forge.ts';

const HARD = { cpu: 'hard', memory: 'hard', processes: 'hard' } as const;
const MEBIBYTE = 1 << 20;
const nowhere = (): Promise<never> => Promise.reject(new Failure('not_a_repository'));

/** A machine with nothing on it, and what a test says. */
function machine(changes: Partial<DoctorWorld>): DoctorWorld {
  const broken = (): never => {
    throw new TypeError('not of this test');
  };
  return {
    node: '20.19.0',
    git: () => Promise.resolve('2.39.0'),
    bench: nowhere,
    cells: {
      probe: broken,
      probeListener: broken,
      spawn: broken,
      runCheck: broken,
      takeUp: broken,
      discard: broken,
      sweep: broken,
    },
    environments: { find: broken, prepare: broken, mount: broken, list: broken, verify: broken, clear: broken },
    keys: nowhere,
    secrets: { resolve: nowhere },
    host: { at: () => Promise.resolve(undefined), freeBytes: () => Promise.resolve(undefined) },
    remotes: () => Promise.resolve([]),
    forge: broken,
    builtAction: nowhere,
    far: nowhere,
    call: nowhere,
    supervisor: () => Promise.resolve({ path: '/run/s', uid: undefined, is: 'none' }),
    folders: { cells: '/cells', repository: () => '/repository' },
    told: {
      isJob: false,
      isInteractive: false,
      passphrase: undefined,
      isRoot: false,
      variables: new Set(),
      tokenOrigin: undefined,
    },
    ...changes,
  };
}

it('tells a git that is too old from one that is not there', async () => {
  const old = new Failure('git_missing', { found: 'git version 2.20.1', needed: '2.32' });
  const world = machine({ git: () => Promise.resolve('2.20.1'), bench: () => Promise.reject(old) });
  expect(await lookAtGit(hereOf(world))).toMatchObject([{ is: 'missing', says: '2.20.1, and 2.32 is the least' }]);
  const found = await examine(world);
  expect(found.filter(({ title }) => ['git', 'repository'].includes(title))).toHaveLength(1);
});

describe('the disk', () => {
  it.each([
    [100 * 1024, 'ok'],
    [1024, 'warn'],
    [255, 'missing'],
    [0, 'missing'],
  ] as const)('with %d MiB free is %s', async (free, is) => {
    const host = { at: () => Promise.resolve(undefined), freeBytes: () => Promise.resolve(free * MEBIBYTE) };
    const [found, ...others] = await lookAtDisk(hereOf(machine({ host })));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ is, ...(is === 'ok' ? {} : { next: 'lazarus cache clear --all' }) });
  });
});

describe('a runner', () => {
  const told = (variables: readonly string[]) => ({
    told: { ...machine({}).told, isJob: true, variables: new Set(variables) },
  });

  it('exposes a key that comes as a variable of its job to whoever may write a workflow', async () => {
    const found = await lookAtRunner(hereOf(machine(told(['LAZARUS_GATE_KEY', 'LAZARUS_TOKEN']))));
    expect(found).toMatchObject([
      { item: 'runner', is: 'ok' },
      { item: 'exposed', is: 'warn', says: 'exposed: repository writers (LAZARUS_GATE_KEY)' },
    ]);
  });

  it('exposes nothing where a job can read nothing', async () => {
    const found = await lookAtRunner(hereOf(machine(told(['LAZARUS_TOKEN']))));
    expect(found.at(-1)).toMatchObject({ item: 'exposed', is: 'ok' });
  });

  it('has keys kept from its jobs by a supervisor that answers, and is not ready while it does not', async () => {
    const seen = (is: 'answers' | 'silent') => ({
      supervisor: () => Promise.resolve({ path: '/run/s', uid: 998, is }),
    });
    expect(await lookAtRunner(hereOf(machine({ ...told([]), ...seen('answers') })))).toMatchObject([
      { item: 'runner' },
      { item: 'supervisor', is: 'ok', says: expect.stringContaining('of user 998') },
      { item: 'exposed', is: 'ok' },
    ]);
    expect(await lookAtRunner(hereOf(machine({ ...told([]), ...seen('silent') })))).toContainEqual(
      expect.objectContaining({ item: 'supervisor', is: 'missing', next: expect.stringContaining('restart') }),
    );
    // What a job can read all the same is told all the same.
    const leaked = machine({ ...told(['LAZARUS_GATE_KEY']), ...seen('answers') });
    expect((await lookAtRunner(hereOf(leaked))).at(-1)).toMatchObject({ item: 'exposed', is: 'warn' });
  });

  it('that hands jobs a docker socket hands them the machine', async () => {
    const host = { at: () => Promise.resolve('socket' as const), freeBytes: () => Promise.resolve(undefined) };
    const found = await lookAtRunner(hereOf(machine({ ...told([]), host })));
    expect(found).toContainEqual(expect.objectContaining({ is: 'warn', says: expect.stringContaining('root') }));
  });
});

describe('runners of a forge', () => {
  const now = 1_800_000_000;
  const at = (secondsAgo: number): string => new Date((now - secondsAgo) * 1000).toISOString();
  type Told = Partial<Job> & { readonly ago: number };

  async function told(...jobs: readonly Told[]) {
    const latest = jobs.map(({ ago, ...job }) => ({
      labels: ['lazarus-gate'],
      is: 'over' as const,
      runner: 'build-1',
      since: at(ago),
      ...job,
    }));
    const forge = {
      displayUrl: 'https://git.example.org',
      nowSeconds: () => Promise.resolve(now),
      repository: () => ({ latestJobs: () => Promise.resolve(latest) }),
    } as unknown as Forge;
    const world = machine({
      bench: () => Promise.resolve({} as Workbench),
      remotes: () => Promise.resolve([{ name: 'origin', is: 'http', url: 'https://git.example.org/team/app.git' }]),
      forge: () => forge,
      told: {
        ...machine({}).told,
        variables: new Set(['LAZARUS_TOKEN']),
        tokenOrigin: 'https://git.example.org',
      },
    });
    return (await lookAtRunners(hereOf(world))).find(({ says }) => says.startsWith('lazarus-gate'));
  }

  it.each<[string, readonly Told[], string, RegExp]>([
    ['took a job lately', [{ ago: 200 }], 'ok', /build-1 took a job 3 min ago/],
    [
      'are to take one that was just made',
      [{ ago: 30, is: 'queued', runner: undefined }],
      'ok',
      /no job of it was seen/,
    ],
    [
      'take none',
      [{ ago: 60, is: 'queued', runner: undefined }, { ago: 3600, is: 'queued', runner: undefined }, { ago: 90_000 }],
      'missing',
      /has waited for 60 min, and none takes it \(build-1 took a job 25 h ago\)/,
    ],
    [
      'are at work, and others wait behind that',
      [
        { ago: 200, is: 'queued', runner: undefined },
        { ago: 3600, is: 'running' },
      ],
      'ok',
      /build-1 took a job 60 min ago/,
    ],
    ['are asked for nothing, not by the schedule either', [{ ago: 4000 }], 'warn', /no job for 67 min/],
  ])('that %s', async (_, jobs, is, says) => {
    expect(await told(...jobs)).toMatchObject({ is, says: expect.stringMatching(says) });
  });
});

it.each([
  ['nsenter', 'apt install util-linux'],
  ['nobody listens inside', 'bwrap --unshare-all --ro-bind / / true'],
])('a machine whose cells get no listener (%s) is told what to do about that', async (why, next) => {
  const fit = { is: 'fit', backend: 'process', level: 2, limits: HARD, uid: 1000, facts: {} } as const;
  const probeListener = () => Promise.resolve({ is: 'unfit', why } as const);
  const cells = { ...machine({}).cells, probe: () => Promise.resolve(fit), probeListener };
  expect(await lookAtListener(hereOf(machine({ cells })))).toMatchObject([{ is: 'missing', says: why, next }]);
});

it('tells of every area, though looking at any of them may fail, and leaves Ctrl-C alone', async () => {
  const troubles: unknown[] = [];
  const found = await examine(machine({}), { onTrouble: (error) => troubles.push(error) });
  const cells = found.find(({ item }) => item === 'cells');
  expect(cells).toMatchObject({ is: 'missing', says: expect.stringContaining('not of this test') });
  expect(found.find(({ item }) => item === 'repository')).toMatchObject({ is: 'missing', next: 'git init' });
  expect(troubles.length).toBeGreaterThan(0);
  const interrupted = examine(machine({ git: () => Promise.reject(new Failure('interrupted')) }));
  await expect(interrupted).rejects.toMatchObject({ code: 'interrupted' });
});
