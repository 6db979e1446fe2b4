// What a job's key left of a project on the forge: the next job of that key begins there, whatever the project's age, and
// comes to the same. Nobody else's word does that, and what is missing or false costs time.
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { bareSecretKeyPacket, secretFromSeed } from '../../../src/adapters/keys/secret-key.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { fileFolds } from '../../../src/adapters/state/file-folds.ts';
import { leaveProject } from '../../../src/app/leave-project.ts';
import { missionState } from '../../../src/app/mission/world.ts';
import { knownProject } from '../../../src/app/project-fold.ts';
import { KNOWN_FILES } from '../../../src/app/recall-project.ts';
import { Workbench } from '../../../src/app/workbench.ts';
import { briefWorkbench } from '../../../src/compose/brief.ts';
import { askFirst } from '../../../src/compose/first-questions.ts';
import { openJobSite } from '../../../src/compose/job.ts';
import type { ProjectView } from '../../../src/app/adoption.ts';
import { base64, utf8 } from '../../../src/format/bytes.ts';
import { armor } from '../../../src/format/openpgp/armor.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import type { ProjectState } from '../../../src/kernel/state.ts';
import { knownRef, missionRef, PROJECT_REF } from '../../../src/ledger/names.ts';
import { knownStatement } from '../../../src/ledger/known.ts';
import { desk } from '../../support/desk.ts';
import { aNote } from '../../support/project.ts';
import { startGitHttpServer } from '../../support/http-server.ts';
import { ANA, BEN, KEYS_MADE_AT_SECONDS, testKey, type TestKey } from '../../support/people.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';
import { taken } from '../../support/taken.ts';
import { GATE, gateSite, WRITER } from './gate-site.ts';

/** More commits than are kept together, and more events than a segment has. */
const AGE = 400;
const REF = knownRef(GATE.fingerprint);

function secretOf(word: string): string {
  const seed = createHash('sha256').update(`lazarus test key ${word}`).digest();
  return armor('PRIVATE KEY BLOCK', bareSecretKeyPacket(secretFromSeed(seed, KEYS_MADE_AT_SECONDS)));
}

/** Years of a project in a breath: made beside the server, and pushed there at once. */
async function age(server: string, events: number): Promise<void> {
  const folder = scratchRepository();
  git(folder, ['fetch', '-q', server, `${PROJECT_REF}:${PROJECT_REF}`]);
  const { bench } = await desk({ folder });
  const session = await bench.open(PROJECT_REF, ANA);
  const { ledger_id: id, policy } = (await session.tip()).state as ProjectState;
  const at = { entity_type: 'project', entity_id: id, task_id: id } as const;
  for (let n = 1; n <= events; n++) {
    const payload = { ...policy!, revision: policy!.revision + n };
    taken(await session.submit({ decide: () => accept([{ event_type: 'policy.revised', payload, ...at }]) }));
  }
  git(folder, ['push', '-q', server, PROJECT_REF]);
}

/** As the schedule's job: with a disk, and nothing remembered. */
async function schedule(server: string, key: TestKey = GATE): Promise<void> {
  const { bench } = await desk({ remote: server });
  await bench.place.keep(PROJECT_REF, (await bench.place.head(PROJECT_REF))!);
  const keeping = new Workbench({ ...bench.parts, folds: fileFolds(bench.parts.repository.stateDir) });
  await knownProject(keeping);
  await leaveProject(keeping, key);
}

/** The mission that an issue leads to. */
function issueIn(server: string, issue: number): string | undefined {
  return git(server, ['log', '-1', '--format=%B', `refs/lazarus/issues/${issue}`]).trim();
}

type Aged = { readonly server: string; readonly issue: number; readonly genesis: string };

/** Made once for this file: each test has a copy of the server. */
let made: Promise<Aged> | undefined;
afterAll(async () => {
  if (made !== undefined) rmSync((await made).server, { recursive: true, force: true });
});

async function aged(): Promise<Aged> {
  const { server: first, ...rest } = await (made ??= firstAged());
  const server = join(scratch('served'), 'ana', 'm1.git');
  cpSync(first, server, { recursive: true });
  return { server, ...rest };
}

async function firstAged(): Promise<Aged> {
  const site = await gateSite();
  const { issue } = await site.file('ana');
  await age(site.server, AGE);
  // As forges have it.
  git(site.server, ['config', 'uploadpack.allowFilter', 'true']);
  const { bench } = await desk({ remote: site.server });
  await bench.place.keep(PROJECT_REF, (await bench.place.head(PROJECT_REF))!);
  const server = mkdtempSync(join(tmpdir(), 'lazarus-aged-'));
  cpSync(site.server, server, { recursive: true });
  return { server, issue, genesis: (await bench.project()).tip.state!.project_genesis };
}

