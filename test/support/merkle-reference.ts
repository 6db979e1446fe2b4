// RFC 6962 once more, as the RFC words it and as slowly as it likes: what the fast code is compared with.
import { createHash } from 'node:crypto';

/** The eight leaves used by the test suites of Certificate Transparency logs, in hex. */
export const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];

/** Their roots at sizes 0 to 8, as published with those suites. */
export const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

/** MTH(D[n]) of section 2.1. */
export function definedRoot(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0]!;
  const k = split(leaves.length);
  return sha256(Uint8Array.of(1), definedRoot(leaves.slice(0, k)), definedRoot(leaves.slice(k)));
}

/** PATH(m, D[n]) of section 2.1.1. */
export function definedPath(m: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return [];
  const k = split(leaves.length);
  return m < k
    ? [...definedPath(m, leaves.slice(0, k)), definedRoot(leaves.slice(k))]
    : [...definedPath(m - k, leaves.slice(k)), definedRoot(leaves.slice(0, k))];
}

/** PROOF(m, D[n]) of section 2.1.2. */
export function definedProof(m: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  return definedSubproof(m, leaves, true);
}

function definedSubproof(m: number, leaves: readonly Uint8Array[], complete: boolean): Uint8Array[] {
  if (m === leaves.length) return complete ? [] : [definedRoot(leaves)];
  const k = split(leaves.length);
  return m <= k
    ? [...definedSubproof(m, leaves.slice(0, k), complete), definedRoot(leaves.slice(k))]
    : [...definedSubproof(m - k, leaves.slice(k), false), definedRoot(leaves.slice(0, k))];
}

function split(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

function sha256(...parts: Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}
