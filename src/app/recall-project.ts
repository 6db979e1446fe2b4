// A job begins with nothing, and a project is long: what the same key verified of it before lies on the forge, under that
// key's signature. Takes it up as a clone takes up what it kept itself. Whatever is wrong with it costs time, and is not told.
import type { Crypto } from '../format/crypto.ts';
import type { Oid } from '../format/git/object.ts';
import { fromUtf8 } from '../format/bytes.ts';
import { Failure } from '../failure.ts';
import { FETCHED_REFS, ledgerName, PROJECT_REF } from '../ledger/names.ts';
import { KNOWN_BYTES_MAX, KNOWN_SIGNATURE_BYTES_MAX, readKnown, type Known, type OwnKey } from '../ledger/known.ts';
import type { Folds, KeptFold } from '../ports/folds.ts';
import type { Pin } from '../ports/pins.ts';
import type { Remote } from '../ports/remote.ts';
import type { Repository } from '../ports/repository.ts';
import { bytesAt, entryAt } from './tree-entry.ts';

/** Files of the commit; the pages lie two folders deep, where a fetch of what is above leaves them out. */
export const KNOWN_FILES = { known: 'known.json', signature: 'signature', pages: 'pages/all' } as const;
/** Of the commit and of its parent, the head that verifying begins at: their folders, and none of the pages. */
const KNOWN_PART = { commitsMax: 2, treeDepth: 3 } as const;

export type Recalled = {
  readonly pin: Pin;
  readonly folds: Pick<Folds, 'read'>;
  /** The head that verifying begins at. */
  readonly from: Oid;
};

type Reading = {
  readonly repository: Repository;
  readonly remote: Remote;
  /** Comes back when whoever asks for several things at once has asked for all of them. */
  readonly soon: () => Promise<void>;
};
type World = Reading & { readonly crypto: Crypto };

type Left = {
  /** What the reference of this key names. */
  readonly commit: Oid;
  readonly own: OwnKey;
  /** Of the project that somebody outside named: one key may serve several, and whoever can push can bring here what it left in another. */
  readonly genesis: string;
};

/** Fetched here as far as it is needed. */
export async function recallProject(world: World, left: Left): Promise<Recalled | undefined> {
  const { commit } = left;
  const { crypto, remote, repository } = world;
  try {
    await remote.fetchPart({ wants: [commit], ...KNOWN_PART }, FETCHED_REFS);
    const known = await knownAt(crypto, repository, left);
    const from = known?.pin.head.oid;
    if (known === undefined || from === undefined || (await repository.sizes([from]))[0] === undefined)
      return undefined;
    return { pin: known.pin, folds: foldsAt(world, commit, known), from };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Of a commit whose files are here; undefined where this key has not signed them, or of another project. */
export async function knownAt(
  crypto: Crypto,
  repository: Repository,
  { commit, own, genesis }: Left,
): Promise<Known | undefined> {
  const bytes = await bytesAt(repository, commit, KNOWN_FILES.known, KNOWN_BYTES_MAX);
  const signature = await bytesAt(repository, commit, KNOWN_FILES.signature, KNOWN_SIGNATURE_BYTES_MAX);
  if (bytes === undefined || signature === undefined) return undefined;
  const known = readKnown(crypto, own, { bytes, signature });
  return known?.pin.project_genesis === genesis ? known : undefined;
}

export function foldsAt({ remote, repository, soon }: Reading, commit: Oid, known: Known): Pick<Folds, 'read'> {
  const bring = together(soon, (wants) => remote.fetchPart({ wants, treeDepth: 0 }, FETCHED_REFS));
  return {
    read: async (ledger, name): Promise<KeptFold | undefined> => {
      if (ledger !== ledgerName(PROJECT_REF)) return undefined;
      const fold = known.folds[name];
      if (fold !== undefined) return fold;
      try {
        const path = `${KNOWN_FILES.pages}/${name}`;
        const page = await entryAt(repository, commit, path);
        if (page?.is !== 'file') return undefined;
        if ((await repository.sizes([page.oid]))[0] === undefined) await bring(page.oid);
        // Whoever asks holds it against what was signed.
        const { head, format } = known.pin;
        const bytes = await bytesAt(repository, commit, path, KNOWN_BYTES_MAX);
        return bytes && { version: 0, format, head, value: JSON.parse(fromUtf8(bytes)) as unknown };
      } catch (error) {
        if (error instanceof Failure || error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
  };
}

/** What is asked for in one breath is brought with one question. */
function together(soon: Reading['soon'], bring: (wants: readonly Oid[]) => Promise<void>): (oid: Oid) => Promise<void> {
  let asked: { readonly wants: Set<Oid>; readonly answer: Promise<void> } | undefined;
  return (oid) => {
    if (asked === undefined) {
      const wants = new Set<Oid>();
      const answer = soon().then(() => {
        asked = undefined;
        return bring([...wants]);
      });
      asked = { wants, answer };
    }
    asked.wants.add(oid);
    return asked.answer;
  };
}
