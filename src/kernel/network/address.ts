// Addresses as numbers: read in one spelling only, compared with ranges, and sorted into those that anybody may dial, those
// that only a named range opens, and those that nothing opens. Resolves nothing.

export type Address = { readonly version: 4 | 6; readonly value: bigint };
type Kind = 'public' | 'not_public' | 'never';

/** Undefined for every spelling but the plain one: `0x7f.1`, `127.1` and `010.0.0.1` mean different things to different programs. */
export function readAddress(text: string): Address | undefined {
  return text.includes(':') ? readSix(text) : readFour(text);
}

export function kindOf(address: Address): Kind {
  const inner = fourWithin(address);
  if (inner !== undefined) return kindOf(inner);
  const lies = (ranges: readonly Range[]): boolean => ranges.some((range) => contains(range, address));
  if (lies(NEVER)) return 'never';
  if (address.version === 6 && !contains(GLOBAL_UNICAST, address)) return 'not_public';
  return lies(NOT_PUBLIC) ? 'not_public' : 'public';
}

/** `range` as policy has it, `10.1.0.0/16`. One of version 4 also holds addresses of version 6 that stand for its own. */
export function isWithin(range: string, address: Address): boolean {
  const read = readRange(range);
  if (read === undefined) return false;
  const inner = fourWithin(address);
  return contains(read, address) || (inner !== undefined && contains(read, inner));
}

type Range = Address & { readonly bits: number };

function contains(range: Range, address: Address): boolean {
  if (range.version !== address.version) return false;
  const rest = BigInt((range.version === 4 ? 32 : 128) - range.bits);
  return range.value >> rest === address.value >> rest;
}

/** `::ffff:10.0.0.1` and NAT64 lead to an address of version 4, so they are what that one is. */
function fourWithin({ version, value }: Address): Address | undefined {
  if (version === 4) return undefined;
  const holds = [MAPPED, TRANSLATED].some((range) => contains(range, { version, value }));
  return holds ? { version: 4, value: value & 0xffff_ffffn } : undefined;
}

function readFour(text: string): Address | undefined {
  const parts = text.split('.');
  const isPlain = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return isPlain ? { version: 4, value: parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n) } : undefined;
}

const GROUPS = 8;

function readSix(text: string): Address | undefined {
  const dotted = /^(.*:)(\d[\d.]*)$/.exec(text);
  const four = dotted === null || !dotted[2]!.includes('.') ? undefined : readFour(dotted[2]!);
  if (dotted?.[2]!.includes('.') === true && four === undefined) return undefined;
  const plain =
    four === undefined
      ? text
      : `${dotted![1]!}${(four.value >> 16n).toString(16)}:${(four.value & 0xffffn).toString(16)}`;
  const halves = plain.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const given = halves.flat();
  const [before = [], after] = halves;
  if (halves.length > 2 || !given.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  if (after === undefined ? given.length !== GROUPS : given.length >= GROUPS) return undefined;
  const zeros = Array.from({ length: GROUPS - given.length }, () => '0');
  const groups = [...before, ...zeros, ...(after ?? [])];
  return { version: 6, value: groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n) };
}

function readRange(text: string): Range | undefined {
  const [first = '', bits = ''] = text.split('/');
  const address = readAddress(first);
  return address === undefined || !/^\d{1,3}$/.test(bits) ? undefined : { ...address, bits: Number(bits) };
}

function ranges(text: string): readonly Range[] {
  return text.split(/\s+/).map((range) => readRange(range)!);
}

const [MAPPED, TRANSLATED, GLOBAL_UNICAST] = ranges('::ffff:0:0/96 64:ff9b::/96 2000::/3') as [Range, Range, Range];

// Where clouds tell a machine its own credentials, and addresses that mean "this machine" or "everybody". No range in a
// policy is a reason to let an agent ask them.
const NEVER = ranges(
  '0.0.0.0/8 169.254.0.0/16 224.0.0.0/4 240.0.0.0/4 100.100.100.200/32 192.0.0.192/32 168.63.129.16/32 ' +
    '::/128 fe80::/10 ff00::/8 fd00:ec2::254/128 fd20:ce::254/128 fd00:42::42/128',
);

// The registries of special-purpose addresses; of version 6 also tunnels, which lead wherever their sender likes.
const NOT_PUBLIC = ranges(
  '10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 ' +
    '192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 ' +
    '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20',
);
