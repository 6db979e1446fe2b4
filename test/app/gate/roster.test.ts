// The roster changes while missions wait for their approval: an administrator's clone that never saw them carries the new
// one into all of them, and until it has come everybody is asked, planned for and answered as the new one says.
import { describe, expect, it } from 'vitest';
import { adoptEverywhere } from '../../../src/app/threshold/everywhere.ts';
import {
  addMember,
  removeMember,
  type MemberFacts,
  type RosterChange,
} from '../../../src/app/threshold/roster-change.ts';
import { PROJECT_REF, LEDGER_REFS } from '../../../src/ledger/names.ts';
import { desk } from '../../support/desk.ts';
import { applied, drafted, publicKey } from '../../support/drafts.ts';
import { ANA, testKey } from '../../support/people.ts';
import { git } from '../../support/repos.ts';
import { taken } from '../../support/taken.ts';
import { reviseRules } from '../../support/workbench.ts';
import { RULES } from '../../support/templates.ts';
import { gateSite, lineOf, type GateSite } from './gate-site.ts';
import { gateTurn, heal } from './jobs.ts';

const CAROL: Omit<MemberFacts, 'forge_user_id'> = {
  layer: 'L1',
  person_id: 'carol',
  principal_type: 'user',
  roles: ['person'],
};

/** A clone that has the project's ledger and not one mission, as after `lazarus init --forge`. */
async function administrator(at: GateSite) {
  const { bench } = await desk({ remote: at.server });
  await bench.place.keep(PROJECT_REF, (await bench.place.head(PROJECT_REF))!);
  return bench;
}

async function changed(at: GateSite, change: RosterChange) {
  const bench = await administrator(at);
  taken(await applied(bench, await drafted(bench, change, ANA), ANA));
  await bench.place.upToDate();
  return bench;
}

const carolJoins = (carol: number): RosterChange =>
  addMember(publicKey(testKey('carol')), 1, { ...CAROL, forge_user_id: carol });

async function severalOpen(at: GateSite): Promise<readonly { issue: number; name: string }[]> {
  const open = [];
  for (const paths of ['docs/**', 'src/greet.sh', 'test/**']) {
    const { issue } = await at.file('ana', { paths });
    open.push({ issue, name: /mission=(m-[0-9a-f]{12})/.exec((await at.ours(issue))[0]!)![1]! });
  }
  return open;
}

const shownNow = async (at: GateSite, issue: number): Promise<string> => {
  await at.comment('ana', issue, '/status');
  return (await at.ours(issue))[0]!;
};

