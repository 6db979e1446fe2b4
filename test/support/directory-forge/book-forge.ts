// A forge without a server, over a shelf of documents and somebody's git: what a team sees of it, for tests that need no
// real one. Its rules bind what goes through the port; nobody guards the repositories themselves.
import { utf8 } from '../../../src/format/bytes.ts';
import type { Crypto } from '../../../src/format/crypto.ts';
import { dearmor } from '../../../src/format/openpgp/armor.ts';
import { parsePublicKey } from '../../../src/format/openpgp/public-key.ts';
import { parseSignature, verifySignature } from '../../../src/format/openpgp/signature.ts';
import { Failure } from '../../../src/failure.ts';
import type {
  Forge,
  ForgeKind,
  ForgeUser,
  PublicKeyRequest,
  RepositoryName,
  Review,
} from '../../../src/ports/forge.ts';
import { addIssue, bookRepository, recordOf } from './book-repository.ts';
import { openBook, type Book } from './open-book.ts';
import {
  EMPTY_PEOPLE,
  emptyRepository,
  fullName,
  peopleBookSchema,
  repositoryBookSchema,
  type BookGit,
  type RepositoryBook,
  type Shelf,
} from './records.ts';

export type BookForgeOptions = {
  readonly kind: ForgeKind;
  readonly displayUrl: string;
  readonly shelf: Shelf;
  readonly git: (name: RepositoryName) => BookGit;
  readonly crypto: Crypto;
  /** Who is asking. */
  readonly login: string;
};

/** What people do on the pages of a forge that has pages. */
export type ByHand = {
  fileIssue(repository: RepositoryName, issue: { readonly title: string; readonly body: string }): Promise<number>;
  /** By anybody who may write. */
  editIssue(repository: RepositoryName, number: number, body: string): Promise<void>;
  /** A pull request can be closed like an issue. */
  closeIssue(repository: RepositoryName, number: number): Promise<void>;
  deleteComment(repository: RepositoryName, id: number): Promise<void>;
  deleteIssue(repository: RepositoryName, number: number): Promise<void>;
  /** By who administers the repository. */
  pinIssue(repository: RepositoryName, number: number): Promise<void>;
  reviewPullRequest(repository: RepositoryName, number: number, says: Review['says']): Promise<void>;
  /** Nothing becomes of its branches; issues that it closes are closed, as a forge does. */
  mergePullRequest(repository: RepositoryName, number: number): Promise<void>;
};

const PEOPLE = 'people';
const CHALLENGE_BYTES = 20;

export function createBookForge(options: BookForgeOptions): Forge & ByHand {
  const { shelf, crypto } = options;
  const people = openBook(shelf, PEOPLE, peopleBookSchema, EMPTY_PEOPLE);

  const me = async (): Promise<ForgeUser> =>
    people.write(({ users }) => {
      const known = users.find(({ login }) => sameName(login, options.login));
      if (known !== undefined) return known;
      const added = { id: users.length + 1, login: options.login };
      users.push(added);
      return added;
    });
  const bookOf = (name: RepositoryName): Book<RepositoryBook> =>
    openBook(shelf, fullName(usable(name)), repositoryBookSchema);
  const repository = (name: RepositoryName) =>
    bookRepository({ name, book: bookOf(name), git: options.git(usable(name)), me });

  return {
    displayUrl: options.displayUrl,
    probe: async () => options.kind,
    whoami: me,
    scopes: async () => undefined,
    nowSeconds: async () => Math.floor(Date.now() / 1000),
    user: async (login) => (await people.look())?.users.find((one) => sameName(one.login, login)),
    repository,
    createRepository: async (name, { isPrivate }) => {
      const key = fullName(usable(name));
      const id = await people.write(({ repositories }) => {
        if (repositories.some((one) => sameName(one, key))) throw new Failure('forge_exists', { repository: key });
        return repositories.push(key);
      });
      await options.git(name).create();
      await shelf.change(key, () => ({ next: emptyRepository(id, isPrivate), result: undefined }));
      const made = await repository(name).facts();
      if (made === undefined) throw new Failure('forge_not_found', { repository: fullName(name) });
      return made;
    },
    registerPublicKey: async (key) => {
      const { id } = await me();
      const challenge = crypto.hash('sha256', utf8(`${options.displayUrl} ${id} ${key.fingerprint}`));
      await requireSigned(crypto, key, challenge.subarray(0, CHALLENGE_BYTES));
      return people.write(({ keys }) => {
        const known = keys.find(({ fingerprint }) => fingerprint === key.fingerprint);
        if (known !== undefined && known.userId !== id)
          throw new Failure('forge_key_refused', { key: key.fingerprint, why: 'another account has it' });
        if (known !== undefined) return 'present';
        keys.push({ fingerprint: key.fingerprint, userId: id });
        return 'registered';
      });
    },
    hasPublicKey: async (fingerprint) => {
      const { id } = await me();
      return (await people.look())?.keys.some((one) => one.fingerprint === fingerprint && one.userId === id) ?? false;
    },

    fileIssue: async (name, { title, body }) => {
      const author = await me();
      return bookOf(name).write((copy) => addIssue(copy, { author, title, body, pull: null }).number);
    },
    editIssue: async (name, number, body) =>
      bookOf(name).write((copy) => {
        const record = recordOf(copy, number);
        Object.assign(record, { body, isAsFiled: false, edits: record.edits + 1 });
      }),
    closeIssue: async (name, number) =>
      bookOf(name).write((copy) => {
        recordOf(copy, number).isOpen = false;
      }),
    deleteIssue: async (name, number) =>
      bookOf(name).write((copy) => {
        copy.issues = copy.issues.filter((one) => one.number !== number);
      }),
    pinIssue: async (name, number) =>
      bookOf(name).write((copy) => {
        recordOf(copy, number).isPinned = true;
      }),
    reviewPullRequest: async (name, number, says) => {
      const by = await me();
      await bookOf(name).write((copy) => void recordOf(copy, number).pull!.reviews.push({ by, says }));
    },
    mergePullRequest: async (name, number) => {
      const mergedBy = await me();
      await bookOf(name).write((copy) => {
        const record = recordOf(copy, number);
        record.isOpen = false;
        Object.assign(record.pull!, { isMerged: true, mergedBy });
        for (const [, closed] of record.body.matchAll(/\bCloses #(\d+)/g))
          recordOf(copy, Number(closed)).isOpen = false;
      });
    },
    deleteComment: async (name, id) =>
      bookOf(name).write((copy) => {
        copy.comments = copy.comments.filter((one) => one.id !== id);
      }),
  };
}

async function requireSigned(crypto: Crypto, key: PublicKeyRequest, challenge: Uint8Array): Promise<void> {
  const refused = (why: string): Failure => new Failure('forge_key_refused', { key: key.fingerprint, why });
  const publicKey = parsePublicKey(dearmor('PUBLIC KEY BLOCK', key.armored), crypto);
  if (publicKey.fingerprint !== key.fingerprint) throw refused('the key has another fingerprint');
  const signature = parseSignature(dearmor('SIGNATURE', await key.sign(challenge)));
  const wrong = verifySignature(crypto, signature, publicKey.ed25519, publicKey.fingerprint, challenge);
  if (wrong !== undefined) throw refused(wrong);
}

/** A name becomes part of a path: nothing in it may lead elsewhere. */
function usable(name: RepositoryName): RepositoryName {
  for (const part of [name.owner, name.name]) {
    if (!/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$/.test(part) || part.endsWith('.git') || part.endsWith('.'))
      throw new Failure('forge_not_found', { why: 'no name of a repository' });
  }
  return name;
}

function sameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
