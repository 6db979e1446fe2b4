// What a killed supervisor leaves where its successor would not look by itself, and a root that is none.
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sweepAbandoned } from '../../../src/adapters/cells/abandoned.ts';
import { processNamespace } from '../../../src/adapters/system/processes.ts';
import { passableScratch } from '../../support/cells.ts';
import { scratch } from '../../support/repos.ts';
import { supervising } from './supervising.ts';

const start = supervising();

test('control groups made under another group than the sweeper’s are removed, and no other folder that is noted', async () => {
  const folder = passableScratch();
  // A process that cannot live: its number is beyond all that the kernel gives out.
  const mark = `${randomUUID()}.1.${await processNamespace()}.4194999.1`;
  const elsewhere = mkdtempSync(join(scratch('groups'), 'slice-'));
  for (const name of [`lazarus-${mark}`, 'somebody-elses']) mkdirSync(join(elsewhere, name));
  const cell = join(folder, 'cells', mark);
  mkdirSync(cell, { recursive: true });
  writeFileSync(
    join(cell, 'control-groups'),
    readdirSync(elsewhere)
      .map((name) => join(elsewhere, name))
      .join('\n'),
  );
  await sweepAbandoned(folder);
  expect([readdirSync(elsewhere), readdirSync(join(folder, 'cells'))]).toEqual([['somebody-elses'], []]);
});

test('root of a user namespace, which may give files to nobody, is told that cells cannot be made', async () => {
  const { told } = start(
    passableScratch(),
    { shellText: 'true' },
    { through: ['unshare', '--user', '--map-root-user'] },
  );
  expect(await told('probe')).toMatchObject({ probe: { is: 'unfit', code: 'sandbox_unfit' } });
});
