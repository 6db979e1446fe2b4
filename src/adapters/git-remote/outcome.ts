// From a server's words to one of the port's outcomes. The only place that knows which words mean a lost race.
import { Failure } from '../../failure.ts';
import type { PushOutcome } from '../../ports/remote.ts';
import { printable } from './protocol-failure.ts';

export type RefVerdict = { readonly ref: string; /** undefined: it moved. */ readonly why: string | undefined };

const WHY_CHARS_MAX = 400;

// receive-pack, send-pack and (from git 2.50) the batched reference transaction, each in its own words.
const LOST_RACE =
  /^(stale info|fetch first|non-fast-forward|needs force|remote ref updated since checkout|incorrect old value provided|reference already exists|reference does not exist)$/;
// Said both of a lost race and of a server that cannot write: what was said beside it decides.
const MAYBE_LOST_RACE =
  /^(failed to update ref|failed to delete|atomic transaction failed|transaction failed to start)$/;
const LOST_RACE_BESIDE =
  /but expected|reference already exists|unable to resolve reference|File exists|reference is missing/;
/** What every other reference of an atomic push is told: it names no reason of its own. */
const FOLLOWS_ANOTHER = /^(atomic push failed|atomic push failure|atomic transaction failed)$/;

/** `said` is whatever the server wrote beside its report, often the only place with the true reason. */
export function outcomeOf(verdicts: readonly RefVerdict[], said: string): PushOutcome {
  const failed = verdicts.filter((verdict) => verdict.why !== undefined);
  if (failed.length === 0) return { is: 'landed' };
  if (failed.length < verdicts.length) {
    throw new Failure('remote_not_atomic', { stayed: failed.map((verdict) => verdict.ref) });
  }
  const decisive = failed.find((verdict) => !FOLLOWS_ANOTHER.test(verdict.why ?? '')) ?? failed[0];
  const { ref, why } = { ref: decisive?.ref ?? '', why: decisive?.why ?? '' };
  if (LOST_RACE.test(why)) return { is: 'moved' };
  if (MAYBE_LOST_RACE.test(why) && (said.trim() === '' || LOST_RACE_BESIDE.test(said))) return { is: 'moved' };
  return { is: 'refused', ref, why: printable(said.trim() === '' ? why : `${why}: ${said}`, WHY_CHARS_MAX) };
}
