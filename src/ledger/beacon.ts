// A beacon: whoever holds the lease of an attempt says that it is still at work, signed and numbered, beside the ledger. That
// there is none proves nothing.
import { z } from 'zod';
import { Instant, Uuid } from '../kernel/values.ts';
import { SEAL, type SaidKind } from './said.ts';
import { whoEverSigned } from './who-signed.ts';

const Beacon = z.lazy(() =>
  z.strictObject({
    ...SEAL,
    at: Instant,
    attempt: Uuid,
    fence: z.int().min(1),
    mission: Uuid,
    no: z.int().min(1),
  }),
);
export type Beacon = z.infer<typeof Beacon>;

export const BEACON: SaidKind<Beacon> = {
  name: 'beacon',
  purpose: 'beacon',
  schema: Beacon,
  // Whoever has a key that the roster has ended meanwhile can hand nothing over any more, and falls silent like any other.
  whose: whoEverSigned,
};
