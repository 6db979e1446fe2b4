// Whether this machine can give a participant its listener, found out by making one.
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processBackend } from '../../../src/adapters/cells/process/backend.ts';
import { networks } from '../../../src/adapters/cells/process/network.ts';
import { passableScratch, testCells } from '../../support/cells.ts';
import { scratch } from '../../support/repos.ts';

it('is seen from inside of a cell', async () => {
  expect(await (await testCells()).probeListener()).toEqual({ is: 'fit' });
});

it('is not to be had where bubblewrap is not, and that is an answer', async () => {
  const probe = await processBackend(passableScratch(), scratch('empty')).probeListener();
  expect(probe).toEqual({ is: 'unfit', why: 'bwrap' });
});

it('is not to be had without the program that leads a cell to it, though cells are', async () => {
  const programs = passableScratch();
  symlinkSync('/usr/bin/bwrap', join(programs, 'bwrap'));
  const { probe, probeListener } = processBackend(passableScratch(), programs);
  expect(await probe()).toMatchObject({ is: 'fit' });
  expect(await probeListener()).toEqual({ is: 'unfit', why: 'nsenter' });
});

it('is opened for few at once: many would each wait for a processor until their time was up', async () => {
  const programs = scratch('programs');
  const [bwrap, log] = [join(programs, 'bwrap'), join(programs, 'log')];
  // In place of the one that opens it: says when it begins and ends, with work between the two.
  const busy = `head -c 8000000 /dev/urandom > /dev/null`;
  writeFileSync(bwrap, `#!/bin/sh\nPATH=/usr/bin:/bin\necho begins >> ${log}\n${busy}\necho ends >> ${log}\nexit 1\n`);
  chmodSync(bwrap, 0o755);
  const { take } = networks(programs);
  const all = await Promise.allSettled(Array.from({ length: 8 }, take));
  expect(all.map(({ status }) => status)).toEqual(Array(8).fill('rejected'));
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  const atOnce = lines.map((_, n) =>
    lines.slice(0, n + 1).reduce((sum, line) => sum + (line === 'begins' ? 1 : -1), 0),
  );
  expect(lines).toHaveLength(16);
  expect(Math.max(...atOnce)).toBe(2);
});
