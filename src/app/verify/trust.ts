// How far a ledger can be relied on: one rule for ledgers and for proofs, so it lives with the ledger.
export { judgedEvents, SignerRuns, trustOf } from '../../ledger/trust.ts';
