// Work that was handed over stays beside the ledgers as long as its mission may deliver it, and no longer: the schedule takes
// it away, and only where it could read every mission that is open.
import { expect, it } from 'vitest';
import { git } from '../../support/repos.ts';
import { gateSite, type GateSite } from './gate-site.ts';
import { approved, branches, cell, heal, writer } from './jobs.ts';

const incomingAt = (at: GateSite): string[] =>
  git(at.server, ['for-each-ref', '--format=%(refname)', 'refs/lazarus/incoming/']).split('\n').filter(Boolean);

const STRAY = 'refs/lazarus/incoming/00000000-0000-4000-8000-000000000000';

it('waits there until it is a branch, is gone with the next look after that, and people still see it', async () => {
  const at = await gateSite();
  const { mission, issue } = await approved(at);
  await cell(at, mission);
  // Somebody who may push left something there: nobody's work.
  git(at.server, ['update-ref', STRAY, 'refs/heads/main']);
  const [handedOver] = incomingAt(at).filter((ref) => ref !== STRAY);
  await heal(at);
  expect(incomingAt(at)).toEqual([handedOver]);
  await writer(at, mission);
  expect(branches(at)).not.toBe('');
  await heal(at);
  expect(incomingAt(at)).toEqual([]);
  expect(await at.comment('ben', issue, '/diff')).toMatchObject({ reasonCode: 'shown' });
});

it('is left where a mission that is open cannot be read: it may be that one’s', async () => {
  const at = await gateSite();
  const { mission } = await approved(at);
  await cell(at, mission);
  const [handedOver] = incomingAt(at);
  const ledger = `refs/heads/lazarus/${mission}`;
  const whole = git(at.server, ['rev-parse', ledger]);
  git(at.server, ['update-ref', ledger, 'refs/heads/main']);
  expect((await heal(at)).skipped).toHaveLength(1);
  expect(incomingAt(at)).toEqual([handedOver]);
  git(at.server, ['update-ref', ledger, whole]);
  await writer(at, mission);
  expect(branches(at)).not.toBe('');
});
