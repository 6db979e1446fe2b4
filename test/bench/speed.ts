// How fast this machine is beside the one that budgets in milliseconds and per second were written for. Looks between
// the rows of the very run that is judged, and counts the processor's time: what others take of it is load, not speed,
// and must not loosen a budget. How much of a core was to be had meanwhile is told apart from that.
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { median } from './measure.ts';

/** One raw Ed25519 verification on the machine of the budgets: the one thing that every row does, and pure arithmetic. */
export const REFERENCE_VERIFY_US = 56;

const VERIFICATIONS_PER_LOOK = 1500;

export class Speed {
  readonly #looksUs: number[] = [];
  readonly #key = generateKeyPairSync('ed25519');
  readonly #digest = randomBytes(64);
  readonly #signature = sign(null, this.#digest, this.#key.privateKey);

  /** Answers which part of a core this process was given meanwhile. */
  look(): number {
    const fromMs = performance.now();
    const from = process.cpuUsage();
    for (let i = 0; i < VERIFICATIONS_PER_LOOK; i++) verify(null, this.#digest, this.#key.publicKey, this.#signature);
    const { user, system } = process.cpuUsage(from);
    const usedUs = user + system;
    this.#looksUs.push(usedUs / VERIFICATIONS_PER_LOOK);
    return usedUs / (1000 * (performance.now() - fromMs));
  }

  /** Half of the looks were slower and half faster: one number for the whole run. */
  get verifyUs(): number {
    return median(this.#looksUs);
  }

  /** How many times slower this machine is. Never below 1: a faster machine keeps the budgets as they are. */
  get factor(): number {
    return Math.max(1, this.verifyUs / REFERENCE_VERIFY_US);
  }
}
