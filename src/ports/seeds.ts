// What lazarus asks of whoever keeps the keys of seeds: a fresh one for one participant of one cell, never written down,
// reachable by that seed's own listener only.
import type { Signer } from './keys.ts';

export interface SeedKeys {
  newSeedKey(seedName: string, atSeconds: number): Promise<Signer>;
}