describe('a roster that changes on the remote', () => {
  it('is carried into every open mission there, by a clone that has none of them', async () => {
    const at = await gateSite();
    const open = await severalOpen(at);
    const bench = await changed(at, carolJoins(at.ids.carol));
    const told = await adoptEverywhere(bench, await bench.project(), ANA);
    expect(told).toEqual(open.map(({ name }) => ({ ledger: name, is: 'adopted' })).sort(byLedger));
    for (const { issue, name } of open) {
      expect(git(at.server, ['log', '-1', '--format=%s', LEDGER_REFS + name])).toContain('roster.adopted');
      expect(await shownNow(at, issue)).toContain('| Still needed | 1 of: `@ben` `@carol` (role `person`)');
    }
  });

  it('asks the right people, and plans for them, also where nobody carried it in', async () => {
    const at = await gateSite();
    const [mission] = await severalOpen(at);
    await changed(at, carolJoins(at.ids.carol));
    expect(await shownNow(at, mission!.issue)).toContain('1 of: `@ben` `@carol`');
    await changed(at, removeMember('ben'));
    expect(await shownNow(at, mission!.issue)).toContain('1 of: `@carol` (role `person`)');
    // A plan under the roster before was stale in the very transaction that brought the new one, and would be for ever.
    expect(await at.comment('ana', mission!.issue, '/plan')).toMatchObject({ reasonCode: 'proposed' });
    const [status] = await at.ours(mission!.issue);
    expect(status).not.toContain('The roster changed');
    expect(await at.comment('ben', mission!.issue, lineOf(status!))).not.toMatchObject({
      reasonCode: 'approval_recorded',
    });
    expect(await at.comment('carol', mission!.issue, lineOf(status!))).toMatchObject({
      reasonCode: 'approval_recorded',
    });
  });

  it('and leaves too few people to agree says so, and who can mend that', async () => {
    const { at } = await siteOfTwo();
    const { issue } = await at.file('ana');
    expect((await at.ours(issue))[0]).toContain('2 of: `@ben` `@carol`');
    await changed(at, removeMember('carol'));
    const status = await shownNow(at, issue);
    expect(status).toContain('| Still needed | 2, and only 1 may give it: `@ben`');
    expect(status).toContain('lazarus roster add');
    expect(status).not.toMatch(/^\/approve /m);
    expect(await at.comment('ana', issue, '/plan')).toMatchObject({ reasonCode: 'quorum_unreachable' });
    expect((await heal(at)).skipped).toEqual([]);
    await changed(at, carolJoins(at.ids.carol));
    expect(await shownNow(at, issue)).toMatch(/^\/approve [0-9a-f]{12}$/m);
  });

  it('and takes away who said no lets go on what the others agreed to', async () => {
    const at = await gateSite();
    await changed(at, carolJoins(at.ids.carol));
    const { issue } = await at.file('ana');
    const line = lineOf(await shownNow(at, issue));
    await at.comment('ben', issue, line.replace('/approve', '/reject'));
    await at.comment('carol', issue, line);
    expect(await shownNow(at, issue)).toContain('· rejected');
    await changed(at, removeMember('ben'));
    expect(await shownNow(at, issue)).not.toContain('/withdraw');
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell' });
    expect((await at.ours(issue))[0]).toContain('· handed to a runner');
  });

  it('and takes away who agreed asks the others again, for the same attempt; who stays or comes back has agreed', async () => {
    const { at, issue } = await queuedByTwo();
    await changed(at, removeMember('carol'));
    expect((await heal(at)).outcome).toMatchObject({ next: 'none' });
    expect((await at.ours(issue))[0]).toMatch(/awaiting approval · 1 of 2[^]*lazarus roster add/);
    await changed(at, carolJoins(at.ids.carol));
    expect((await heal(at)).outcome).toMatchObject({ next: 'cell' });
    expect((await at.ours(issue))[0]).toContain('· handed to a runner');
  });

  it('and leaves too few for a plan that has to be made anew says so in the issue', async () => {
    const { at, issue, policy } = await queuedByTwo();
    await changed(at, removeMember('carol'));
    const other = policy.replace(/votes_expire_hours: \d+/, 'votes_expire_hours: 50');
    at.commitToMain('.gitea/lazarus/policy.yml', other);
    await reviseRules(at.bench, await projectOf(at), { ...RULES, policy: other }, 3);
    expect((await heal(at)).skipped).toEqual([expect.stringContaining('quorum_unreachable')]);
    expect((await at.ours(issue))[0]).toMatch(/\*\*Because\*\* `quorum_unreachable`: .* Next: .*the roots enrol/);
    await changed(at, carolJoins(at.ids.carol));
    expect((await heal(at)).skipped).toEqual([]);
    expect((await at.ours(issue))[0]).toMatch(/awaiting approval · 0 of 2[^]*^\/approve /m);
  });
});

/** Two have to agree, and two may. */
async function siteOfTwo(): Promise<{ at: GateSite; policy: string }> {
  const at = await gateSite();
  const policy = RULES.policy.replace('quorum: [0, 1, 2, 2]', 'quorum: [0, 2, 2, 2]');
  at.commitToMain('.gitea/lazarus/policy.yml', policy);
  await reviseRules(at.bench, await projectOf(at), { ...RULES, policy }, 2);
  await changed(at, carolJoins(at.ids.carol));
  return { at, policy };
}

/** They did. */
async function queuedByTwo(): Promise<{ at: GateSite; issue: number; policy: string }> {
  const { at, policy } = await siteOfTwo();
  const { issue } = await at.file('ana');
  const line = lineOf((await at.ours(issue))[0]!);
  await at.comment('ben', issue, line);
  expect(await gateTurn(at, 'carol', issue, line)).toMatchObject({ outcome: { next: 'cell' } });
  return { at, issue, policy };
}

async function projectOf(at: GateSite): Promise<string> {
  return (await at.bench.project()).tip.state!.project_id;
}

function byLedger(one: { readonly ledger: string }, other: { readonly ledger: string }): number {
  return one.ledger < other.ledger ? -1 : 1;
}
