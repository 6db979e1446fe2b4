// Whether this machine and the forge agree about the time: approvals, leases and beacons carry instants, and who is far off
// is refused, or taken for silent.
import { missing, ok, warn, type Finding } from './finding.ts';
import { ofForges } from './forge.ts';
import type { Here } from './here.ts';

/** As stated for machines of one project. */
const SKEW_SECONDS_MAX = 10;
/** Beyond this the ledger itself refuses what is signed here. */
const REFUSED_SECONDS = 300;
const SYNCHRONISE = 'timedatectl set-ntp true';

export function lookAtClock(here: Here): Promise<readonly Finding[]> {
  return ofForges(here, { item: 'clock', title: 'clock' }, async ({ forge, base }, about) => {
    const bench = await here.bench();
    const skew = bench.parts.clock.nowSeconds() - (await forge.nowSeconds());
    const words = `${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} ${base}`;
    if (Math.abs(skew) >= REFUSED_SECONDS) return [missing(about, words, SYNCHRONISE)];
    return [Math.abs(skew) > SKEW_SECONDS_MAX ? warn(about, words, SYNCHRONISE) : ok(about, words)];
  });
}
