// Work that came too late to be handed over: whoever held the lease of its attempt says which commit that was, signed, beside
// the ledger. Its signer can invent all of it; nothing rests on it.
import { z } from 'zod';
import { Instant, ObjectName, Uuid } from '../kernel/values.ts';
import { SEAL, type SaidKind } from './said.ts';
import { whoSigned } from './who-signed.ts';

const LateWork = z.lazy(() =>
  z.strictObject({
    ...SEAL,
    at: Instant,
    attempt: Uuid,
    base: ObjectName,
    commit: ObjectName,
    fence: z.int().min(1),
    mission: Uuid,
  }),
);

export const LATE_WORK: SaidKind<z.infer<typeof LateWork>> = {
  name: 'late',
  purpose: 'late work',
  schema: LateWork,
  whose: whoSigned,
};
