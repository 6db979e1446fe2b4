// `lazarus doctor --forge`, ledgers: each as the forge has it now, next to what this clone holds of it.
import { describe, expect, it } from 'vitest';
import { lookAtLedgers } from '../../src/app/doctor/ledgers.ts';
import type { Here } from '../../src/app/doctor/here.ts';
import { pullLedgers } from '../../src/app/sync.ts';
import { git } from '../support/repos.ts';
import { gateSite, type GateSite } from './gate/gate-site.ts';

async function awaiting(): Promise<{ readonly at: GateSite; readonly mission: string; readonly ref: string }> {
  const at = await gateSite();
  const { issue } = await at.file('ana');
  await at.edit('ana', issue, { goal: 'Greet everybody by their name' });
  const mission = /mission=(m-[0-9a-f]{12})/.exec((await at.ours(issue))[0]!)![1]!;
  return { at, mission, ref: `refs/heads/lazarus/${mission}` };
}

function look({ bench, server }: GateSite) {
  const here: Pick<Here, 'opened' | 'remotes' | 'far'> = {
    opened: () => Promise.resolve(bench),
    remotes: () => Promise.resolve([{ name: 'origin', is: 'file', url: server }]),
    far: () => Promise.resolve(bench),
  };
  return lookAtLedgers(here as Here);
}

describe('a ledger on the forge', () => {
  it('is in order, and takes one line together with all others that are', async () => {
    const { at } = await awaiting();
    expect(await look(at)).toEqual([{ item: 'ledger', title: 'ledgers of origin', is: 'ok', says: '2, all in order' }]);
  });

  it('that was deleted is missing, whether or not this clone ever had it', async () => {
    const { at, mission, ref } = await awaiting();
    git(at.server, ['update-ref', '-d', ref]);
    expect(await look(at)).toMatchObject([
      {
        is: 'missing',
        says: `${mission} is missing there, and its mission is open`,
        next: `lazarus ledger push origin ${mission}`,
      },
    ]);
  });

  it('that was set back holds less than this clone', async () => {
    const { at, mission, ref } = await awaiting();
    await pullLedgers(at.bench);
    git(at.server, ['update-ref', ref, `${ref}~1`]);
    expect(await look(at)).toMatchObject([
      { is: 'missing', says: expect.stringContaining('set back'), next: `lazarus ledger push origin ${mission}` },
    ]);
  });

  it('with garbage on it is named with its flaw, and the roots’ line', async () => {
    const { at, mission, ref } = await awaiting();
    git(at.server, ['update-ref', ref, git(at.server, ['commit-tree', '-p', ref, '-m', 'x', `${ref}^{tree}`])]);
    expect(await look(at)).toMatchObject([
      {
        is: 'missing',
        says: expect.stringMatching(new RegExp(`^${mission}: [a-z_]+$`)),
        next: `lazarus ledger repair ${mission} --remote origin`,
      },
    ]);
  });
});
