// A proof bundle as a forger makes it: with everything a bundle must show, from whatever ledger, without asking whether
// that ledger verifies.
import { utf8 } from '../../../src/format/bytes.ts';
import { leafHash } from '../../../src/format/merkle.ts';
import type { Oid } from '../../../src/format/git/object.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { ESSENTIAL } from '../../../src/ledger/bundle-commits.ts';
import { writeBundle, type Extract, type Extracts } from '../../../src/ledger/bundle-write.ts';
import type { EventType } from '../../../src/kernel/event.ts';
import { taken } from '../taken.ts';
import type { Forgery } from './attack.ts';
import type { Shown, Workshop } from './workshop.ts';

type Commit = Shown & { readonly oid: Oid; readonly prevSize: number };

/** Proves the first event of the newest transaction. */
export function proofOf(bench: Workshop, { head, good, leavesOut = [] }: Forgery): Uint8Array {
  const all = commitsUpTo(bench, head);
  const kind = all.at(-1)!.kind;
  const own = all.filter((commit) => commit.kind === kind);
  const project = kind === 'project' ? [] : all.filter((commit) => commit.kind === 'project');
  const goodAt = own.findIndex(({ oid }) => oid === good.oid);
  const mustShow = ({ oid }: Commit, i: number): boolean =>
    !leavesOut.includes(oid) && (i === own.length - 1 || (goodAt >= 0 && i >= goodAt));
  const made = writeBundle(nodeCrypto, {
    claim: { is: 'event', index: own.at(-1)!.prevSize },
    ledger: extracts(
      bench,
      own,
      (commit, i) => mustShow(commit, i) || (!leavesOut.includes(commit.oid) && isEssential(commit)),
    ),
    ...(project.length > 0 && {
      project: extracts(bench, project, (commit, i) => i === project.length - 1 || isEssential(commit)),
    }),
  });
  return taken(made);
}

/** Oldest first, along what each commit says it continues. */
function commitsUpTo(bench: Workshop, head: Oid): Commit[] {
  const found: (Shown & { oid: Oid })[] = [];
  for (let oid: Oid | undefined = head; oid !== undefined; oid = found.at(-1)!.before) {
    const shown = bench.shown.get(oid);
    if (shown === undefined) throw new Error(`nobody made the commit ${oid}`);
    found.push({ ...shown, oid });
  }
  const sizes = { project: 0, mission: 0 };
  return found.reverse().map((commit) => {
    const prevSize = sizes[commit.kind];
    sizes[commit.kind] += commit.blobs.length;
    return { ...commit, prevSize };
  });
}

function extracts(
  bench: Workshop,
  commits: readonly Commit[],
  isShown: (commit: Commit, i: number) => boolean,
): Extracts {
  const transactions = commits.filter(isShown).map(({ oid, prevSize, blobs }): Extract => ({
    commit: bench.objects.get(oid)!.body,
    prevSize,
    size: prevSize + blobs.length,
    events: blobs.map((blob, i) => ({ index: prevSize + i, bytes: legible(blob) })),
  }));
  return { leaves: commits.flatMap(({ blobs }) => blobs.map((blob) => leafHash(nodeCrypto, blob))), transactions };
}

/** A bundle is text: bytes that are no text cannot be shown as they are. */
function legible(blob: Uint8Array): Uint8Array {
  return utf8(new TextDecoder('utf-8', { ignoreBOM: true }).decode(blob));
}

function isEssential({ blobs }: Commit): boolean {
  return blobs.some((blob) => {
    const type = /"event_type":"([^"]*)"/.exec(new TextDecoder().decode(blob))?.[1];
    return ESSENTIAL.has(type as EventType);
  });
}
