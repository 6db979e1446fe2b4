// How what programs print in cells is kept in the repository: for the roster's people or for nobody, and how much of it in
// clear. Encrypts nothing.
import { z } from 'zod';

export const Output = z.strictObject({
  /** `encrypted`: to the people of the roster who have a key for that; where nobody has one, as `digest`. */
  keep: z.enum(['encrypted', 'digest']).default('encrypted'),
  /** Whose last lines stand in clear where it failed: those of checks, those of agents as well, or nobody's. */
  excerpt: z.enum(['checks', 'all', 'none']).default('checks'),
});
export type Output = z.infer<typeof Output>;
