// `lazarus ledger snapshot` as a person types it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lazarus } from '../../support/cli.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';

it('signs a ledger that has filled a segment, says who signed, and refuses a short one by name', async () => {
  const cwd = scratchRepository();
  const run = (...args: readonly string[]) => lazarus(args, { cwd, env: { HOME: scratch('home') } });
  const home = scratch('home');
  const ana = (...args: readonly string[]) => lazarus(args, { cwd, env: { HOME: home } });
  const fingerprint = /[0-9A-F]{40}/.exec((await ana('keys', 'new', 'ana', '--unprotected')).stdout)![0];
  expect((await ana('ledger', 'init')).code).toBe(0);
  expect((await ana('ledger', 'init', '--mission')).code).toBe(0);
  const mission = git(cwd, ['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/heads/lazarus/m-*']);
  const short = await ana('ledger', 'snapshot', mission);
  expect([short.code, short.stderr]).toEqual([5, expect.stringContaining('snapshot_needless')]);
  const note = { bytes: 1, digest: `sha256:${'5a'.repeat(32)}`, media_type: 'text/plain' };
  const line = JSON.stringify({ event_type: 'note.recorded', payload: note });
  writeFileSync(join(cwd, 'notes.jsonl'), `${Array(260).fill(line).join('\n')}\n`);
  const appended = await ana('ledger', 'append', mission, '--events', 'notes.jsonl', '--per-transaction', '20');
  expect(appended.code, appended.stderr).toBe(0);
  const shared = JSON.parse((await ana('ledger', 'snapshot', mission, '--json')).stdout);
  expect(shared).toMatchObject({ head: { size: 261 }, signed: [fingerprint] });
  expect((await ana('ledger', 'snapshot', mission)).stdout).toBe(`snapshot at size 261\n  signed by ${fingerprint}\n`);
  expect(git(cwd, ['ls-tree', '--name-only', `refs/lazarus/snapshot/${mission}`])).toBe(
    `${fingerprint}.json\nproof.json\nsnapshot.json`,
  );
  expect((await run('ledger', 'snapshot', mission)).stderr).toContain('key_not_found');
});
