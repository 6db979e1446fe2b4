// Where a gate's job gets the project from: over HTTP into memory, and where a server or a proxy does not go along with
// that, through git into a clone. Either way from the genesis it was told, and as far as the key it was not given.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bringAhead } from '../../../src/app/gate/ahead.ts';
import { indexRef } from '../../../src/app/gate/before.ts';
import { askFirst, type Asking } from '../../../src/compose/first-questions.ts';
import { openJobSite } from '../../../src/compose/job.ts';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import type { JobCircumstances } from '../../../src/surfaces/action/circumstances.ts';
import { desk } from '../../support/desk.ts';
import { startGitHttpServer, type Fault } from '../../support/http-server.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';
import { gateSite } from './gate-site.ts';

async function served() {
  const site = await gateSite();
  const { bench } = await desk({ remote: site.server });
  await bench.place.keep(PROJECT_REF, (await bench.place.head(PROJECT_REF))!);
  const { state } = (await bench.project()).tip;
  const server = await startGitHttpServer(dirname(dirname(site.server)));
  onTestFinished(server.close);
  const temporary = scratch('job');
  const at: JobCircumstances = {
    job: 'gate',
    eventName: 'issues',
    eventPath: '',
    mission: undefined,
    missions: [],
    genesis: state!.project_genesis,
    serverUrl: server.origin,
    owner: 'ana',
    repository: 'm1',
    run: null,
    outputPath: undefined,
    summaryPath: undefined,
    temporary,
    supervisor: '/nonexistent',
  };
  const env = { PATH: process.env['PATH'], HOME: temporary, GIT_CONFIG_NOSYSTEM: '1' };
  const asking = { refs: [], isBrief: true, awayMsMax: 0, told: () => undefined };
  const open = (
    changes: Partial<JobCircumstances> = {},
    more: NodeJS.ProcessEnv = {},
    waits: Partial<Pick<Asking, 'awayMsMax' | 'told'>> = {},
  ): Promise<unknown> => openJobSite({ ...at, ...changes }, { ...env, ...more }, { role: 'gate', ...asking, ...waits });
  const askedOfGit = (): string[] =>
    server.seen.filter(({ path }) => !path.startsWith('/api/')).map(({ method, path }) => `${method} ${path}`);
  return { site, server, at, env, asking, open, temporary, askedOfGit };
}

const WITHOUT_KEY = { code: 'key_not_found' };

describe('a gate’s job', () => {
  it('asks twice and writes nothing to the disk', async () => {
    const { open, askedOfGit, temporary } = await served();
    await expect(open()).rejects.toMatchObject(WITHOUT_KEY);
    expect(askedOfGit()).toEqual(Array.from({ length: 2 }, () => 'POST /ana/m1.git/git-upload-pack'));
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each([
    ['has come', true],
    ['is on its way', false],
  ])('asks no second time for a mission that %s', async (_, isWaitedFor) => {
    const { site, at, env, asking, askedOfGit } = await served();
    const { issue } = await site.file('ana');
    const about = { ...asking, issue, refs: [indexRef(issue)] };
    const first = askFirst(at, env, about);
    const ahead = bringAhead(first.brief!, issue);
    if (isWaitedFor) await ahead;
    await expect(openJobSite(at, env, { role: 'gate', ...about }, first)).rejects.toMatchObject(WITHOUT_KEY);
    expect(askedOfGit()).toEqual(Array.from({ length: 4 }, () => 'POST /ana/m1.git/git-upload-pack'));
    const { repository } = first.brief!;
    const fetched = await repository.list('refs/lazarus/fetched/');
    expect(fetched.filter(({ ref }) => ref.includes('/m-'))).toHaveLength(2);
  });

  it('believes no other project than the one it was told', async () => {
    const { open } = await served();
    const genesis = `sha256:${'5a'.repeat(32)}`;
    await expect(open({ genesis })).rejects.toMatchObject({ code: 'genesis_mismatch' });
  });

  it.each<[string, (n: number) => Fault | undefined]>([
    [
      'knows only the older protocol',
      (n) => (n === 0 ? { do: 'answer', status: 200, body: '0034ERR want' } : undefined),
    ],
    ['breaks once', (n) => (n === 0 ? { do: 'answer', status: 502 } : undefined)],
    [
      'sends more than memory should hold',
      (n) => (n === 1 ? { do: 'endless', chunk: Buffer.alloc(1 << 20, '0009\u0002hey\n') } : undefined),
    ],
  ])('goes through git where a server %s', async (_, fault) => {
    const { server, open, askedOfGit } = await served();
    let n = 0;
    server.faults(({ path }) => (path.startsWith('/api/') ? undefined : fault(n++)));
    await expect(open()).rejects.toMatchObject(WITHOUT_KEY);
    expect(askedOfGit()).toContain('GET /ana/m1.git/info/refs?service=git-upload-pack');
  });

  it('goes through git where a proxy is named', async () => {
    const { open, askedOfGit, temporary } = await served();
    await expect(open({}, { https_proxy: 'http://127.0.0.1:1' })).rejects.toMatchObject(WITHOUT_KEY);
    expect(askedOfGit()).toContain('GET /ana/m1.git/info/refs?service=git-upload-pack');
    // The clone that this takes is gone.
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('waits for a forge that is away, and goes on when it is back', async () => {
    const { server, open } = await served();
    let isBack = false;
    const said: string[] = [];
    server.faults(({ path }) => (isBack || path.startsWith('/api/') ? undefined : { do: 'answer', status: 503 }));
    const told = (line: string): void => {
      said.push(line);
      isBack = true;
    };
    await expect(open({}, {}, { awayMsMax: 600_000, told })).rejects.toMatchObject(WITHOUT_KEY);
    expect(said[0]).toBe('remote_unreachable: asked again for up to 600 s');
    // Without the patience it is told of nothing, and fails.
    isBack = false;
    await expect(open()).rejects.toMatchObject({ code: 'remote_unreachable' });
  });

  it('makes a clone of its own, although a surrounding git points to another repository', async () => {
    const { open, askedOfGit } = await served();
    const other = scratchRepository();
    const before = readFileSync(join(other, '.git', 'config'), 'utf8');
    const env = { https_proxy: 'http://127.0.0.1:1', GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other };
    await expect(open({}, env)).rejects.toMatchObject(WITHOUT_KEY);
    expect(askedOfGit()).toContain('GET /ana/m1.git/info/refs?service=git-upload-pack');
    expect(git(other, ['for-each-ref'])).toBe('');
    expect(git(other, ['count-objects'])).toMatch(/^0 objects/);
    expect(readFileSync(join(other, '.git', 'config'), 'utf8')).toBe(before);
  });
});
