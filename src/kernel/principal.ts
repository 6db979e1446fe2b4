// Who can act: the principal types and dispatch layers of the specification, and the signer roles of the ledger.
import { z } from 'zod';

export const PrincipalType = z.enum([
  'user',
  'supervisor',
  'agent',
  'runner',
  'service',
  'scheduler',
  'webhook',
  'policy_engine',
  'executor',
  'system',
]);
export type PrincipalType = z.infer<typeof PrincipalType>;

export const Layer = z.enum(['L0', 'L1', 'L2', 'L3', 'L4', 'L5']);

export const Role = z.enum(['gate', 'person', 'root', 'runner', 'witness', 'writer']);
export type Role = z.infer<typeof Role>;
