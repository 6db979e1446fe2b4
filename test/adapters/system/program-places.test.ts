// Where a program lies that cells have to be given, told apart from those that every cell has.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { programPlace } from '../../../src/adapters/system/program-places.ts';
import { scratch } from '../../support/repos.ts';

function toolchain(): string {
  const folder = join(scratch('toolchain'), 'node-22');
  mkdirSync(join(folder, 'lib/npm/bin'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'lib/npm/bin/npm-cli.js'), '', { mode: 0o755 });
  writeFileSync(join(folder, 'bin/node'), '', { mode: 0o755 });
  symlinkSync('../lib/npm/bin/npm-cli.js', join(folder, 'bin/npm'));
  return folder;
}

test('its toolchain’s folder, for the program itself, for a script of it, and by a link from elsewhere', () => {
  const folder = toolchain();
  const elsewhere = scratch('links');
  symlinkSync(join(folder, 'bin/node'), join(elsewhere, 'node'));
  const place = { folder, path: join(folder, 'bin') };
  expect(programPlace('node', join(folder, 'bin'))).toEqual(place);
  expect(programPlace('npm', join(folder, 'bin'))).toEqual(place);
  expect(programPlace('node', elsewhere)).toEqual(place);
});

test('below /usr every cell has it; nowhere it is null; the first on the search path is the one', () => {
  const folder = toolchain();
  expect(programPlace('sh', '/usr/bin:/bin')).toBe(undefined);
  expect(programPlace('no-such-program', '/usr/bin:/bin')).toBe(null);
  expect(programPlace('node', `relative::${folder}/none:${folder}/bin:/usr/bin`)).toMatchObject({ folder });
});

test('what cannot be executed, or is a folder, is no program', () => {
  const folder = toolchain();
  chmodSync(join(folder, 'bin/node'), 0o644);
  mkdirSync(join(folder, 'bin/uv'));
  expect(programPlace('uv', join(folder, 'bin'))).toBe(null);
  expect(programPlace('node', join(folder, 'bin'))).toBe(null);
});
