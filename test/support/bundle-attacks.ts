// Every forged proof bundle, each with the name of the attack and the reason it must be refused for.
import type { Known } from '../../src/ledger/bundle.ts';
import type { ReasonCode } from '../../src/reasons.ts';
import { edits, PROVED, texts } from './bundle-edits.ts';
import { lies } from './bundle-lies.ts';
import { bundleOf, missionMaterial, world } from './bundles.ts';

export type Attack = {
  readonly name: string;
  readonly refusedFor: ReasonCode;
  readonly bytes: Uint8Array;
  /** What the checker knows; nothing, unless the attack can be seen no other way. */
  readonly known?: Known;
};

export function attacks(): Attack[] {
  const own = world();
  const honest = bundleOf(missionMaterial(own, PROVED));
  const genesis = own.project.tip.state!.project_genesis.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  const other: Attack = {
    name: 'it grew from another genesis than the pinned one',
    refusedFor: 'genesis_mismatch',
    bytes: honest,
    known: { genesis },
  };
  return [...edits(honest), ...texts(honest), ...lies(), other];
}
