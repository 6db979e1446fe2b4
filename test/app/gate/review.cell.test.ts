// What people do with the pull request of a mission that is done: who asks for something else, with the line to have it, and the
// merge, after which the issue has the whole story. A stranger's word is not shown, and what nobody touched is not looked at.
import { expect, it } from 'vitest';
import { BOARD_TITLE } from '../../../src/forge-text/board.ts';
import { git } from '../../support/repos.ts';
import { gateSite, type GateSite } from './gate-site.ts';
import { approved, cell, heal, writer, type Approved } from './jobs.ts';

type Delivered = Approved & { readonly at: GateSite; readonly request: number };

async function delivered(): Promise<Delivered> {
  const at = await gateSite();
  const one = await approved(at);
  await cell(at, one.mission);
  await writer(at, one.mission);
  const { number: request } = (await at.forge.findPullRequest(`lazarus-work/${one.mission}/1`, 'main'))!;
  // What is over is looked at once more, and its request from then on.
  await heal(at);
  return { ...one, at, request };
}

const status = async ({ at, issue }: Delivered): Promise<string> => (await at.ours(issue))[0]!;
const pointers = ({ at }: Delivered): string =>
  git(at.server, ['for-each-ref', 'refs/lazarus/delivered', '--format=%(refname)']);
const board = async ({ at }: Delivered): Promise<string> =>
  (await at.forge.newestIssues(50)).find(({ title }) => title === BOARD_TITLE)!.body;

it('changes that a reviewer asks for stand on the issue and the board with the line to have them, until taken back', async () => {
  const here = await delivered();
  const { at, issue, mission, request } = here;
  expect(pointers(here)).toBe(`refs/lazarus/delivered/${request}.${mission}`);
  const before = await status(here);
  await at.byHand.review('ben', request, 'no');
  await heal(at);
  const said = await status(here);
  expect(said).toContain('| Changes requested | by `@ben` |');
  expect(said).toContain(
    'For what `@ben` asks for, paste as a new comment, with your own words:\n\n```text\n/followup <goal>\n```',
  );
  expect(await board(here)).toMatch(
    new RegExp(`### Changes are asked for \\(1\\)\n[^]*\\[${issue}\\][^\n]*\`/followup <goal>\` \\|`),
  );
  // Whoever asks there meanwhile sees the same.
  await at.comment('ben', issue, '/status');
  expect(await status(here)).toBe(said);
  await at.byHand.review('ben', request, 'taken_back');
  await heal(at);
  expect(await status(here)).toBe(before);
  expect(await board(here)).not.toContain('Changes are asked for');
});

it('a stranger asks for nothing', async () => {
  const here = await delivered();
  const before = await status(here);
  await here.at.byHand.review('carol', here.request, 'no');
  await heal(here.at);
  expect(await status(here)).toBe(before);
});

it('after the merge the closed issue tells who proposed, who agreed, what was done and who merged it, also when asked again', async () => {
  const here = await delivered();
  const { at, issue, request } = here;
  await at.byHand.merge('ben', request);
  expect((await at.forge.issue(issue))!.isOpen).toBe(false);
  await heal(at);
  const said = await status(here);
  for (const part of [
    '· done · merged\n',
    '| Proposed | `ana` (via: forge) |',
    '| Approved | `@ben` (via: forge, ',
    '| Work | ',
    '| Attempt | 1 ',
    `| Pull request | [${request}](http://forge.invalid/ana/m1/pulls/${request}), merged by \`@ben\` |`,
    '<summary>Receipts (3)</summary>',
  ])
    expect(said).toContain(part);
  expect(pointers(here)).toBe('');
  at.close(issue);
  await at.comment('ana', issue, '/status');
  expect(await status(here)).toBe(said);
});

it('closed without a merge it says so, and nobody looks any more', async () => {
  const here = await delivered();
  await here.at.byHand.closeIssue(here.request);
  await heal(here.at);
  expect(await status(here)).toContain(', closed without a merge |');
  expect(pointers(here)).toBe('');
});

it('a reference that somebody else pushed makes no request the mission’s own', async () => {
  const here = await delivered();
  const { at, mission, request } = here;
  const commit = git(at.server, ['rev-parse', `refs/lazarus/delivered/${request}.${mission}`]);
  git(at.server, ['branch', `lazarus-work/${mission}/9`, 'main']);
  const { number } = await at.forge.openPullRequest({
    title: 'x',
    body: '',
    head: `lazarus-work/${mission}/9`,
    base: 'main',
  });
  for (const name of [`${number}.${mission}`, '1.m-000000000000', 'x'])
    git(at.server, ['update-ref', `refs/lazarus/delivered/${name}`, commit]);
  await at.byHand.review('ben', number, 'no');
  const before = await status(here);
  expect((await heal(at)).skipped).toEqual([]);
  expect(await status(here)).toBe(before);
});
