// The first commit of a mission's ledger: what its seeds descend from. The verified tip names it; no history is walked.
import { Failure } from '../../failure.ts';
import { hex } from '../../format/bytes.ts';
import { objectId } from '../../format/git/object.ts';
import type { Acting } from './world.ts';

/** What a mission's own seeds name as their parent's hash. */
export async function genesisHash({ world, desk }: Acting): Promise<string> {
  const { crypto, repository } = world.bench.parts;
  const oid = await desk.genesis();
  for await (const { type, body } of repository.read([oid])) {
    if (objectId(crypto, type, body) !== oid) throw new Failure('object_corrupt', { oid });
    return hex(crypto.hash('sha256', body));
  }
  throw new Failure('object_missing', { oid });
}
