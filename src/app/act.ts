// What somebody does to a mission in one change that lands whole or not at all, and how it is sealed: the mission's
// transaction, then the project's if it has something to say of it. Holds no rule of missions, knows no repository and no race.
import { Failure } from '../failure.ts';
import type { EventDraft } from '../kernel/draft.ts';
import type { MissionState, ProjectState, State } from '../kernel/state.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { ledgerName, missionRef } from '../ledger/names.ts';
import { headOf, type Tip } from '../ledger/tip.ts';
import type { Sealed } from '../ledger/transaction.ts';
import type { Change } from '../ports/repository.ts';
import type { TreeHead } from '../kernel/values.ts';
import type { ProjectView } from './adoption.ts';
import { farCause } from './far-cause.ts';
import { recordedDraft, type DrawnDocument } from './artifacts/documents.ts';
import { seal, type Author, type Drawing } from './sealing.ts';

export type Act = {
  /** Recorded in the same transaction, before what `decide` answers; only a mission's opening comes before them. */
  readonly documents?: readonly DrawnDocument[];
  /** Asked again after every lost race. `undefined`: the mission has not begun. */
  readonly decide: (
    state: MissionState | undefined,
    at: { readonly project: ProjectState; readonly projectHead: TreeHead },
  ) => Verdict<readonly EventDraft[]>;
  /** What the project's ledger says of it in the same change, once the mission's part is sealed; nothing when empty. */
  readonly inProject?: (state: ProjectState, after: MissionPart) => Verdict<readonly EventDraft[]>;
  /** Further references. Asked at each attempt, so it must look where they stand. */
  readonly along?: () => Promise<Change>;
};

/** The mission's part of a change, sealed; `genesis` is the first commit of its ledger, which may be this one. */
export type MissionPart = { readonly mission: MissionState; readonly head: TreeHead; readonly genesis: string };

export type SealedAct = { readonly mission: Sealed; readonly project: Sealed | undefined };

type Where = { readonly ref: string; readonly mission: Tip; readonly project: Tip };

export async function sealAct(
  author: Author & { readonly project: ProjectView },
  { ref, mission, project }: Where,
  act: Act,
  drawn: { readonly mission: Drawing; readonly project: Drawing },
): Promise<Verdict<SealedAct>> {
  const at = { project: projectStateOf(project), projectHead: headOf(project) };
  const sealed = await seal(author, mission, (state) => withDocuments(act, missionStateOf(state), at), drawn.mission);
  if (sealed.is === 'refused') return sealed;
  const { tip } = sealed.value;
  const state = missionStateOf(tip.state)!;
  // Under another mission's name it would be a ledger that nobody can verify.
  if (missionRef(state.ledger_id) !== ref)
    return refuse('ledger_id_mismatch', { expected: ledgerName(ref), found: ledgerName(missionRef(state.ledger_id)) });
  const said = act.inProject?.(at.project, { mission: state, head: headOf(tip), genesis: tip.genesis! }) ?? accept([]);
  if (said.is === 'refused') return said;
  if (said.value.length === 0) return accept({ mission: sealed.value, project: undefined });
  // The mission knows a project that goes on further than this one: to write here would be to fork it.
  if (tip.project !== undefined && tip.project.size > project.size)
    throw new Failure('project_head_unknown', { size: tip.project.size, oid: tip.project.oid });
  const cause = farCause(sealed.value);
  const caused = accept(said.value.map((draft) => ({ ...draft, cause: draft.cause ?? cause })));
  const recorded = await seal({ ...author, project: undefined }, project, () => caused, drawn.project);
  return recorded.is === 'refused' ? recorded : accept({ mission: sealed.value, project: recorded.value });
}

/** Documents are named before what may speak of them, and after the opening that must come first. */
function withDocuments(
  { decide, documents = [] }: Act,
  state: MissionState | undefined,
  at: Parameters<Act['decide']>[1],
): Verdict<readonly EventDraft[]> {
  const decided = decide(state, at);
  if (decided.is === 'refused' || documents.length === 0) return decided;
  const [first, ...rest] = decided.value;
  if (state !== undefined) return accept([...recorded(documents, state.ledger_id), ...decided.value]);
  // What does not open the ledger is refused for that when it is sealed.
  if (first?.event_type !== 'mission.opened') return decided;
  return accept([first, ...recorded(documents, first.payload.mission_id), ...rest]);
}

function recorded(documents: readonly DrawnDocument[], missionId: string): readonly EventDraft[] {
  return documents.map((one) => recordedDraft(one, missionId));
}

function missionStateOf(state: State | undefined): MissionState | undefined {
  if (state?.kind === 'project') throw new TypeError('the state of a project');
  return state;
}

function projectStateOf({ state }: Tip): ProjectState {
  if (state?.kind !== 'project') throw new TypeError('not the state of a project');
  return state;
}
