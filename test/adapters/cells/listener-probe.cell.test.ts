// Whether this machine can give a participant its listener, found out by making one.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { processBackend } from '../../../src/adapters/cells/process/backend.ts';
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
