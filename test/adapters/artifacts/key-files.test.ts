// Keys of artifacts at rest: for nobody else to read, whole or absent, gone when destroyed.
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { artifactKeyPath, keyFiles } from '../../../src/adapters/artifacts/key-files.ts';
import { scratch } from '../../support/repos.ts';

const HEX = 'ab'.repeat(32);
const DIGEST = `sha256:${HEX}`;
const KEY = new Uint8Array(32).fill(7);

async function stored(): Promise<{ folder: string; keys: ReturnType<typeof keyFiles> }> {
  const folder = join(scratch('keys'), 'data', 'artifact-keys');
  const keys = keyFiles(folder);
  await keys.write(DIGEST, KEY);
  return { folder, keys };
}

describe('artifact keys', () => {
  it('are files for their owner alone, named after the digest', async () => {
    const { folder, keys } = await stored();
    expect(await keys.read(DIGEST)).toEqual(KEY);
    expect(readdirSync(folder)).toEqual([HEX]);
    expect(statSync(join(folder, HEX)).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('leave no file behind when they are destroyed', async () => {
    const { folder, keys } = await stored();
    expect(await keys.destroy(DIGEST)).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
    expect(await keys.read(DIGEST)).toBeUndefined();
    expect(await keys.destroy(DIGEST)).toBe(false);
  });

  it('are absent, not an error, where there never was one', async () => {
    const keys = keyFiles(join(scratch('keys'), 'none'));
    expect(await keys.read(DIGEST)).toBeUndefined();
    expect(await keys.destroy(DIGEST)).toBe(false);
  });

  it('are not used once others can read them', async () => {
    const { folder, keys } = await stored();
    chmodSync(join(folder, HEX), 0o640);
    await expect(keys.read(DIGEST)).rejects.toMatchObject({ code: 'key_exposed' });
  });

  it('are refused by name when the file is damaged or another artifact’s', async () => {
    const { folder, keys } = await stored();
    writeFileSync(join(folder, HEX), 'not a key');
    await expect(keys.read(DIGEST)).rejects.toMatchObject({ code: 'artifact_key_malformed' });
    await keys.write(DIGEST, KEY);
    const other = 'cd'.repeat(32);
    await keys.write(`sha256:${other}`, KEY);
    const { readFileSync } = await import('node:fs');
    writeFileSync(join(folder, HEX), readFileSync(join(folder, other)));
    await expect(keys.read(DIGEST)).rejects.toMatchObject({ code: 'artifact_key_malformed' });
  });

  it('lie in the data folder of XDG, outside every repository', () => {
    expect(artifactKeyPath({ XDG_DATA_HOME: '/data', HOME: '/home/ana' })).toBe('/data/lazarus/artifact-keys');
    expect(artifactKeyPath({ HOME: '/home/ana' })).toBe('/home/ana/.local/share/lazarus/artifact-keys');
    expect(artifactKeyPath({ XDG_DATA_HOME: 'relative', HOME: '/home/ana' })).toBe(
      '/home/ana/.local/share/lazarus/artifact-keys',
    );
  });
});
