// The pin that stands for a verified tip. Knows neither how it was verified nor where pins are kept.
import type { Crypto } from '../format/crypto.ts';
import { LEDGER_FORMAT } from '../kernel/limits.ts';
import { rosterDigest } from '../kernel/roster/roster.ts';
import { headOf, type Tip } from '../ledger/tip.ts';
import type { Pin } from '../ports/pins.ts';

/** `tip`: of a ledger that has begun. */
export function pinOf(crypto: Crypto, tip: Tip, known: Pick<Pin, 'genesis_confirmed' | 'signers'>): Pin {
  const { roster, ledger_id, project_genesis } = tip.state!;
  return {
    ledger_id,
    head: headOf(tip),
    roster: { n: roster.n, digest: rosterDigest(crypto, roster) },
    format: LEDGER_FORMAT,
    project_genesis,
    ...known,
  };
}
