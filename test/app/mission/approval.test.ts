// From a mission file to an approved mission, in a real repository: what is written, what is refused, and that two
// missions never hold one path.
import { pathsOf } from '../../../src/kernel/course/plan.ts';
import { describe, expect, it } from 'vitest';
import { missionStatus } from '../../../src/kernel/mission/status.ts';
import { causesOf, readRecords } from '../../../src/app/causes.ts';
import { planMission } from '../../../src/app/mission/plan.ts';
import { vote, withdraw } from '../../../src/app/mission/vote.ts';
import { actOn, missionState, namesFrom, projectState } from '../../../src/app/mission/world.ts';
import { within } from '../../../src/kernel/decide/about.ts';
import { decideVote } from '../../../src/kernel/decide/vote.ts';
import { decideSpawn } from '../../../src/kernel/decide/work.ts';
import type { ProjectView } from '../../../src/app/adoption.ts';
import { appendWanted } from '../../../src/app/append.ts';
import type { Submission } from '../../../src/app/ledger-session.ts';
import type { Decide } from '../../../src/app/sealing.ts';
import type { Signer } from '../../../src/ports/keys.ts';
import type { ProjectState } from '../../../src/kernel/state.ts';
import { accept, refuse } from '../../../src/kernel/verdict.ts';
import { missionRef, PROJECT_REF } from '../../../src/ledger/names.ts';
import { uuid } from '../../support/events.ts';
import { member, testKey, ANA, BEN, CY, type TestKey } from '../../support/people.ts';
import { approved, LAPTOP, LAPTOP_SETTING, planned, proposed, site } from './setting.ts';
import { missionText } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';

const DI = testKey('di');
const FOUR = [
  member(ANA, { roles: ['person', 'root'] }),
  ...[BEN, CY, DI].map((key) => member(key, { roles: ['person'] })),
  member(LAPTOP, { roles: ['gate', 'runner', 'writer'], principal_type: 'runner', person_id: null }),
];

