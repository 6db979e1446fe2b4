// A person at a clone: a workbench over a real repository, keys for artifacts in a folder of their own, and the few
// things that tests about a mission do again and again.
import { onTestFinished } from 'vitest';
import { aesCipher } from '../../src/adapters/artifacts/aes-cipher.ts';
import { keyFiles } from '../../src/adapters/artifacts/key-files.ts';
import { openRemote } from '../../src/adapters/git-remote/open-remote.ts';
import { openRepository, type OpenOptions } from '../../src/adapters/git/repository.ts';
import { addArtifact, type Added, type NewArtifact } from '../../src/app/artifacts/add.ts';
import { eraseArtifact, type Erased } from '../../src/app/artifacts/erase.ts';
import { openArtifact } from '../../src/app/artifacts/open.ts';
import { findRecorded, recordedArtifacts } from '../../src/app/artifacts/recorded.ts';
import type { LedgerSession } from '../../src/app/ledger-session.ts';
import { fromUtf8, utf8 } from '../../src/format/bytes.ts';
import type { Workbench, WorkbenchParts } from '../../src/app/workbench.ts';
import { artifactsRef, ledgerName } from '../../src/ledger/names.ts';
import type { ArtifactKit } from '../../src/ports/artifacts.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Remote } from '../../src/ports/remote.ts';
import type { Repository } from '../../src/ports/repository.ts';
import { ANA, BEN, GUS, member, type TestKey } from './people.ts';
import { scratch, scratchRepository } from './repos.ts';
import { taken } from './taken.ts';
import { aMission, benchOver, foundProject } from './workbench.ts';

export type Desk = {
  readonly folder: string;
  readonly bench: Workbench;
  readonly kit: ArtifactKit;
  readonly keyFolder: string;
  readonly session: (ref: string, key?: TestKey) => Promise<LedgerSession>;
  readonly add: (
    ref: string,
    content: string | Uint8Array,
    options?: Partial<NewArtifact> & { key?: TestKey },
  ) => Promise<Added>;
  readonly show: (ref: string, digest: string) => Promise<string>;
  readonly erase: (ref: string, digest: string, key?: TestKey) => Promise<Erased>;
};

export type Seat = OpenOptions & {
  readonly folder?: string;
  readonly remote?: string;
  readonly keyFolder?: string;
  /** Puts something between the workbench and its repository. */
  readonly wrap?: (repository: Repository) => Repository;
  /** The same between it and its remote. */
  readonly wrapRemote?: (remote: Remote) => Remote;
  readonly clock?: Clock;
  /** Further parts of the workbench. */
  readonly parts?: Partial<WorkbenchParts>;
};

export async function desk(seat: Seat = {}): Promise<Desk> {
  const {
    folder = scratchRepository(),
    remote,
    keyFolder = scratch('keys'),
    wrap = (one) => one,
    wrapRemote = (one) => one,
    clock,
    parts,
    ...options
  } = seat;
  const repository = wrap(await openRepository(folder, options));
  const where = remote === undefined ? undefined : { url: remote };
  const bench = benchOver(repository, {
    remote: where === undefined ? undefined : wrapRemote(await openRemote({ repository, cwd: folder, where, env: {} })),
    ...(clock && { clock }),
    ...parts,
  });
  onTestFinished(() => bench.close());
  const kit = { cipher: aesCipher, keys: keyFiles(keyFolder) };
  const session = async (ref: string, key = ANA): Promise<LedgerSession> => bench.open(ref, key);
  return {
    folder,
    bench,
    kit,
    keyFolder,
    session,
    add: async (ref, content, { key, ...rest } = {}) => {
      const wanted = {
        content: typeof content === 'string' ? utf8(content) : content,
        mediaType: 'text/plain',
        isEncrypted: false,
        isNote: false,
        ...rest,
      };
      return taken(await addArtifact(bench, await session(ref, key), kit, wanted));
    },
    show: async (ref, digest) => fromUtf8((await openArtifact(bench, kit, ref, digest)).content),
    erase: async (ref, digest, key) => {
      const artifact = findRecorded(await recordedArtifacts(bench, ref), digest, ref);
      const wanted = { ref, artifact, because: 'personal_data' };
      return taken(await eraseArtifact(bench, () => session(ref, key), kit, wanted));
    },
  };
}

/** Begins a project of ana and ben (and gus, who is a runner only), and a mission in it. Returns the mission's reference. */
export async function begin({ bench }: Desk): Promise<string> {
  await foundProject(bench, [member(ANA), member(BEN), member(GUS, { roles: ['runner'] })]);
  return aMission(bench);
}

export async function begun(seat: Seat = {}): Promise<Desk & { readonly ref: string; readonly shelf: string }> {
  const made = await desk(seat);
  const ref = await begin(made);
  return { ...made, ref, shelf: artifactsRef(ledgerName(ref)) };
}
