// The first line of a file that a set-up writes and nobody is to change by hand: which lazarus wrote it, and a digest of the
// lines below, so that any other one can tell whether people changed them since. It is no proof: whoever may write the file
// can write the line as well, so that it may cost somebody's changes and never earns trust.
import { hex, utf8 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';

export type Mark = {
  /** Of the lazarus that wrote it; undefined of one from before there were marks. */
  readonly version: string | undefined;
  /** Nobody has changed the lines below. */
  readonly isIntact: boolean;
};

const MARK =
  /^# Written by lazarus (\d{1,6}\.\d{1,6}\.\d{1,6}[\w.+-]{0,40}) \(sha256 ([0-9a-f]{32}) of the lines below\)\..*$/;

export function marked(crypto: Crypto, version: string, lines: string): string {
  const says = 'What people change here stays: `lazarus init` names it, and leaves it alone.';
  return `# Written by lazarus ${version} (sha256 ${digestOf(crypto, lines)} of the lines below). ${says}\n${lines}`;
}

/** Undefined where no set-up wrote it. */
export function markOf(crypto: Crypto, text: string): Mark | undefined {
  const [, version, digest] = MARK.exec(text.split('\n', 1)[0]!) ?? [];
  if (version !== undefined) return { version, isIntact: digestOf(crypto, unmarked(text)) === digest };
  return UNMARKED.has(digestOf(crypto, withoutPin(text)).slice(0, 16))
    ? { version: undefined, isIntact: true }
    : undefined;
}

/** What stands below the mark; a text without one is all of that. */
export function unmarked(text: string): string {
  const [first] = text.split('\n', 1);
  return MARK.test(first!) ? text.slice(first!.length + 1) : text;
}

/** What stands behind a version's number for builds of it is nobody's business here. */
export function isNewer(version: string, than: string): boolean {
  const [a, b] = [version, than].map((one) => one.split('.').map((part) => Number.parseInt(part, 10)));
  const at = [0, 1, 2].find((i) => a![i] !== b![i]);
  return at !== undefined && a![at]! > b![at]!;
}

function digestOf(crypto: Crypto, lines: string): string {
  return hex(crypto.hash('sha256', utf8(lines))).slice(0, 32);
}

/** Which action and which project: what differs between two set-ups by one version. */
function withoutPin(text: string): string {
  return text
    .replaceAll(/^( +uses: )https?:\/\/\S+@[0-9a-f]{40}$/gm, '$1PIN')
    .replaceAll(/^( +genesis: )sha256:[0-9a-f]{64}$/gm, '$1GENESIS');
}

/** Digests of all that set-ups wrote before there were marks, without their pins. No version adds to them. */
const UNMARKED: ReadonlySet<string> = new Set(
  `
  3083b08806a751f7 33045adfa48860d8
  cbda6b648102e429 1f9ede5ad1edd761 4a38671e304ef059
  65ccf97dfa268d76 ebb951ae96e132c7 37235da976592587 6a104e39db1b51e1
  e114d034a5cd5290 be764ac8e5a542e7 3ca721ad0e0da8a2 aa5e661e0537999b
  6556ad62c7cc9072 dfa709fc7b293ff8 68ebfc59eda18613 7fbccf17a91111af
  c848d35473f4dfb6 51db6060ac4b1f2b 745ee0658b3e68a6 62d66e4b50ca6c61
`.match(/\S+/g),
);
