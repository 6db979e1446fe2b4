// What verifies for another program: a ledger in a repository through isomorphic-git, or a proof bundle, with no git binary.
// Writes nothing, remembers nothing: who wants a floor against rollback passes a pin.
import type { PromiseFsClient } from 'isomorphic-git';
import { openReader } from '../adapters/isomorphic/reader.ts';
import { nodeCrypto } from '../adapters/system/node-crypto.ts';
import { spareCore } from '../adapters/system/second-core.ts';
import { ProjectView } from '../app/adoption.ts';
import type { Report } from '../app/verify/report.ts';
import { newestOf, only, type Snapshot } from '../app/verify/snapshots.ts';
import { verifyLedger } from '../app/verify/verify-ledger.ts';
import { checkBundle as check, type BundleReport, type Known } from '../ledger/bundle.ts';
import { LEDGER_REFS, PROJECT_REF } from '../ledger/names.ts';
import type { Verdict } from '../kernel/verdict.ts';
import type { Pin } from '../ports/pins.ts';
import type { RepositoryReader } from '../ports/repository.ts';

export type VerifyRepository = {
  /** `node:fs`, or anything with its promise interface. */
  readonly fs: PromiseFsClient;
  /** The work tree; or `gitdir`, the repository itself. */
  readonly dir?: string;
  readonly gitdir?: string;
  /** `project` (the default) or the name of a mission, such as `m-3f9c01d2ab34`. */
  readonly ledger?: string;
  /** The project genesis fingerprint, `sha256:…`, as somebody trusted gave it. */
  readonly genesis?: string;
  /** `since-pin` begins at the snapshot, where the pin vouches for it; else at the first event. */
  readonly mode?: 'full' | 'since-pin';
  readonly pin?: Pin;
  /** As an earlier answer gave it; worth as much as the pin it was kept beside. */
  readonly snapshot?: Snapshot;
  readonly signal?: AbortSignal;
};

/** What verifying comes to, and what to pass the next time; nothing where the ledger is not whole. */
export type VerifiedRepository = {
  readonly report: Report;
  readonly pin: Pin | undefined;
  readonly snapshot: Snapshot | undefined;
};

export async function verifyRepository(options: VerifyRepository): Promise<VerifiedRepository> {
  const { ledger = 'project', mode = 'full', pin, snapshot, genesis, signal } = options;
  const reader = await openReader(options);
  const project = ledger === 'project' ? undefined : await projectOf(reader, signal);
  const verified = await verifyLedger({
    crypto: nodeCrypto,
    reader,
    ref: LEDGER_REFS + ledger,
    mode,
    pin,
    snapshots: only(snapshot),
    genesis,
    project: project?.history,
    spareCore,
    ...(signal === undefined ? {} : { signal }),
  });
  const { report, pin: next, crossed } = verified;
  return { report, pin: next, snapshot: next === undefined ? undefined : (newestOf(crossed) ?? snapshot) };
}

/** Whether a proof bundle proves what it claims, judged with node:crypto. */
export function checkBundle(bytes: Uint8Array, known: Known = {}): Verdict<BundleReport> {
  return check(nodeCrypto, bytes, known);
}

/**
 * A repository may hold a mission without the project's own branch, or with one that does not verify: no mission is judged
 * by it, and trust stays project_unconfirmed.
 */
async function projectOf(reader: RepositoryReader, signal: AbortSignal | undefined): Promise<ProjectView | undefined> {
  if ((await reader.resolve(PROJECT_REF)) === undefined) return undefined;
  const view = new ProjectView();
  const { report } = await verifyLedger({
    crypto: nodeCrypto,
    reader,
    ref: PROJECT_REF,
    mode: 'full',
    onCommit: (seen) => view.add(seen),
    ...(signal === undefined ? {} : { signal }),
  });
  return report.integrity.is === 'ok' ? view : undefined;
}
