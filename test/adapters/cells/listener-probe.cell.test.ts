// Whether this machine can give a participant its listener, found out by making one.
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
