// ASCII armor, strictly: one block of one kind, one line width, no armor headers, nothing before or after; of signatures
// the one spelling that we write. Knows nothing of the packets inside. Headers such as Comment are unsigned free text, so
// they are refused.
import { base64, fromBase64 } from '../bytes.ts';
import { Failure } from '../../failure.ts';

export type ArmorKind = 'MESSAGE' | 'SIGNATURE' | 'PUBLIC KEY BLOCK' | 'PRIVATE KEY BLOCK';

const LINE_COLUMNS = 64;
/** RFC 4880 §6.3: no armor line is longer. */
const LINE_COLUMNS_MAX = 76;
const CRC24_TABLE = crc24Table();

/** The one armored spelling of `bytes`: 64 columns, with checksum, ending in a newline. */
export function armor(kind: ArmorKind, bytes: Uint8Array): string {
  const text = base64(bytes);
  let lines = '';
  for (let at = 0; at < text.length; at += LINE_COLUMNS) lines += text.slice(at, at + LINE_COLUMNS) + '\n';
  return `-----BEGIN PGP ${kind}-----\n\n${lines}=${base64(crc24(bytes))}\n-----END PGP ${kind}-----\n`;
}

/**
 * The bytes of the one block in `text`. A wrong checksum is refused; a missing one (RFC 9580) only of a signature, whose
 * armor nobody signs: whoever carries it could spell it anew.
 */
export function dearmor(kind: ArmorKind, text: string): Uint8Array {
  const begin = `-----BEGIN PGP ${kind}-----\n\n`;
  const end = `\n-----END PGP ${kind}-----`;
  const stop = text.endsWith('\n') ? text.length - 1 : text.length;
  if (!text.startsWith(begin)) throw malformed('begin line');
  if (!text.endsWith(end, stop) || stop - end.length < begin.length) throw malformed('end line');
  const lines = text.slice(begin.length, stop - end.length).split('\n');
  const checksum = lines.length > 1 && lines.at(-1)?.startsWith('=') === true ? lines.pop() : undefined;
  refuseRaggedLines(lines);
  if (kind === 'SIGNATURE') refuseOtherSpelling(lines, checksum);
  const bytes = fromBase64(lines.join(''));
  if (bytes === undefined || bytes.length === 0) throw malformed('base64');
  if (checksum !== undefined && checksum !== `=${base64(crc24(bytes))}`) throw malformed('checksum');
  return bytes;
}

// Whitespace and line breaks are not covered by the signature: with free line lengths one signature has endless spellings.
function refuseRaggedLines(lines: readonly string[]): void {
  const columns = lines[0]?.length ?? 0;
  if (columns > LINE_COLUMNS_MAX) throw malformed('line length');
  for (let i = 0; i < lines.length; i++) {
    const { length } = lines[i]!;
    const isLast = i === lines.length - 1;
    if (length === 0 || length > columns || (!isLast && length !== columns)) throw malformed('line length');
  }
}

function refuseOtherSpelling(lines: readonly string[], checksum: string | undefined): void {
  if (checksum === undefined) throw malformed('no checksum');
  if (lines.length > 1 ? lines[0]!.length !== LINE_COLUMNS : lines[0]!.length > LINE_COLUMNS)
    throw malformed('line length');
}

function malformed(what: string): Failure {
  return new Failure('armor_malformed', { what });
}

function crc24(bytes: Uint8Array): Uint8Array {
  let crc = 0xb704ce;
  for (let i = 0; i < bytes.length; i++) crc = ((crc << 8) ^ CRC24_TABLE[((crc >> 16) ^ bytes[i]!) & 0xff]!) & 0xffffff;
  return new Uint8Array([crc >> 16, (crc >> 8) & 0xff, crc & 0xff]);
}

function crc24Table(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << 16;
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ ((crc & 0x800000) !== 0 ? 0x1864cfb : 0);
    return crc & 0xffffff;
  });
}
