// Which failures are the fault of what a repository holds, and not of the machine, the network or the caller: a report names
// them and where they stand.
import { Failure } from '../../failure.ts';

const DAMAGE: ReadonlySet<string> = new Set(['object_missing', 'object_corrupt', 'object_too_large']);

export function isDamage(error: unknown): error is Failure {
  return error instanceof Failure && DAMAGE.has(error.code);
}
