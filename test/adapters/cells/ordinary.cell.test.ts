// The same cells for an ordinary user and for root: nobody needs rights that a person does not have.
import { chownSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratch } from '../../support/repos.ts';
import { supervising } from './supervising.ts';

const supervisor = supervising();
const SOMEBODY = 60_500;

test.runIf(process.getuid!() === 0)('an ordinary user gets level 2 as well, under its own id', async () => {
  const folder = scratch('ordinary');
  chownSync(folder, SOMEBODY, SOMEBODY);
  const { all } = supervisor(folder, { uid: SOMEBODY, shellText: 'id -u; chmod 000 . && echo done' });
  const told = await all;
  console.log(JSON.stringify(told, null, 1));
});