async function jobsAt(project: Pick<Aged, 'server' | 'genesis'>) {
  const { genesis } = project;
  const server = await startGitHttpServer(dirname(dirname(project.server)));
  onTestFinished(server.close);
  const at = {
    serverUrl: server.origin,
    owner: 'ana',
    repository: 'm1',
    genesis,
    run: null,
    temporary: scratch('job'),
  };
  const env = {
    PATH: process.env['PATH'],
    HOME: at.temporary,
    LAZARUS_GATE_KEY: secretOf('gate'),
    LAZARUS_WRITER_KEY: secretOf('writer'),
  };
  const asking = { refs: [], isBrief: true, awayMsMax: 0, told: () => undefined };
  const asked = (): number => server.seen.filter(({ path }) => path.endsWith('/git-upload-pack')).length;
  const hasCloned = (): boolean => server.seen.some(({ path }) => path.includes('/info/refs'));
  return {
    asked,
    hasCloned,
    open: () => openJobSite(at, env, { ...asking, role: 'gate' }),
    openWithDisk: (role: 'gate' | 'writer') => openJobSite(at, env, { ...asking, isBrief: false, role }),
    /** What such a job verifies of the project, and what it comes to. */
    async look() {
      const brief = askFirst(at, env, asking).brief!;
      const bench = briefWorkbench(brief);
      onTestFinished(() => bench.close());
      await bench.place.keep(PROJECT_REF, (await brief.brought).get(PROJECT_REF)!);
      let commits = 0;
      const view = await knownProject(bench, { genesis, onCommit: () => (commits += 1) });
      return { commits, view };
    },
  };
}

