// A hand-over that cannot leave: written to the disk of its machine, signed, for the next job there (`take-up.ts`), and why this
// job ends without it. Gives nobody more time: lease and fence stand in the ledger.
import { Failure } from '../../failure.ts';
import { concat } from '../../format/bytes.ts';
import { courseOf } from '../../kernel/course/steps.ts';
import { agentCellOf } from '../../kernel/course/course.ts';
import type { MissionState } from '../../kernel/state.ts';
import { DAY_SECONDS } from '../../kernel/time.ts';
import { missionName } from '../../kernel/values.ts';
import type { Work } from '../../ports/cells.ts';
import type { Stow } from '../../ports/stow.ts';
import type { WorkRepositories } from '../../ports/work.ts';
import type { Collected, Seen } from './hand-over.ts';
import type { Running } from './run.ts';
import { seenAside, stowedBytes, type StowedBody } from './stowed-file.ts';
import { troubleOf } from './trouble.ts';
import { instant, projectState, type Acting } from './world.ts';

/** Only jobs of a forge have it: at a laptop somebody sits before it. */
export type Stowing = {
  readonly stow: Stow;
  /** Nothing else of this job waits for the forge from here on. */
  readonly giveUp: () => void;
};

type Unsent = {
  readonly born: MissionState;
  readonly collected: Collected;
  readonly keepUntil: string | null;
};

/** Always throws: `handover_stowed`, or `handover_lost` where not even the disk took it. */
export async function stowHandOver(
  acting: Acting,
  { repositories, onPoint }: Running,
  { stow, giveUp }: Stowing,
  unsent: Unsent & { readonly cause: Failure },
): Promise<never> {
  giveUp();
  const { world, signer } = acting;
  const { crypto, clock } = world.bench.parts;
  const { born, cause } = unsent;
  const attempt = courseOf(born)!.attempt!;
  const about = { mission: missionName(born.ledger_id), attempt: attempt.no, because: cause.code };
  try {
    const body = bodyOf(acting, unsent);
    const pack = await packOf(repositories, unsent.collected.seen.work);
    const bytes = await stowedBytes(crypto, { body, pack }, { signer, atSeconds: clock.nowSeconds() });
    const { path } = await stow.put({ attempt: attempt.id, endsAtSeconds: endOf(born, body.until), bytes });
    await onPoint?.('stowed');
    throw new Failure('handover_stowed', { ...about, path }, { cause, retry: 'later' });
  } catch (error) {
    if (error instanceof Failure && error.code === 'handover_stowed') throw error;
    const { code, why } = troubleOf(error);
    throw new Failure('handover_lost', { ...about, why: why === '' ? code : `${code}: ${why}` }, { cause: error });
  }
}

function bodyOf(acting: Acting, { born, collected, keepUntil }: Unsent): StowedBody {
  const { attempt, lease, fence } = { ...courseOf(born)!, fence: born.course!.fence };
  return {
    schema_version: 1,
    at: instant(acting.world),
    genesis: projectState(acting.world).project_genesis,
    mission: born.ledger_id,
    attempt: attempt!.id,
    lease: lease!.id,
    fence,
    cell: agentCellOf(courseOf(born)!)!,
    until: keepUntil,
    work: workOf(collected.seen),
    seen: seenAside(collected.seen),
  };
}

function workOf({ work, taken }: Seen): StowedBody['work'] {
  if (work === undefined || taken === undefined) return null;
  const { base, commit, tree, dropped } = work;
  const { count, paths } = dropped;
  return {
    base,
    commit,
    tree,
    message: taken.message,
    taken_at_seconds: taken.atSeconds,
    dropped: { count, paths: [...paths] },
  };
}

async function packOf(repositories: WorkRepositories, work: Work | undefined): Promise<Uint8Array> {
  if (work === undefined) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  for await (const chunk of repositories.pack(work.repository, work.commit, work.base)) chunks.push(chunk);
  return concat(chunks);
}

/** Until then something can be made of it: handed over under its lease, or kept for people as long as policy says. */
function endOf(born: MissionState, until: string | null): number {
  const leaseSeconds = Date.parse(courseOf(born)!.lease!.expires_at) / 1000;
  const keptSeconds = until === null ? 0 : Date.parse(until) / 1000 + DAY_SECONDS;
  return Math.ceil(Math.max(leaseSeconds, keptSeconds));
}
