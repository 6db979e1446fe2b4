// What the commands show of a mission: its status, the plan behind it, and the one line to type next. Computed from the
// verified ledger; decides nothing.
import type { StatusView } from '../../../forge-text/status-view.ts';
import { turnAtTerminal, type NextTurn } from '../../../forge-text/next-turn.ts';
import { machineKeys } from '../../../app/choose-key.ts';
import { documentsOf } from '../../../app/mission/documents.ts';
import { statusView } from '../../../app/mission/status-view.ts';
import { dueNow, projectState } from '../../../app/mission/world.ts';
import type { Due } from '../../../kernel/decide/due.ts';
import type { PlanDocument } from '../../../kernel/mission/plan-document.ts';
import type { MissionState } from '../../../kernel/state.ts';
import { ledgerName } from '../../../ledger/names.ts';
import { isOnForge } from './forge-home.ts';
import type { MissionSite, Seen } from './site.ts';

export type View = {
  readonly status: StatusView;
  readonly state: MissionState;
  /** Undefined before there is a plan, or after it was erased. */
  readonly plan: PlanDocument | undefined;
  readonly step: Due;
  readonly next: NextTurn;
};

/** On a laptop there is no page to link to and no CI that keeps keys. */
const SHOWN = { home: '', custody: 'people', run: null } as const;

type Shown = Pick<MissionSite, 'world' | 'ref'> & Partial<Pick<MissionSite, 'home' | 'app'>>;

export async function viewOf(shown: Shown, at: Seen): Promise<View> {
  const { world, ref, home } = shown;
  const { state } = at;
  const documents = await documentsOf(world.bench, ref, state, at.told);
  const { plan } = documents;
  const status = await statusView(world, { ref, ...at, documents }, SHOWN);
  const step = dueNow(world, state);
  const isBrokenOff = step.is === 'busy' && (await isLeftHere(shown, step.holder));
  const beside = { plan, state, isBrokenOff, isOnForge: await isOnForge({ bench: world.bench, home }) };
  return { status, state, plan, step, next: turnAtTerminal(status, step, beside) };
}

/** The process of this clone that held it was killed; of another computer nobody here can tell. */
async function isLeftHere({ world, ref, app }: Shown, holder: string): Promise<boolean> {
  if (app === undefined) return false;
  const { runLocksOf } = await import('../../../compose/missions.ts');
  if (!(await runLocksOf(world.bench).isLeft(ledgerName(ref)))) return false;
  const { store } = await app.keys();
  const { roster } = projectState(world);
  const own = new Set(machineKeys(roster, await store.list()).map(({ fingerprint }) => fingerprint));
  return roster.members.some(
    ({ principal_id, keys }) => principal_id === holder && keys.some((key) => own.has(key.fingerprint)),
  );
}