/** Anybody who may push puts other files there. */
function rewrite(server: string, files: Readonly<Record<string, string | undefined>>, ref = REF): void {
  const folder = scratchRepository();
  git(folder, ['fetch', '-q', server, ref]);
  git(folder, ['read-tree', 'FETCH_HEAD']);
  for (const [path, text] of Object.entries(files)) {
    git(folder, ['update-index', '--force-remove', path]);
    if (text === undefined) continue;
    const blob = git(folder, ['hash-object', '-w', '--stdin'], text).trim();
    git(folder, ['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
  }
  const tree = git(folder, ['write-tree']).trim();
  const commit = git(folder, ['commit-tree', tree, '-p', 'FETCH_HEAD^', '-m', 'known']).trim();
  git(folder, ['push', '-q', '-f', server, `${commit}:${ref}`]);
}

function fileOf(server: string, path: string, ref = REF): string {
  return `${git(server, ['show', `${ref}:${path}`])}\n`;
}

/** The project as somebody would have a gate see it: stopped since yesterday. */
function stoppedBy(server: string, signer: TestKey, ref = REF): Record<string, string> {
  const stopped = '"halt":{"by":"ana","root":true,"since":"2026-11-18T12:00:00.000Z"}';
  return signedBy(signer, fileOf(server, KNOWN_FILES.known, ref).replaceAll('"halt":null', stopped));
}

function signedBy(signer: TestKey, known: string): Record<string, string> {
  const packet = signer.signNow(knownStatement(nodeCrypto, utf8(known)), KEYS_MADE_AT_SECONDS + 1);
  return { [KNOWN_FILES.known]: known, [KNOWN_FILES.signature]: `${base64(packet)}\n` };
}

const haltOf = ({ view }: { readonly view: ProjectView }): unknown => (view.tip.state as ProjectState).halt;

describe('a gate of a project with a past', () => {
  it('begins where the schedule of the same key was, and comes to the same', async () => {
    const project = await aged();
    const before = await (await jobsAt(project)).look();
    expect(before.commits).toBeGreaterThan(AGE);
    await schedule(project.server);
    const jobs = await jobsAt(project);
    const { commits, view } = await jobs.look();
    expect(commits).toBeLessThan(AGE / 2);
    expect(jobs.asked()).toBe(3);
    expect(view.tip.oid).toBe(before.view.tip.oid);
    expect(view.tip.state).toEqual(before.view.tip.state);
    expect(view.changes()).toEqual(before.view.changes());
  });

  it('knows a mission of long ago, and writes in it', async () => {
    const project = await aged();
    const { server, issue } = project;
    await schedule(server);
    const jobs = await jobsAt(project);
    const opened = await jobs.open();
    onTestFinished(() => opened.close());
    const [mission] = await opened.openMissions();
    const acting = await opened.actOn(mission!);
    const state = await missionState(acting);
    expect(state.grew_from.size).toBeLessThan(AGE / 2);
    expect(issueIn(server, issue)).toBe(state.ledger_id);
    const noted = await acting.desk.transact({
      decide: (now, { projectHead }) => aNote().decide(now, { head: projectHead, adopts: false }),
    });
    expect(noted.is).toBe('accepted');
    expect(jobs.hasCloned()).toBe(false);
    // Whoever verifies all of it agrees.
    const { bench } = await desk({ remote: server });
    for (const ref of [PROJECT_REF, missionRef(state.ledger_id)])
      await bench.place.keep(ref, (await bench.place.head(ref))!);
    const { report } = await bench.verify(missionRef(state.ledger_id), 'full', { project: await bench.project() });
    expect(report.integrity).toEqual({ is: 'ok' });
  });

  it.each([
    ['gate', GATE],
    ['writer', WRITER],
  ] as const)(
    'with a disk leaves what it knows at its end, and the next job of a %s begins there',
    async (role, key) => {
      const project = await aged();
      const { server } = project;
      const ref = knownRef(key.fingerprint);
      const jobs = await jobsAt(project);
      const first = await jobs.openWithDisk(role);
      await first.leave();
      await first.close();
      expect(git(server, ['for-each-ref', '--format=%(refname)', 'refs/lazarus/known/'])).toBe(ref);
      // What that key says is believed, so it was begun with.
      rewrite(server, stoppedBy(server, key, ref), ref);
      const next = await jobs.openWithDisk(role);
      onTestFinished(() => next.close());
      const acting = await next.actOn((await next.openMissions())[0]!);
      expect((acting.world.project.tip.state as ProjectState).halt).not.toBeNull();
    },
  );

  it('is left nothing of a young project, and little where little is new', async () => {
    const site = await gateSite();
    await schedule(site.server);
    expect(git(site.server, ['for-each-ref', REF])).toBe('');
    const { server } = await aged();
    await schedule(server);
    const first = git(server, ['rev-parse', REF]);
    await age(server, 3);
    await schedule(server);
    expect(git(server, ['rev-parse', REF])).toBe(first);
    await age(server, 150);
    await schedule(server);
    const files = (commit: string): string[] => git(server, ['ls-tree', '-r', commit]).split('\n').sort();
    expect(git(server, ['rev-parse', REF])).not.toBe(first);
    // What is full stays as it is, and is not sent again.
    const same = files(REF).filter((line) => files(first).includes(line));
    expect(same.map((line) => line.split('/').at(-1))).toEqual(expect.arrayContaining(['heads-0', 'era-1']));
  });

  it('believes its own key alone', async () => {
    const project = await aged();
    const { server } = project;
    await schedule(server);
    for (const thief of [BEN, testKey('gate', 'another gate')]) {
      rewrite(server, stoppedBy(server, thief));
      const jobs = await jobsAt(project);
      const seen = await jobs.look();
      expect(seen.commits).toBeGreaterThan(AGE);
      expect(haltOf(seen)).toBeNull();
    }
    // Whoever has the key says what this gate believes, and could sign as the gate without it.
    rewrite(server, stoppedBy(server, GATE));
    expect(haltOf(await (await jobsAt(project)).look())).not.toBeNull();
  });

  it('takes up nothing that its key left for another project', async () => {
    const project = await aged();
    const { server, genesis } = project;
    await schedule(server);
    const known = fileOf(server, KNOWN_FILES.known).replaceAll(genesis, `sha256:${'ab'.repeat(32)}`);
    rewrite(server, signedBy(GATE, known));
    const jobs = await jobsAt(project);
    expect((await jobs.look()).commits).toBeGreaterThan(AGE);
    const withDisk = await jobs.openWithDisk('gate');
    expect(await withDisk.openMissions()).toHaveLength(1);
    // It is replaced as if nothing lay there.
    await withDisk.leave();
    await withDisk.close();
    expect((await jobs.look()).commits).toBeLessThan(AGE / 2);
  });

  it.each([
    ['the signature', { [KNOWN_FILES.signature]: undefined }],
    ['what was signed', { [KNOWN_FILES.known]: undefined }],
    ['a letter of it', { [KNOWN_FILES.known]: '{}\n' }],
  ])('verifies everything where %s is not as it was', async (_, files) => {
    const project = await aged();
    await schedule(project.server);
    rewrite(project.server, files);
    const { commits } = await (await jobsAt(project)).look();
    expect(commits).toBeGreaterThan(AGE);
  });

  it('goes on with a clone where a page that it needs is gone, or is another one', async () => {
    const project = await aged();
    const { server } = project;
    await schedule(server);
    const page = `${KNOWN_FILES.pages}/heads-0`;
    const other = fileOf(server, page)
      .trimEnd()
      .replace(/[0-9a-f]{40}/g, 'ab'.repeat(20));
    for (const files of [{ [page]: undefined }, { [page]: other }]) {
      rewrite(server, files);
      const jobs = await jobsAt(project);
      const opened = await jobs.open();
      const [mission] = await opened.openMissions();
      await expect(opened.actOn(mission!).then(missionState)).rejects.toMatchObject({ code: 'object_missing' });
      await opened.close();
    }
  });

  it('refuses a project that was set back behind what its key has seen', async () => {
    const project = await aged();
    const { server } = project;
    await schedule(server);
    const old = git(server, ['rev-parse', `${PROJECT_REF}~400`]);
    git(server, ['update-ref', PROJECT_REF, old]);
    const jobs = await jobsAt(project);
    await expect(jobs.open()).rejects.toMatchObject({ code: 'rollback_detected' });
    git(server, ['update-ref', '-d', REF]);
    await (await jobs.open()).close();
  });
});
