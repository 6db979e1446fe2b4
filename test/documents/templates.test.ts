// What is checked in under templates/ follows from the code, and the example mission really does what it promises.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missionSchemaText, readMissionFile } from '../../src/documents/mission-file.ts';
import { judgeDone, parseDone } from '../../src/kernel/contract/done.ts';
import { ownedBy } from '../../src/kernel/scope/globs.ts';

const run = promisify(execFile);
const TEMPLATES = new URL('../../templates/', import.meta.url);
const SCHEMA = new URL('mission.schema.json', TEMPLATES);

describe('templates/mission.schema.json', () => {
  it('is current (else: RENEW=templates npx vitest run --config test/vitest.config.ts test/documents)', async () => {
    if (process.env['RENEW'] === 'templates') await writeFile(SCHEMA, missionSchemaText());
    expect(await readFile(SCHEMA, 'utf8')).toBe(missionSchemaText());
  });
});

describe('the example', () => {
  let folder = '';
  const sh = (command: string) =>
    run('/bin/sh', ['-c', command], {
      cwd: join(folder, 'project'),
      env: { PATH: '/usr/bin:/bin', HOME: join(folder, 'home') },
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'example-'));
    await mkdir(join(folder, 'home'));
    await cp(new URL('example/', TEMPLATES), join(folder, 'project'), { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('fails its verify command, until its agent has done the mission within the files owned', async () => {
    const read = readMissionFile(await readFile(new URL('mission.yaml', TEMPLATES), 'utf8'), 'mission.yaml');
    if (read.is === 'refused') throw new Error(JSON.stringify(read));
    const { verifyCommand, acceptance, paths } = read.value;
    const checks = [verifyCommand, ...acceptance];
    for (const check of checks) await expect(sh(check)).rejects.toThrow(/Command failed/);
    await sh('git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm base');

    await sh('exec /bin/sh tools/example-agent.sh');

    for (const check of checks) await sh(check);
    const { stdout } = await sh('git status --porcelain --untracked-files=all');
    const changed = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(3));
    expect(changed.toSorted()).toEqual(['docs/usage.md', 'src/greet.sh']);
    expect(changed.filter((path) => !ownedBy(paths)(path))).toEqual([]);
    const done = parseDone(await readFile(join(folder, 'home', 'done.json'), 'utf8'));
    if (done.is === 'refused') throw new Error(JSON.stringify(done));
    expect(judgeDone(done.value, [])).toMatchObject({ is: 'accepted', value: { status: 'done_clean' } });
  });
});
