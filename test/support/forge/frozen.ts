// The golden and the forged ledgers as they were made once, so that no later change of the code can change them
// unnoticed: two git bundles, the name of every head, and the signature that stock gpg made.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import type { Oid } from '../../../src/format/git/object.ts';
import { fromUtf8, utf8 } from '../../../src/format/bytes.ts';
import { armor, dearmor } from '../../../src/format/openpgp/armor.ts';
import { T0_SECONDS } from '../events.ts';
import { git } from '../repos.ts';
import type { Attack, Forgery } from './attack.ts';
import { KEY } from './cast.ts';
import { buildGolden, LEDGER_REF, type Golden } from './golden.ts';
import { signWithGpg } from './gpg-signature.ts';

const FOLDER = new URL('../../vectors/format-1/', import.meta.url).pathname;
const GOLDEN_BUNDLE = join(FOLDER, 'golden.bundle');
const FORGED_BUNDLE = join(FOLDER, 'forged.bundle');
const HEADS = join(FOLDER, 'heads.json');
const GPG_SIGNATURE = join(FOLDER, 'gpg-signature.asc');
/** The mission that gpg signs in has one event before. */
const GPG_SIGNED_AT_SECONDS = T0_SECONDS + 1;

type Words = keyof typeof LEDGER_REF;
export type Heads = { readonly golden: Readonly<Record<Words, Oid>>; readonly forged: Readonly<Record<string, Oid>> };

export function frozenHeads(): Heads {
  return JSON.parse(readFileSync(HEADS, 'utf8')) as Heads;
}

/** Builds the golden ledgers anew; only gpg's signature is taken from the vectors. */
export function rebuiltGolden(): Golden {
  const signature = dearmor('SIGNATURE', fromUtf8(readFileSync(GPG_SIGNATURE)));
  return buildGolden(() => signature);
}

/** Unpacks both bundles into a bare repository at `folder`. */
export function thaw(folder: string): void {
  git(folder, ['init', '-q', '--bare', '.']);
  for (const bundle of [GOLDEN_BUNDLE, FORGED_BUNDLE]) git(folder, ['fetch', '-q', bundle, 'refs/*:refs/vectors/*']);
}

/** A bare repository with these heads and, borrowed, every object of `store`; written out, because hundreds are made. */
export function ledgerRepository(folder: string, store: string, heads: Readonly<Partial<Record<Words, Oid>>>): void {
  for (const path of ['objects/info', 'objects/pack', 'refs/heads/lazarus'])
    mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
  writeFileSync(join(folder, 'objects/info/alternates'), `${join(store, 'objects')}\n`);
  for (const [word, oid] of Object.entries(heads)) writeFileSync(join(folder, LEDGER_REF[word as Words]), `${oid}\n`);
}

/** Writes the vectors anew, with the help of gpg. `store` is an empty folder to make them in. */
export async function freeze(store: string, attacks: readonly Attack[]): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  signWithStockGpg();
  const golden = rebuiltGolden();
  const forged = attacks.map((attack) => [attack.name, attack.forge(golden)] as const);
  git(store, ['init', '-q', '--bare', '.']);
  const repository = await openRepository(store);
  const goldenRefs = Object.entries(LEDGER_REF).map(([word, ref]) => ({
    ref,
    next: golden[word as Words].tip.oid!,
    old: undefined,
  }));
  const forgedRefs = forged.flatMap(([name, forgery]) => refsOf(name, forgery));
  await repository.commit({ objects: [...golden.bench.objects.values()], updates: [...goldenRefs, ...forgedRefs] });
  await repository.close();
  const heads: Heads = {
    golden: Object.fromEntries(
      Object.keys(LEDGER_REF).map((word) => [word, golden[word as Words].tip.oid!]),
    ) as Heads['golden'],
    forged: Object.fromEntries(forged.map(([name, { head }]) => [name, head])),
  };
  const known = goldenRefs.map(({ next }) => `^${next}`);
  git(store, ['repack', '-adfq', '--depth=250', '--window=250']);
  git(store, ['bundle', 'create', '-q', GOLDEN_BUNDLE, '--stdin'], goldenRefs.map(({ ref }) => `${ref}\n`).join(''));
  const wanted = forgedRefs.filter(({ ref }) => git(store, ['rev-list', '-1', ref, ...known]) !== '');
  git(
    store,
    ['bundle', 'create', '-q', FORGED_BUNDLE, '--stdin'],
    [...wanted.map(({ ref }) => ref), ...known, ''].join('\n'),
  );
  writeFileSync(HEADS, `${JSON.stringify(heads, undefined, 2)}\n`);
}

function refsOf(name: string, { head, good, also = [] }: Forgery) {
  const oids = [head, good.oid!, ...also];
  return oids.map((next, i) => ({ ref: `refs/forged/${name}/${i}`, next, old: undefined }));
}

function signWithStockGpg(): void {
  buildGolden((payload) => {
    const packet = signWithGpg(KEY.sam, 'sam', payload, GPG_SIGNED_AT_SECONDS);
    writeFileSync(GPG_SIGNATURE, utf8(armor('SIGNATURE', packet)));
    return packet;
  });
}
