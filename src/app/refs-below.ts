// What lies beside the ledgers under one prefix, where the ledgers are. Anybody who may push can leave something there.
import type { Oid } from '../format/git/object.ts';
import type { Workbench } from './workbench.ts';

/** Those below a prefix, by name, and what each names. */
export async function refsBelow({ parts }: Workbench, prefix: string): Promise<ReadonlyMap<string, Oid>> {
  if (parts.remote !== undefined) return parts.remote.heads([`${prefix}*`]);
  return new Map((await parts.repository.list(prefix)).map(({ ref, oid }) => [ref, oid]));
}
