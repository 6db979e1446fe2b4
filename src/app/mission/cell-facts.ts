// The document of a cell's facts: what its runner writes down of how it was kept apart, what it did and asked for, how it ended,
// or what kept it from being one. Whoever writes one has its fields from here, and so has the status; what the terminal alone
// shows of one it reads by itself. Nothing rests on them.
import { z } from 'zod';
import { utf8 } from '../../format/bytes.ts';
import { jcs } from '../../format/jcs.ts';
import { ExposedTo } from '../../kernel/policy/exposure.ts';
import { ObjectName } from '../../kernel/values.ts';
import type { NewDocument } from '../artifacts/documents.ts';

/** Each by itself: null, and what another version writes in another form, says nothing of it and takes nothing from the others. */
const field = <T extends z.ZodType>(schema: T) => schema.optional().catch(undefined);

/** Hosts are the cell's words, folders are read out of its words, reasons are those of whoever sat at the listener. */
export const Facts = z.lazy(() =>
  z.object({
    exit: field(
      z.object({
        reason: z.string(),
        code: z.number().nullable(),
        signal: z.string().nullable(),
        usage: z.object({ wallMs: z.number(), memoryPeakBytes: z.number().nullable() }),
      }),
    ),
    exposed_to: field(ExposedTo),
    keep: field(z.object({ until: z.string().nullable(), commit: ObjectName.nullable() })),
    network: field(
      z.object({
        reached: z
          .array(
            z.object({
              host: z.string(),
              port: z.number(),
              decision: z.enum(['allowed', 'refused']),
              because: z.string(),
            }),
          )
          .readonly(),
      }),
    ),
    port: field(
      z.object({
        requests: z
          .array(
            z.object({
              what: z.string(),
              target: z.string().default(''),
              answer: z.object({ is: z.enum(['granted', 'refused']), because: z.string().default('') }),
            }),
          )
          .readonly(),
      }),
    ),
    /** Folders that a failed check seems to have wanted to write. */
    read_only: field(z.array(z.string()).readonly()),
    took: field(z.object({ prepare_ms: z.number(), take_ms: z.number() })),
    trouble: field(z.object({ code: z.string(), why: z.string() })),
  }),
);
export type Facts = z.infer<typeof Facts>;

type Read = z.input<typeof Facts>;
/** And what the status does not read. */
type Written = { readonly [K in keyof Read]?: Read[K] | null } & {
  readonly [K in 'agent' | 'dropped' | 'facts' | 'residue' | 'said']?: unknown;
};

export function factsDocument(facts: Written): NewDocument {
  return { content: utf8(jcs(facts)), mediaType: 'application/json' };
}
