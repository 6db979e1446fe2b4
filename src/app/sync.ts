// Carries whole ledgers between this repository and a remote, forwards only. Nothing is believed for having been sent:
// what comes in is verified before a reference of ours moves, and a history beside ours is refused, never merged.
import type { Oid } from '../format/git/object.ts';
import { Failure } from '../failure.ts';
import { FETCHED_REFS, fetchedRef, ledgerName, PROJECT_REF } from '../ledger/names.ts';
import { fetchCosignatures } from './cosign.ts';
import { fetchArtifacts } from './artifacts/fetch.ts';
import { sendArtifacts } from './artifacts/send.ts';
import type { Remote } from '../ports/remote.ts';
import type { ProjectView } from './adoption.ts';
import { knownProjectIfHere } from './project-fold.ts';
import { refuseFlawed, type Workbench } from './workbench.ts';

export type Relation = 'equal' | 'ahead' | 'behind' | 'forked' | 'absent_here' | 'absent_there';
export type Compared = {
  readonly ledger: string;
  readonly relation: Relation;
  readonly here: Oid | undefined;
  readonly there: Oid | undefined;
};
export type Synced = Compared & { readonly moved: boolean };

/** Where two heads of one ledger stand to each other. Both must be readable here. */
async function relate(bench: Workbench, here: Oid | undefined, there: Oid | undefined): Promise<Relation> {
  const { repository } = bench.parts;
  if (here === there) return 'equal';
  if (here === undefined) return 'absent_here';
  if (there === undefined) return 'absent_there';
  if (await repository.isAncestor(there, here)) return 'ahead';
  return (await repository.isAncestor(here, there)) ? 'behind' : 'forked';
}

/** Fetches the remote's ledgers beside ours and says how they stand. `refs` undefined: all that either side has. */
export async function compareWithRemote(
  bench: Workbench,
  refs?: readonly string[],
): Promise<readonly (Compared & { readonly ref: string })[]> {
  const remote = remoteOf(bench);
  const { repository } = bench.parts;
  const wanted = refs ?? [LEDGER_PATTERN];
  const heads = await remote.heads(wanted);
  if (heads.size > 0) await remote.fetch([...heads.keys()], FETCHED_REFS);
  const all = refs ?? [...new Set([...(await bench.ledgers()), ...heads.keys()])].sort(projectFirst);
  const compared: (Compared & { ref: string })[] = [];
  for (const ref of all) {
    const here = await repository.resolve(ref);
    const there = heads.has(ref) ? await repository.resolve(fetchedRef(ref)) : undefined;
    compared.push({ ref, ledger: ledgerName(ref), relation: await relate(bench, here, there), here, there });
  }
  return compared;
}

/** Sends ledgers that are ahead. Refuses where the remote holds what we do not. */
export async function pushLedgers(bench: Workbench, refs?: readonly string[]): Promise<readonly Synced[]> {
  const compared = await compareWithRemote(bench, refs);
  refuseForked(compared);
  const ahead = compared.filter(({ relation }) => relation === 'ahead' || relation === 'absent_there');
  const behind = compared.find(({ relation }) => relation === 'behind');
  if (behind !== undefined && refs !== undefined) throw new Failure('remote_is_ahead', { ledger: behind.ledger });
  if (ahead.length > 0) {
    // What events name must be there before the events are.
    for (const { ref } of ahead) await sendArtifacts(bench, ref);
    const outcome = await remoteOf(bench).pushStored(
      ahead.map(({ ref, here, there }) => ({ ref, old: there, next: here })),
    );
    if (outcome.is === 'moved')
      throw new Failure('head_moved', { ledger: ahead.map(({ ledger }) => ledger) }, { retry: 'reload' });
    if (outcome.is === 'refused') throw new Failure('push_rejected', { ref: outcome.ref, why: outcome.why });
    if (outcome.is === 'unknown') throw new Failure('push_unknown', { why: outcome.why }, { retry: 'later' });
  }
  return compared.map((one) => ({ ...one, moved: ahead.includes(one) }));
}

/** Takes over ledgers that are ahead there, each only after it verified. `genesis`: the project's, where a person says so. */
export async function pullLedgers(
  bench: Workbench,
  refs?: readonly string[],
  { genesis }: { readonly genesis?: string | undefined } = {},
): Promise<readonly Synced[]> {
  const compared = await compareWithRemote(bench, refs);
  refuseForked(compared);
  const synced: (Synced & { readonly ref: string })[] = [];
  let project: ProjectView | undefined;
  for (const one of compared) {
    const moved = one.relation === 'behind' || one.relation === 'absent_here';
    if (moved) {
      if (one.ref !== PROJECT_REF) project ??= await knownProjectIfHere(bench);
      const verified = await bench.verifyAt(one.ref, fetchedRef(one.ref), project, genesis);
      refuseFlawed(verified.report);
      await bench.parts.repository.commit({ objects: [], updates: [{ ref: one.ref, old: one.here, next: one.there }] });
      await bench.remember(one.ref, verified);
    }
    if (one.there !== undefined) await fetchCosignatures(bench, one.ref);
    synced.push({ ...one, moved });
  }
  await fetchArtifacts(
    bench,
    synced.filter(({ there }) => there !== undefined).map(({ ref }) => ref),
  );
  return synced;
}

const LEDGER_PATTERN = 'refs/heads/lazarus/*';

function refuseForked(compared: readonly Compared[]): void {
  const forked = compared.find(({ relation }) => relation === 'forked');
  if (forked !== undefined)
    throw new Failure('fork_detected', {
      ledger: forked.ledger,
      here: forked.here ?? null,
      there: forked.there ?? null,
    });
}

function remoteOf(bench: Workbench): Remote {
  const { remote } = bench.parts;
  if (remote === undefined) throw new Failure('no_remote');
  return remote;
}

function projectFirst(a: string, b: string): number {
  return Number(b === PROJECT_REF) - Number(a === PROJECT_REF) || (a < b ? -1 : 1);
}
