// The board on a forge: made once and found again, written only when something changed, whoever else has an issue of that
// title; closed, deleted or edited it comes back; it is neither a proposal nor an announcement, and calls nobody.
import { describe, expect, it } from 'vitest';
import { BOARD_TITLE } from '../../../src/forge-text/board.ts';
import type { Issue } from '../../../src/ports/forge.ts';
import { git } from '../../support/repos.ts';
import { gateSite, lineOf, type GateSite } from './gate-site.ts';
import { approved, heal } from './jobs.ts';

const HOUR_SECONDS = 3600;

async function boards(at: GateSite): Promise<readonly Issue[]> {
  return (await at.forge.newestIssues(50)).filter(({ title }) => title === BOARD_TITLE);
}

async function board(at: GateSite): Promise<Issue> {
  const [one, ...more] = await boards(at);
  expect(more).toEqual([]);
  return one!;
}

const pointers = (at: GateSite): string =>
  git(at.server, ['for-each-ref', 'refs/lazarus/board', '--format=%(refname)']);

describe('the board', () => {
  it('shows what waits, for whom and until when, with its issue and the line; and is written when that changes, not before', async () => {
    const at = await gateSite();
    await heal(at);
    const empty = await board(at);
    expect(empty.body).toContain('Nothing waits, and nothing runs.');
    const { issue } = await at.file('ana');
    const [status] = await at.ours(issue);
    await heal(at);
    const waiting = await board(at);
    expect(waiting.number).toBe(empty.number);
    const [, until] = /Open until \| `([^`]+)`/.exec(status!)!;
    expect(waiting.body).toContain(`[${issue}](http://forge.invalid/ana/m1/issues/${issue})`);
    expect(waiting.body).toContain('`Greet people by their name` | awaiting approval | `@ben` |');
    expect(waiting.body).toContain(`| \`${until}\` | \`${lineOf(status!)}\` |`);
    const refs = git(at.server, ['for-each-ref']);
    await heal(at);
    expect(git(at.server, ['for-each-ref'])).toBe(refs);
    expect((await board(at)).updatedAt).toBe(waiting.updatedAt);

    await at.comment('ben', issue, lineOf(status!));
    await heal(at);
    expect((await board(at)).body).toContain('### Goes on by itself (1)');
  });

  it('puts in front what runs out within a day', async () => {
    const at = await gateSite();
    await at.file('ana');
    await heal(at);
    expect((await board(at)).body).not.toContain('Runs out soon');
    at.clock.aheadSeconds = 60 * HOUR_SECONDS;
    await heal(at);
    expect((await board(at)).body).toContain('### Runs out soon (1)');
    at.clock.aheadSeconds = 73 * HOUR_SECONDS;
    await heal(at);
    expect((await board(at)).body).toContain('Nothing waits, and nothing runs.');
  });

  it('says of a mission that waits for a path so, and of a ledger that is gone', async () => {
    const at = await gateSite();
    await approved(at);
    const second = await approved(at);
    await heal(at);
    const { body } = await board(at);
    expect(body.indexOf(second.mission)).toBeGreaterThan(body.indexOf('### Waits for a path of another one (1)'));
    git(at.server, ['update-ref', '-d', `refs/heads/lazarus/${second.mission}`]);
    await heal(at);
    const { body: broken } = await board(at);
    expect(broken).toContain('### Stands still (1)');
    expect(broken).toContain(
      `[${second.issue}](http://forge.invalid/ana/m1/issues/${second.issue}) | \`${second.mission}\``,
    );
    expect(broken).toContain('`its ledger is missing` `ledger_not_found` | everybody |');
    expect(broken).toContain(`\`lazarus ledger push origin ${second.mission}\` |`);
  });

  it('says whether it is pinned, which no job may do', async () => {
    const at = await gateSite();
    await heal(at);
    const { number, body } = await board(at);
    expect(body).toContain('*Pin*');
    await at.byHand.pinIssue(number);
    await heal(at);
    expect((await board(at)).body).not.toContain('*Pin*');
  });
});

describe('the board is ours by the account that wrote it', () => {
  it('an issue of somebody else with its title and text is left as it is, whatever leads to it', async () => {
    const at = await gateSite();
    await heal(at);
    const { body } = await board(at);
    await at.byHand.deleteIssue((await board(at)).number);
    const theirs = await at.byHand.fileIssue('carol', { title: BOARD_TITLE, body });
    const commit = git(at.server, ['rev-parse', 'refs/heads/main']);
    git(at.server, ['update-ref', `refs/lazarus/board/${theirs}`, commit]);
    const before = await at.forge.issue(theirs);
    await at.file('ana');
    await heal(at);
    await heal(at);
    expect(await at.forge.issue(theirs)).toEqual(before);
    const [ours] = (await boards(at)).filter(({ number }) => number !== theirs);
    expect(ours!.body).toContain('awaiting approval');
    expect(pointers(at)).toBe(`refs/lazarus/board/${ours!.number}`);
  });

  it('another issue of ours is not taken for it: a follow-up, an announcement, a pull request', async () => {
    const at = await gateSite();
    const { number } = await at.forge.createIssue({ title: 'lazarus: a merged policy waits to be adopted', body: 'x' });
    const commit = git(at.server, ['rev-parse', 'refs/heads/main']);
    git(at.server, ['update-ref', `refs/lazarus/board/${number}`, commit]);
    await heal(at);
    expect((await at.forge.issue(number))!.body).toBe('x');
    expect((await board(at)).number).not.toBe(number);
  });

  it('comes back: closed it is opened, edited it is written again, deleted it is made again', async () => {
    const at = await gateSite();
    await heal(at);
    const first = await board(at);
    await at.byHand.closeIssue(first.number);
    await heal(at);
    expect(await at.forge.issue(first.number)).toMatchObject({ isOpen: true, body: first.body });
    await at.forge.editIssue(first.number, { body: 'To approve, paste `/approve 0123456789ab`' });
    await heal(at);
    expect((await board(at)).body).toBe(first.body);
    await at.byHand.deleteIssue(first.number);
    await heal(at);
    const second = await board(at);
    expect(second.number).not.toBe(first.number);
    expect(pointers(at)).toBe(`refs/lazarus/board/${second.number}`);
  });

  it('made by a job that died before it said where is found again; of two that two jobs made one stays', async () => {
    const at = await gateSite();
    await heal(at);
    const first = await board(at);
    git(at.server, ['update-ref', '-d', `refs/lazarus/board/${first.number}`]);
    await heal(at);
    expect((await board(at)).number).toBe(first.number);
    const second = await at.forge.createIssue({ title: BOARD_TITLE, body: first.body });
    const commit = git(at.server, ['rev-parse', `refs/lazarus/board/${first.number}`]);
    git(at.server, ['update-ref', `refs/lazarus/board/${second.number}`, commit]);
    await heal(at);
    expect((await board(at)).number).toBe(first.number);
    expect(pointers(at)).toBe(`refs/lazarus/board/${first.number}`);
  });

  it('is no proposal to anybody: what is typed in it gets silence, and the schedule hears nothing in it', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf((await at.ours(issue))[0]!);
    await heal(at);
    const { number } = await board(at);
    expect(await at.comment('ben', number, line)).toMatchObject({ reasonCode: 'ignored_not_proposal' });
    await heal(at);
    expect(await at.ours(number)).toEqual([]);
    expect((await at.ours(issue))[0]).toContain('0 of 1');
  });
});
