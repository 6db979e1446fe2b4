// The public interface of the package, by hand: what stands here is promised. Everything else may change.
export { checkBundle, verifyRepository } from './verify.ts';
export type { VerifiedRepository, VerifyRepository } from './verify.ts';
export type { Integrity, Report } from './app/verify/report.ts';
export { Failure } from './failure.ts';
export type { Event, EventType } from './kernel/event.ts';
export type { State } from './kernel/state.ts';
export type { TreeHead } from './kernel/values.ts';
export type { Refused, Verdict } from './kernel/verdict.ts';
export type { BundleReport, Known } from './ledger/bundle.ts';
export type { Run, Trust, TrustWord } from './ledger/trust.ts';
export type { Pin } from './ports/pins.ts';
export { REASONS } from './reasons.ts';
export type { Facts, Reason, ReasonCode } from './reasons.ts';
