// What a job asks for before it has read what it will need it with: asked once, believed no more than what is asked later, and
// never taken for what came since.
import { describe, expect, it } from 'vitest';
import { pageAhead } from '../../../src/app/gate/ahead.ts';
import { readHeard } from '../../../src/app/gate/before.ts';
import type { GateDesk } from '../../../src/app/gate/desk.ts';
import { listen } from '../../../src/app/gate/listen.ts';
import type { Listened } from '../../../src/app/gate/propose.ts';
import { git } from '../../support/repos.ts';
import { gateSite, lineOf, type GateSite } from './gate-site.ts';

/** A gate whose forge tells what it is asked for; the page of `issue` was asked for when it began. */
async function gateWith(at: GateSite, issue: number): Promise<{ readonly desk: GateDesk; readonly asked: string[] }> {
  const asked: string[] = [];
  const plain = await at.gate();
  const page = pageAhead(at.forge, issue);
  await Promise.all([page.issue, page.comments]);
  const forge = {
    ...at.forge,
    issue: (number: number) => (asked.push('issue'), at.forge.issue(number)),
    comment: (id: number) => (asked.push('comment'), at.forge.comment(id)),
    comments: (number: number) => (asked.push('comments'), at.forge.comments(number)),
  };
  return { desk: { ...plain, forge, page: () => page }, asked };
}

async function says(at: GateSite, desk: GateDesk, issue: number, text: string): Promise<Listened> {
  const read = readHeard(await at.typed('ben', issue, text));
  if (read.is === 'ignored') throw new Error(read.reasonCode);
  return listen(desk, read);
}

describe('a page that was asked for ahead', () => {
  it('is all that /status needs, and what somebody changed on it is put right', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const [status] = await at.forge.comments(issue);
    await at.forge.editComment(status!.id, `${status!.body}\nand approved`);
    await at.forge.removeLabel(issue, 'tier/1');
    const { desk, asked } = await gateWith(at, issue);
    expect(await says(at, desk, issue, '/status')).toMatchObject({ reasonCode: 'shown' });
    expect(asked).toEqual([]);
    expect(await at.ours(issue)).toEqual([status!.body]);
    expect(await at.labels(issue)).toEqual(['mission/awaiting', 'tier/1']);
  });

  it('is the same for a mission whose ledger knows its status comment', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    await at.comment('ben', issue, '/hold');
    const [status] = await at.forge.comments(issue);
    await at.forge.editComment(status!.id, 'approved');
    const { desk, asked } = await gateWith(at, issue);
    await says(at, desk, issue, '/status');
    expect(asked).toEqual([]);
    expect((await at.ours(issue))[0]).toContain('held');
  });

  it('does not have a status comment that came since: there is none twice', async () => {
    const at = await gateSite();
    const issue = await at.fileUnheard('ana');
    const { desk } = await gateWith(at, issue);
    await at.opened(issue);
    expect(await says(at, desk, issue, '/status')).toMatchObject({ reasonCode: 'shown' });
    expect(await at.ours(issue)).toHaveLength(1);
  });

  it('of another issue is left alone', async () => {
    const at = await gateSite();
    const [one, other] = [await at.file('ana'), await at.file('ana', { paths: 'docs/**' })];
    const { desk } = await gateWith(at, other.issue);
    await says(at, desk, one.issue, '/status');
    expect(await at.ours(one.issue)).toHaveLength(1);
    expect(await at.ours(other.issue)).toHaveLength(1);
  });

  it('shows a ledger that was set back', async () => {
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const before = at.refs();
    await at.comment('ben', issue, lineOf((await at.ours(issue))[0]!));
    setBack(at, before);
    const { desk } = await gateWith(at, issue);
    await expect(says(at, desk, issue, '/status')).rejects.toMatchObject({ code: 'rollback_detected' });
  });
});

/** The mission's branch as it was. */
function setBack(at: GateSite, before: string): void {
  const [oid, , ref] = /^(\S+) (\S+)\t(refs\/heads\/lazarus\/m-\S+)$/m.exec(before)!.slice(1) as [
    string,
    string,
    string,
  ];
  git(at.server, ['update-ref', ref, oid]);
}
