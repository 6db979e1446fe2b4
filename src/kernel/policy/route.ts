// A credential route: one fixed origin that a cell may talk to without ever holding the key, which the host adds. Names the
// key by reference; where it is kept, and how it is added, is the host's business.
import { z } from 'zod';
import { AddressRange } from '../network/hosts.ts';

const PATHS_MAX = 32;
const CALLS_MAX = 100_000;
const TOKENS_MAX = 1_000_000_000;

/** `env:NAME` of the supervisor's environment, `file:/absolute/path`, or `vault:name`. Never a value. */
export const SecretReference = z
  .string()
  .regex(
    /^(?:env:[A-Z][A-Z0-9_]{0,63}|file:\/[^\p{Cc}]{1,500}|vault:[a-z0-9][a-z0-9._-]{0,62})$/u,
    'is written as env:NAME, file:/path or vault:name',
  );

/** `POST /v1/responses`; `*` at the end of a path lets everything below through. */
const Call = z
  .string()
  .regex(
    /^(?:GET|POST|PUT|PATCH|DELETE|HEAD) \/[A-Za-z0-9._~/-]*\*?$/,
    'is written as METHOD /path, with * only at its end',
  );

export const Route = z.strictObject({
  origin: z.string().regex(/^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/, 'is written as https://host, without a path'),
  /** Only of an origin whose address is not public. */
  range: AddressRange.nullable().default(null),
  key: SecretReference,
  /** The header that carries the key, and the word in front of it. */
  header: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,63}$/)
    .default('authorization'),
  scheme: z
    .string()
    .regex(/^[A-Za-z]{0,16}$/)
    .default('Bearer'),
  /** Headers that the provider asks for, beside the key's. */
  headers: z.record(z.string().regex(/^[a-z][a-z0-9-]{0,63}$/), z.string().max(200)).default({}),
  allow: z.array(Call).min(1).max(PATHS_MAX),
  /** How the provider's answers say what was spent; without one only calls are counted. */
  usage: z.enum(['openai', 'anthropic', 'none']).default('none'),
  max_calls: z.int().min(1).max(CALLS_MAX).default(500),
  max_tokens: z.int().min(1).max(TOKENS_MAX).nullable().default(null),
});
export type Route = z.infer<typeof Route>;
