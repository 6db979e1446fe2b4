// Ledgers written in memory, transaction by transaction, and read again as a verifier would: no repository.
import { expect } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { gitObject, type GitObject } from '../../src/format/git/object.ts';
import type { Event } from '../../src/kernel/event.ts';
import type { TreeHead } from '../../src/kernel/values.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import { emptyMission, emptyProject, headOf, type Tip } from '../../src/ledger/tip.ts';
import { prepareTransaction, type Prepared } from '../../src/ledger/transaction.ts';
import { readCommit, verifyCommit, type VerifiedCommit } from '../../src/ledger/verify-commit.ts';
import { allCaused } from './causes.ts';
import { T0_SECONDS, uuid } from './events.ts';
import { bytesOf, CAST, castRoster, DIGEST, fact, MISSION } from './given.ts';
import type { TestKey } from './people.ts';
import { sealedOn } from './sealed.ts';
import { taken } from './taken.ts';

export type Written = {
  readonly before: Tip;
  readonly tip: Tip;
  readonly events: readonly Event[];
  readonly commit: GitObject;
  readonly objects: readonly GitObject[];
  readonly blobs: readonly Uint8Array[];
};

type Options = { readonly tx?: string; readonly project?: TreeHead };

export function prepare(tip: Tip, said: readonly Event[], by: TestKey, options: Options = {}): Verdict<Prepared> {
  const events = allCaused(said, tip.state);
  const tx = uuid(`transaction ${tip.kind} ${tip.size}`);
  return prepareTransaction(nodeCrypto, tip, {
    tx,
    events,
    fingerprint: by.fingerprint,
    atSeconds: T0_SECONDS,
    ...options,
  });
}

export function write(before: Tip, events: readonly Event[], by: TestKey, options: Options = {}): Written {
  const tx = uuid(`transaction ${before.kind} ${before.size}`);
  const sealed = sealedOn(before, by, events, { tx, atSeconds: T0_SECONDS, ...options });
  return { before, ...sealed, blobs: sealed.events.map(bytesOf) };
}

/** What a verifier at `before` says to the commit; a changed body gets the name that fits it, as a forger would do. */
export function reread(
  written: Written,
  changes: { body?: Uint8Array; blobs?: readonly Uint8Array[] } = {},
): Verdict<VerifiedCommit> {
  const commit = changes.body === undefined ? written.commit : gitObject(nodeCrypto, 'commit', changes.body);
  const read = readCommit(nodeCrypto, commit);
  if (read.is === 'refused') return read;
  return verifyCommit(nodeCrypto, written.before, read.value, changes.blobs ?? written.blobs);
}

export function writtenProject(roster = castRoster()): Written {
  return write(emptyProject(nodeCrypto), [fact('project.opened', { roster }, CAST.root)], CAST.root);
}

export function writtenMission(project: Tip, by = CAST.gate): Written {
  const head = headOf(project);
  const payload = { grew_from: head, mission_id: MISSION, project_id: project.state!.project_id, proposal: null };
  return write(emptyMission(nodeCrypto, project), [fact('mission.opened', payload, by)], by);
}

export function notes(count: number, from = 0, by = CAST.gate): Event[] {
  return Array.from({ length: count }, (_, i) =>
    fact('note.recorded', { bytes: from + i, digest: DIGEST, media_type: 'text/plain' }, by, {
      entity: uuid(`note ${from + i}`),
    }),
  );
}

/** A tip as plain data: a frontier keeps its hashes to itself. */
export function plain({ frontier, ...tip }: Tip): object {
  return { ...tip, frontier: frontier.hashes(), frontierSize: frontier.size };
}

/** A verifier comes to the very tip that the writer came to. */
export function expectReread(written: Written): void {
  expect(plain(taken(reread(written)).tip)).toEqual(plain(written.tip));
}

export function expectRefused(verdict: Verdict<unknown>, code: string): void {
  expect(verdict).toMatchObject({ is: 'refused', code });
}
