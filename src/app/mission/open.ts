// Proposes and plans in one transaction, under the gate's key: on a forge a push costs a third of a second, and nobody
// should see a proposal that has no plan yet.
import { decidePlan } from '../../kernel/decide/plan.ts';
import { decideProposal, type Proposing } from '../../kernel/decide/propose.ts';
import type { MissionCourse } from '../../kernel/course/course.ts';
import { propose } from '../../kernel/mission/evolve-course.ts';
import type { ProposedBy } from '../../kernel/course/proposers.ts';
import { missionName } from '../../kernel/values.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { artifactsRef, ledgerName, missionRef } from '../../ledger/names.ts';
import type { Signer } from '../../ports/keys.ts';
import type { Change } from '../../ports/repository.ts';
import { bringTogether } from '../recent-heads.ts';
import { drawDocuments } from '../artifacts/documents.ts';
import { claimPaths } from './claims.ts';
import { nextAttemptNo, planDocuments, planningOf, planOf } from './plan.ts';
import type { Setting } from './planning.ts';
import { proposalDocuments, proposingOf, type NewProposal, type Proposed } from './propose.ts';
import { wordsOf, type SaidIn } from './said-in.ts';
import { actOn, namesFrom, type MissionWorld } from './world.ts';

export type Opening = NewProposal &
  Pick<Proposing, 'proposers' | 'forge' | 'channel'> & {
    readonly setting: Setting;
    /** The comment by which a member adopted it. */
    readonly adoption?: SaidIn | undefined;
    /** The id of a new one, if it was drawn already. */
    readonly fresh?: string;
    /** Further references in the same change, such as the issue's. */
    readonly along?: (mission: string) => Promise<Change>;
  };

export async function openMission(world: MissionWorld, signer: Signer, wanted: Opening): Promise<Verdict<Proposed>> {
  const { bench, kit } = world;
  const { ids, crypto } = bench.parts;
  const { proposal, setting, proposers, forge, channel, adoption, follows } = wanted;
  const mission = wanted.mission ?? wanted.fresh ?? ids.next();
  const acting = actOn(world, missionRef(mission), signer);
  // Looked at below, one after the other: asked for once.
  await bringTogether(bench.parts, [acting.ref, artifactsRef(ledgerName(acting.ref))]);
  const before = wanted.mission === undefined ? undefined : await acting.desk.state();
  const attemptNo = nextAttemptNo(before ?? {});
  const planned = await planOf(world, { mission, proposal, setting, attemptNo });
  if (planned.is === 'refused') return planned;
  const documents = await drawDocuments(bench, kit, [
    ...proposalDocuments(wanted),
    ...planDocuments(planned.value),
    ...(adoption === undefined ? [] : [wordsOf(adoption)]),
  ]);
  const planning = planningOf(world, planned.value, documents.slice(2, 4), true);
  const names = namesFrom(ids);
  const along = wanted.along;
  const said = { mission, proposers, forge, channel, follows, adoption: adoptedIn(adoption, documents[4]?.digest) };
  const written = await acting.desk.transact({
    documents,
    decide: (state, at) => {
      const proposed = decideProposal(state, proposingOf(said, documents, at), names);
      if (proposed.is === 'refused') return proposed;
      const roster = state?.roster ?? at.project.roster;
      const signing = roster.members.find(({ principal_id }) => principal_id === acting.principal);
      if (signing === undefined) return refuse('signer_unknown', { fingerprint: signer.fingerprint });
      const course = courseAfter(state?.course, proposed.value, { mission, roster, signer: signing });
      if (course.is === 'refused') return course;
      const on = { mission, roster, course: course.value };
      return accept([...proposed.value, ...decidePlan(crypto, on, planning, names)]);
    },
    inProject: (project, after) => claimPaths(after)(project),
    ...(along === undefined ? {} : { along: () => along(mission) }),
  });
  if (written.is === 'refused') return written;
  return accept({ mission, name: missionName(mission), acting, state: written.value.state });
}

function adoptedIn(adoption: Opening['adoption'], raw: string | undefined): Proposing['adoption'] {
  const forge = adoption?.forge ?? null;
  return forge === null || raw === undefined ? undefined : { forge, raw };
}

function courseAfter(
  course: MissionCourse | undefined,
  drafts: Extract<ReturnType<typeof decideProposal>, { is: 'accepted' }>['value'],
  by: ProposedBy,
): Verdict<MissionCourse> {
  const proposed = drafts.find((draft) => draft.event_type === 'mission.proposed');
  return proposed?.event_type === 'mission.proposed'
    ? propose(course, { payload: proposed.payload, actor_id: by.signer.principal_id }, by)
    : refuse('nothing_proposed', { mission: by.mission });
}