describe('a mission on a laptop', () => {
  it('is queued once somebody else has approved its digest, and its paths are its own', async () => {
    const at = await site();
    const { mission, state } = await approved(at);
    expect(missionStatus(state)).toBe('queued');
    expect(projectState(at.world).missions[mission]?.claims).toEqual(pathsOf(state.course!.plan!));
    const { report } = await at.bench.verify(missionRef(mission), 'full', { project: at.world.project });
    expect(report.integrity).toEqual({ is: 'ok' });
  });

  it('says why it may run: a vote, and before that the words in which it was cast', async () => {
    const at = await site();
    const { mission } = await approved(at);
    const records = await readRecords(at.bench, missionRef(mission), {});
    const granted = records[0]!.events.findLast(({ event_type }) => event_type === 'grant.issued')!;
    const { links, end } = causesOf(granted.event_id, records);
    expect(links.map(({ event }) => event.event_type)).toEqual([
      'grant.issued',
      'approval.granted',
      'vote.cast',
      'ingress.recorded',
    ]);
    expect(links.at(-1)!.event.payload).toMatchObject({ forge: null, source_channel: 'cli' });
    expect(end).toBe('start');
  });

  it('waits when another mission holds one of its paths, and stands in the registry without any', async () => {
    const at = await site();
    await approved(at);
    const second = await approved(at, missionText({ 'Greet people': 'Welcome people' }));
    expect(missionStatus(second.state)).toBe('approved');
    expect(projectState(at.world).missions[second.mission]).toMatchObject({ claims: [] });
  });

  it('lets go of its paths when the vote is taken back', async () => {
    const at = await site();
    const { mission } = await approved(at);
    const back = taken(await withdraw(at.as(BEN, mission), { voter: 'ben' }));
    expect(missionStatus(back)).toBe('awaiting');
    expect(projectState(at.world).missions[mission]?.claims).toEqual([]);
    const again = { choice: 'approve', digest: back.course!.plan!.plan_digest, voter: 'ben' } as const;
    expect(missionStatus(taken(await vote(at.as(BEN, mission), again)))).toBe('queued');
  });

  it('is queued as soon as a rejection is taken back that alone stood in the way: nobody is asked for anything more', async () => {
    const at = await site({ members: FOUR });
    const { mission, state } = await planned(at);
    const digest = state.course!.plan!.plan_digest;
    const says = (key: TestKey, choice: 'approve' | 'reject') =>
      vote(at.as(key, mission), { choice, digest, voter: key.principalId });
    taken(await says(BEN, 'reject'));
    taken(await says(CY, 'approve'));
    expect(missionStatus(taken(await says(DI, 'approve')))).toBe('rejected');
    const goesOn = taken(await withdraw(at.as(BEN, mission), { voter: 'ben' }));
    expect(missionStatus(goesOn)).toBe('queued');
    expect(projectState(at.world).missions[mission]?.claims).toEqual(pathsOf(goesOn.course!.plan!));
    // Of two who agreed one is enough.
    expect(missionStatus(taken(await withdraw(at.as(CY, mission), { voter: 'cy' })))).toBe('queued');
    const nobody = taken(await withdraw(at.as(DI, mission), { voter: 'di' }));
    expect(missionStatus(nobody)).toBe('awaiting');
    expect(projectState(at.world).missions[mission]?.claims).toEqual([]);
    const { report } = await at.bench.verify(missionRef(mission), 'full', { project: at.world.project });
    expect(report.integrity).toEqual({ is: 'ok' });
  });

  it('waits for its paths where others have them by the time a rejection is taken back', async () => {
    const at = await site({ members: FOUR });
    const { mission, state } = await planned(at);
    const digest = state.course!.plan!.plan_digest;
    taken(await vote(at.as(BEN, mission), { choice: 'reject', digest, voter: 'ben' }));
    taken(await vote(at.as(CY, mission), { choice: 'approve', digest, voter: 'cy' }));
    await approved(at, missionText({ 'Greet people': 'Welcome people' }));
    expect(missionStatus(taken(await withdraw(at.as(BEN, mission), { voter: 'ben' })))).toBe('approved');
    expect(projectState(at.world).missions[mission]).toMatchObject({ claims: [] });
  });

  it('is not begun while the project is stopped, and goes on when it is not', async () => {
    const at = await site();
    const { mission, state } = await planned(at);
    const said = { choice: 'approve', digest: state.course!.plan!.plan_digest, voter: 'ben' } as const;
    await say(at, 'halt.declared');
    expect(await vote(at.as(BEN, mission), said)).toMatchObject({ code: 'project_halted' });
    expect(missionStatus(await missionState(at.as(BEN, mission)))).toBe('awaiting');
    await say(at, 'halt.lifted');
    expect(missionStatus(taken(await vote(at.as(BEN, mission), said)))).toBe('queued');
  });

  it('is granted by none of our writers while the project is stopped, also not event by event', async () => {
    const at = await site();
    const { mission, state } = await planned(at);
    await say(at, 'halt.declared');
    const said = { choice: 'approve', digest: state.course!.plan!.plan_digest, voter: 'ben' } as const;
    const names = namesFrom(at.bench.parts.ids);
    const voting = { ...said, forge: null, reason: null };
    const decide: Decide = (now) =>
      now?.kind === 'mission' ? decideVote(now, voting, { names, mayGrant: true }) : refuse('ledger_not_opened');
    const session = await at.bench.open(missionRef(mission), BEN);
    expect(await session.submit({ decide })).toMatchObject({ code: 'project_halted' });
    const byHand = appendWanted([{ event_type: 'grant.issued', payload: {} }], at.bench.parts.ids);
    expect(await session.submit(byHand)).toMatchObject({ code: 'project_halted' });
    expect(await session.submit(noted(at))).toMatchObject({ is: 'accepted' });
  });

  it('is refused by whoever knows the project, if somebody grants it in spite of a stop', async () => {
    const at = await site();
    const { mission, state } = await planned(at);
    await say(at, 'halt.declared');
    const project = forgettingTheStop(await at.bench.project());
    const names = namesFrom(at.bench.parts.ids);
    const voting = {
      choice: 'approve',
      digest: state.course!.plan!.plan_digest,
      voter: 'ben',
      forge: null,
      reason: null,
    } as const;
    const landed = await at.bench.session(missionRef(mission), BEN, project).submit({
      decide: (now) =>
        now?.kind === 'mission' ? decideVote(now, voting, { names, mayGrant: true }) : refuse('ledger_not_opened'),
    });
    expect(landed).toMatchObject({ is: 'accepted' });
    const { report } = await at.bench.verify(missionRef(mission), 'full', { project: await at.bench.project() });
    expect(report.integrity).toMatchObject({ is: 'refused', code: 'project_halted' });
  });

  it('is not run on paths that its last voter did not claim: no runner of ours begins it, and no history with it verifies', async () => {
    const at = await site();
    const { mission, state } = await planned(at);
    const names = namesFrom(at.bench.parts.ids);
    const { plan_digest: digest } = state.course!.plan!;
    const voting = { choice: 'approve', digest, voter: 'ben', forge: null, reason: null } as const;
    const ofBen = at.bench.session(missionRef(mission), BEN, await at.bench.project());
    expect(
      await ofBen.submit({
        decide: (now) =>
          now?.kind === 'mission' ? decideVote(now, voting, { names, mayGrant: true }) : refuse('ledger_not_opened'),
      }),
    ).toMatchObject({ is: 'accepted' });
    const leaseUntil = new Date((at.bench.parts.clock.nowSeconds() + 60) * 1000).toISOString();
    const begin: Submission = {
      decide: (now) =>
        now?.kind === 'mission' ? decideSpawn(now, { ...BIRTH, leaseUntil }, names) : refuse('ledger_not_opened'),
    };
    const honest = await at.bench.project();
    const signed: Uint8Array[] = [];
    const laptop: Signer = {
      ...LAPTOP,
      sign: (bytes, atSeconds) => {
        signed.push(bytes);
        return LAPTOP.sign(bytes, atSeconds);
      },
    };
    const unclaimed = { code: 'claims_missing', facts: { claims: null } };
    expect(await at.bench.session(missionRef(mission), laptop, honest).submit(begin)).toMatchObject(unclaimed);
    const { desk } = actOn(at.world, missionRef(mission), laptop);
    const spawn = { ...BIRTH, leaseUntil };
    expect(await desk.transact({ decide: (now) => decideSpawn(now, spawn, names) })).toMatchObject(unclaimed);
    // A signature that was made could be appended by whoever has it.
    expect(signed).toEqual([]);
    const liar = at.bench.session(missionRef(mission), LAPTOP, claimedIn(await at.bench.project(), mission));
    expect(await liar.submit(begin)).toMatchObject({ is: 'accepted' });
    const { report } = await at.bench.verify(missionRef(mission), 'full', { project: honest });
    expect(report.integrity).toMatchObject({ is: 'refused', code: 'claims_missing' });
  });

  it('is not approved by its proposer, nor by a digest of something else', async () => {
    const at = await site();
    const { mission, state } = await planned(at);
    const say = { choice: 'approve', forge: null } as const;
    const digest = state.course!.plan!.plan_digest;
    expect(await vote(at.as(ANA, mission), { ...say, digest, voter: 'ana' })).toMatchObject({ code: 'self_approval' });
    expect(await vote(at.as(BEN, mission), { ...say, digest: 'ab'.repeat(8), voter: 'ben' })).toMatchObject({
      code: 'approval_stale',
      facts: { current: [digest] },
    });
    expect(await vote(at.as(BEN, mission), { ...say, digest: digest.slice(0, 8), voter: 'ben' })).toMatchObject({
      code: 'digest_required',
    });
  });

  it('may be approved by its proposer where there is nobody else, and says so', async () => {
    const alone = [
      member(ANA, { roles: ['person', 'root'] }),
      member(LAPTOP, { roles: ['gate', 'runner', 'writer'], principal_type: 'runner' }),
    ];
    const at = await site({ members: alone });
    const { mission, state } = await planned(at);
    const say = { choice: 'approve', digest: state.course!.plan!.plan_digest, voter: 'ana' } as const;
    expect(missionStatus(taken(await vote(at.as(ANA, mission), say)))).toBe('queued');
  });

  it('is refused before anything is written where it asks for what this place has not', async () => {
    const at = await site();
    const mission = await proposed(at, missionText({ 'capabilities: []': 'capabilities: [pr:open]' }));
    const before = await at.bench.place.head(missionRef(mission));
    expect(await planMission(at.as(LAPTOP, mission), LAPTOP_SETTING)).toMatchObject({ code: 'capability_unavailable' });
    expect(await at.bench.place.head(missionRef(mission))).toBe(before);
  });

  it('is not planned under a policy that the project has not adopted', async () => {
    const at = await site();
    const mission = await proposed(at);
    const acting = at.as(LAPTOP, mission);
    const rules = { ...projectState(at.world).policy!, policy: `sha256:${'0'.repeat(64)}` };
    Object.assign(projectState(at.world), { policy: rules });
    await expect(planMission(acting, LAPTOP_SETTING)).rejects.toMatchObject({
      code: 'policy_not_in_force',
    });
    expect(missionStatus(await missionState(acting))).toBe('proposed');
  });
});

