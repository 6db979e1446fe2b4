// The library entry `lazarus/verify`, by hand: what stands here is promised. Everything else may change.
export { checkBundle, verifyRepository } from './compose/verifier.ts';
export type { VerifiedRepository, VerifyRepository } from './compose/verifier.ts';
