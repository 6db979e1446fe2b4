// How a hand-over that waits lies on a disk: who signed it, what the agent's cell came to, and the work as a pack. Whoever reads
// it back has the word of the runner that wrote it, bit by bit, and nothing else; what follows from it is for others to judge.
import { z } from 'zod';
import type { Crypto } from '../../format/crypto.ts';
import { base64, concat, fromBase64, fromUtf8, utf8 } from '../../format/bytes.ts';
import { statement } from '../../format/openpgp/detached.ts';
import { ExposedTo } from '../../kernel/policy/exposure.ts';
import { Base64, Count, Digest, Instant, KeyFingerprint, ObjectName, ReasonWord, Uuid } from '../../kernel/values.ts';
import type { BareTip } from '../../ledger/tip.ts';
import { whoSigned } from '../../ledger/who-signed.ts';
import type { CellExit, Residue } from '../../ports/cells.ts';
import type { Signer } from '../../ports/keys.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { NewDocument } from '../artifacts/documents.ts';
import type { Ran, Seen } from './hand-over.ts';
import { isEnd } from './cell-end.ts';
import { laidAside, laidOut } from './prepare.ts';

const aThing = <T>(): z.ZodType<T> => z.custom<T>((value) => typeof value === 'object' && value !== null);
const aReason = ReasonWord as unknown as z.ZodType<ReasonCode>;

const Seal = z.strictObject({ fingerprint: KeyFingerprint, signature: Base64.max(1024) });

const Document = z.strictObject({ content: Base64.or(z.literal('')), media_type: z.string(), encrypted: z.boolean() });
type Document = z.infer<typeof Document>;

const Body = z.lazy(() =>
  z.strictObject({
    schema_version: z.literal(1),
    /** Under which lease it came to be: what the ledger says of it now decides. */
    at: Instant,
    genesis: Digest,
    mission: Uuid,
    attempt: Uuid,
    lease: Uuid,
    fence: z.int().min(1),
    cell: Uuid,
    /** The last day on which the work may be looked at, where it is too late to hand it over. */
    until: z.iso.date().nullable(),
    work: z
      .strictObject({
        base: ObjectName,
        commit: ObjectName,
        tree: ObjectName,
        message: z.string(),
        taken_at_seconds: Count,
        dropped: z.strictObject({ count: Count, paths: z.array(z.string()) }),
      })
      .nullable(),
    seen: z.strictObject({
      failure: aReason.nullable(),
      is_of_runner: z.boolean(),
      trouble: z.strictObject({ code: z.string(), why: z.string() }).nullable(),
      exit: aThing<CellExit>()
        .refine(({ reason }) => isEnd(reason))
        .nullable(),
      claim: z.string().nullable(),
      blocked: z.array(z.string()),
      residue: aThing<Residue>().nullable(),
      ran: aThing<Ran>().nullable(),
      took: z.strictObject({ prepare_ms: z.number(), take_ms: z.number() }).nullable(),
      exposed_to: ExposedTo,
      agent: z.strictObject({ name: z.string().nullable(), version: z.string().nullable() }),
      printed: Document.nullable(),
      prepared: z.strictObject({
        failure: aReason.nullable(),
        documents: z.record(z.string(), Document),
        ended: z.array(aThing<ReturnType<typeof laidAside>[number]>()),
      }),
    }),
  }),
);
export type StowedBody = z.infer<typeof Body>;

export type StowedFile = { readonly body: StowedBody; readonly pack: Uint8Array; readonly signer: string };

export async function stowedBytes(
  crypto: Crypto,
  { body, pack }: { readonly body: StowedBody; readonly pack: Uint8Array },
  { signer, atSeconds }: { readonly signer: Signer; readonly atSeconds: number },
): Promise<Uint8Array> {
  const signed = concat([utf8(`${JSON.stringify(body)}\n`), pack]);
  const signature = base64(await signer.sign(signedBytes(crypto, signed), atSeconds));
  return concat([utf8(`${JSON.stringify({ fingerprint: signer.fingerprint, signature })}\n`), signed]);
}

/** Or why nothing of it can be used. */
export function readStowed(crypto: Crypto, project: BareTip, bytes: Uint8Array): StowedFile | string {
  const [seal, signed] = lineOf(bytes);
  const [line, pack] = lineOf(signed);
  const { fingerprint, signature } = parsed(Seal, seal) ?? {};
  if (fingerprint === undefined || signature === undefined) return 'it has no signature';
  const signer = whoSigned(crypto, project, { fingerprint, signature, bytes: signedBytes(crypto, signed) });
  if (signer === undefined) return 'it is not what a key of this project signed';
  const body = parsed(Body, line);
  return body === undefined ? 'another version wrote it' : { body, pack, signer };
}

function signedBytes(crypto: Crypto, signed: Uint8Array): Uint8Array {
  return statement('stowed hand-over', utf8(crypto.hashHex('sha256', signed)));
}

/** Of the agent's cell, without its work. */
export function seenAside(seen: Seen): StowedBody['seen'] {
  const { failure, isOfRunner = false, trouble, exit, claim, blocked = [], residue, ran, took, prepared } = seen;
  return {
    failure: failure ?? null,
    is_of_runner: isOfRunner,
    trouble: trouble ?? null,
    exit: exit ?? null,
    claim: claim ?? null,
    blocked: [...blocked],
    residue: residue ?? null,
    ran: ran ?? null,
    took: took ?? null,
    exposed_to: seen.exposedTo,
    agent: seen.agent,
    printed: seen.printed === undefined ? null : written(seen.printed),
    prepared: {
      failure: prepared.failure ?? null,
      documents: Object.fromEntries([...prepared.documents].map(([name, one]) => [name, written(one)])),
      ended: [...laidAside(prepared)],
    },
  };
}

export function seenAgain(seen: StowedBody['seen']): Seen {
  const { failure, trouble, exit, claim, residue, ran, took, printed, prepared } = seen;
  const documents = Object.entries(prepared.documents).map(([name, one]) => [name, read(one)] as const);
  return {
    failure: failure ?? undefined,
    isOfRunner: seen.is_of_runner,
    blocked: seen.blocked,
    exposedTo: seen.exposed_to,
    agent: seen.agent,
    prepared: laidOut(prepared.ended, { failure: prepared.failure ?? undefined, documents: new Map(documents) }),
    ...(trouble === null ? {} : { trouble }),
    ...(exit === null ? {} : { exit }),
    claim: claim ?? undefined,
    ...(residue === null ? {} : { residue }),
    ...(ran === null ? {} : { ran }),
    ...(took === null ? {} : { took }),
    ...(printed === null ? {} : { printed: read(printed) }),
  };
}

function written({ content, mediaType, isEncrypted = false }: NewDocument): Document {
  return { content: base64(content), media_type: mediaType, encrypted: isEncrypted };
}

function read({ content, media_type: mediaType, encrypted: isEncrypted }: Document): NewDocument {
  return { content: content === '' ? new Uint8Array() : fromBase64(content)!, mediaType, isEncrypted };
}

const LINE_FEED = 0x0a;

function lineOf(bytes: Uint8Array): readonly [line: Uint8Array, rest: Uint8Array] {
  const end = bytes.indexOf(LINE_FEED);
  return end < 0 ? [bytes, new Uint8Array()] : [bytes.subarray(0, end), bytes.subarray(end + 1)];
}

function parsed<T>(schema: z.ZodType<T>, line: Uint8Array): T | undefined {
  try {
    return schema.safeParse(JSON.parse(fromUtf8(line))).data;
  } catch {
    return undefined;
  }
}