/** By a root. */
/** What a liar's own program knows of a project: its true head, and not that it is stopped there. */
function forgettingTheStop(liars: ProjectView): ProjectView {
  const state = liars.tip.state as ProjectState;
  liars.standAt({ ...liars.tip, state: { ...state, halt: null } });
  return liars;
}

/** The project as somebody sees it who takes the mission's paths for claimed. */
function claimedIn(liars: ProjectView, mission: string): ProjectView {
  const state = liars.tip.state as ProjectState;
  const registered = { genesis: 'aa'.repeat(20), claims: ['docs/**', 'src/greet.sh'] };
  liars.standAt({ ...liars.tip, state: { ...state, missions: { ...state.missions, [mission]: registered } } });
  return liars;
}

const SOME_DIGEST = `sha256:${'5a'.repeat(32)}`;
const BIRTH = {
  backend: 'process',
  cell: uuid('cell'),
  context: SOME_DIGEST,
  environment: [] as string[],
  epoch: 1,
  holder: 'laptop',
  level: 2,
  limits: { cpu: 'hard', memory: 'hard', processes: 'hard' },
  manifest: SOME_DIGEST,
  manifest_hash: SOME_DIGEST,
  prepares: [],
  reach: [] as string[],
  role: 'executor',
  seed_id: uuid('seed'),
  uid: 0,
  workspace: uuid('workspace'),
} satisfies Omit<Parameters<typeof decideSpawn>[1], 'leaseUntil'>;

function noted(at: Awaited<ReturnType<typeof site>>): Submission {
  const payload = { bytes: 1, digest: `sha256:${'5a'.repeat(32)}`, media_type: 'text/plain' };
  return appendWanted([{ event_type: 'note.recorded', payload }], at.bench.parts.ids);
}

async function say(at: Awaited<ReturnType<typeof site>>, event: 'halt.declared' | 'halt.lifted'): Promise<void> {
  const decide = (state: { project_id: string } | undefined) =>
    accept([within(event, state!.project_id, state!.project_id, {})]);
  taken(await at.bench.session(PROJECT_REF, ANA).submit({ decide }));
}
