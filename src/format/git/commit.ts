// Git commits as a ledger writes them, byte for byte, and a reader that accepts nothing else.
// Knows no trailer, no key and no roster: what a message says and who signed it is for others to judge.
import { Failure } from '../../failure.ts';
import { concat, fromUtf8, utf8 } from '../bytes.ts';
import { isOid, type Oid } from './object.ts';

type CommitAuthor = { readonly name: string; readonly email: string; readonly atSeconds: number };

export type CommitFields = {
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: CommitAuthor;
  /** Ends in exactly one line feed. */
  readonly message: string;
};

export type ParsedCommit = CommitFields & {
  /** The armored signature, unfolded, as gpg printed it. */
  readonly signature: string;
  /** The bytes that the signature covers, in pieces: only a digest wants them, which needs no copy. */
  readonly payload: readonly Uint8Array[];
};

/** The body of a commit; author and committer are one person at one time, in UTC. Without `signature`: the bytes to sign. */
export function encodeCommit(commit: CommitFields & { readonly signature?: string }): Uint8Array {
  const { tree, parents, author, message, signature } = commit;
  if (!isOid(tree) || !parents.every(isOid)) throw malformed('oid');
  if (!isMessage(message)) throw malformed('message');
  const who = `${author.name} <${author.email}> ${author.atSeconds} +0000`;
  // A line feed in a name would forge further headers under a good signature.
  if (!IDENTITY.test(who)) throw malformed('author');
  let head = `tree ${tree}\n`;
  for (const parent of parents) head += `parent ${parent}\n`;
  head += `author ${who}\ncommitter ${who}\n`;
  if (signature !== undefined) head += signatureHeader(signature);
  return utf8(`${head}\n${message}`);
}

/** The commit whose signed bytes `payload` is: the very same bytes, and the armored signature behind the headers. */
export function signedCommit(payload: Uint8Array, signature: string): Uint8Array {
  let blank = 0;
  while (blank < payload.length && payload[blank] !== LF) blank = nextLine(payload, blank);
  return concat([payload.subarray(0, blank), utf8(signatureHeader(signature)), payload.subarray(blank)]);
}

function signatureHeader(signature: string): string {
  return `gpgsig ${signature.replace(/\n$/, '').replaceAll('\n', '\n ')}\n`;
}

/** What `git verify-commit` hands to gpg: the commit without its gpgsig header, which is the last one. */
function signedPayload(body: Uint8Array, text: string, blank: number): readonly Uint8Array[] {
  // As many characters as bytes: then each is one byte, and stands where its byte does.
  if (text.length === body.length) return [body.subarray(0, text.indexOf('\ngpgsig ') + 1), body.subarray(blank + 1)];
  let start = 0;
  while (!startsWith(body, start, GPGSIG)) start = nextLine(body, start);
  let end = nextLine(body, start);
  while (body[end] === SPACE) end = nextLine(body, end);
  return [body.subarray(0, start), body.subarray(end)];
}

/**
 * Reads a signed ledger commit. Git and gpg ignore or merge what this refuses (a second signature, a mergetag, an
 * encoding, any header of one's own): each of them could carry bytes that one verifier sees and another does not.
 */
export function parseCommit(body: Uint8Array): ParsedCommit {
  const text = strictText(body);
  const blank = text.indexOf('\n\n');
  if (blank < 0) throw malformed('no_message');
  const lines = text.slice(0, blank).split('\n');
  let at = 0;
  const take = (name: string): string | undefined => {
    const line = lines[at];
    if (line === undefined || !line.startsWith(name) || line[name.length] !== ' ') return undefined;
    at += 1;
    return line.slice(name.length + 1);
  };

  const tree = take('tree');
  if (tree === undefined || !isOid(tree)) throw refused(lines[at], 'tree');
  const parents: Oid[] = [];
  for (let parent = take('parent'); parent !== undefined; parent = take('parent')) {
    if (!isOid(parent)) throw malformed('parent');
    parents.push(parent);
  }
  const author = take('author');
  if (author === undefined) throw refused(lines[at], 'author');
  const committer = take('committer');
  if (committer === undefined) throw refused(lines[at], 'committer');
  if (committer !== author) throw malformed('committer_is_not_author');
  const firstLine = take('gpgsig');
  if (firstLine === undefined)
    throw at === lines.length ? new Failure('commit_unsigned') : refused(lines[at], 'gpgsig');
  let signature = `${firstLine}\n`;
  for (let more = take(''); more !== undefined; more = take('')) signature += `${more}\n`;
  if (at < lines.length) throw refused(lines[at], 'blank_line');

  const message = text.slice(blank + 2);
  if (!isMessage(message)) throw malformed('message');
  return {
    tree,
    parents,
    author: parseIdentity(author),
    message,
    signature,
    payload: signedPayload(body, text, blank),
  };
}

// Printable ASCII without angle brackets or outer blanks, no leading zero in a number: one person, one spelling, and no
// table of characters that grows with the runtime.
const IDENTITY = /^([!-;=?-~](?:[ -;=?-~]*[!-;=?-~])?) <([!-;=?-~]+)> (0|[1-9][0-9]{0,14}) \+0000$/;
const GPGSIG = utf8('gpgsig ');
const LF = 10;
const SPACE = 32;

function parseIdentity(line: string): CommitAuthor {
  const [, name, email, at] = IDENTITY.exec(line) ?? [];
  if (name === undefined || email === undefined || at === undefined) throw malformed('author');
  return { name, email, atSeconds: Number(at) };
}

function isMessage(message: string): boolean {
  // C programs stop reading at a NUL: what follows would be signed and yet unseen.
  return message.length > 1 && message.endsWith('\n') && !message.endsWith('\n\n') && !message.includes('\0');
}

function strictText(body: Uint8Array): string {
  try {
    return fromUtf8(body);
  } catch (cause) {
    throw new Failure('commit_malformed', { wrong: 'not_utf8' }, { cause });
  }
}

/** Names what stands where `expected` should. */
function refused(line: string | undefined, expected: string): Failure {
  const name = line?.split(' ', 1)[0] ?? '';
  if (name.startsWith('gpgsig')) return new Failure('commit_second_signature', { header: name });
  if (name === 'mergetag') return new Failure('commit_mergetag');
  if (name === 'encoding') return new Failure('commit_encoding');
  if (['', 'tree', 'parent', 'author', 'committer'].includes(name)) return malformed(`${expected}_expected`);
  return new Failure('commit_unknown_header', { expected });
}

function malformed(wrong: string): Failure {
  return new Failure('commit_malformed', { wrong });
}

function nextLine(body: Uint8Array, at: number): number {
  const lf = body.indexOf(LF, at);
  return lf < 0 ? body.length : lf + 1;
}

function startsWith(body: Uint8Array, at: number, prefix: Uint8Array): boolean {
  for (let i = 0; i < prefix.length; i++) if (body[at + i] !== prefix[i]) return false;
  return true;
}
