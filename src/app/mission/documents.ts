// Reading back what an event names by digest: proposals, plans, effects. The digest is checked before a byte is believed.
import type { z } from 'zod';
import { fromUtf8 } from '../../format/bytes.ts';
import { artifactDigest, digestHex, storedPart } from '../../format/artifact.ts';
import { Failure } from '../../failure.ts';
import { parseDocumentOf, parsePlanDocument, type PlanDocument } from '../../kernel/mission/plan-document.ts';
import type { ExposedTo } from '../../kernel/policy/exposure.ts';
import { askedHost } from '../../kernel/port/request.ts';
import { parseProposal, type Proposal } from '../../kernel/proposal/proposal.ts';
import type { MissionState } from '../../kernel/state.ts';
import { ledgerName } from '../../ledger/names.ts';
import { bodyOf } from '../artifacts/copies.ts';
import { knownArtifacts } from '../artifacts/recorded.ts';
import { shelvesHere } from '../artifacts/shelf.ts';
import type { Workbench } from '../workbench.ts';
import { Facts } from './cell-facts.ts';
import type { Told } from './told.ts';
import { expectAccepted, type Acting } from './world.ts';

/** For documents that were put there unencrypted; an erased one is missing. */
export async function readDocument(bench: Workbench, ref: string, digest: string): Promise<Uint8Array> {
  for (const { blobs } of await shelvesHere(bench, ledgerName(ref))) {
    const oid = blobs.get(digestHex(digest));
    const blob = oid === undefined ? undefined : await bodyOf(bench, oid);
    const stored = blob === undefined ? undefined : storedPart(blob);
    if (blob !== undefined && stored !== undefined && artifactDigest(bench.parts.crypto, blob) === digest)
      return stored;
  }
  throw new Failure('artifact_missing', { ledger: ledgerName(ref), digest });
}

/** Undefined for one that is not here, or is none of these. */
export async function readJson<T>(
  bench: Workbench,
  ref: string,
  digest: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const bytes = await readDocument(bench, ref, digest).catch(() => undefined);
  if (bytes === undefined) return undefined;
  try {
    return schema.safeParse(JSON.parse(fromUtf8(bytes))).data;
  } catch {
    return undefined;
  }
}

export async function proposalOf(bench: Workbench, ref: string, digest: string): Promise<Proposal> {
  return expectAccepted(parseProposal(await readDocument(bench, ref, digest)));
}

export async function planDocumentOf(
  { world, ref }: Pick<Acting, 'world' | 'ref'>,
  { course }: Pick<MissionState, 'course'>,
): Promise<PlanDocument> {
  const plan = course!.plan!;
  return expectAccepted(parseDocumentOf(plan, await readDocument(world.bench, ref, plan.plan)));
}

async function planDocument(bench: Workbench, ref: string, digest: string): Promise<PlanDocument> {
  return expectAccepted(parsePlanDocument(await readDocument(bench, ref, digest)));
}

type RefusedHost = { readonly host: string; readonly port: number; readonly because: string };

/** By the word of whoever ran it; undefined where it says nothing of it. */
function exposureIn(all: readonly Facts[]): ExposedTo | undefined {
  return all.find(({ exposed_to }) => exposed_to !== undefined)?.exposed_to;
}

/** Tried or asked for, each host once. */
function refusedIn(all: readonly Facts[]): readonly RefusedHost[] {
  const tried = all
    .flatMap(({ network }) => network?.reached ?? [])
    .filter(({ decision }) => decision === 'refused')
    .map(({ host, port, because }) => ({ host, port, because }));
  const asked = all
    .flatMap(({ port }) => port?.requests ?? [])
    .filter(({ what, answer }) => what === 'host' && answer.is === 'refused')
    .flatMap(({ target, answer: { because } }) => {
      const host = askedHost(target);
      return host === undefined ? [] : [{ ...host, because }];
    });
  const named = new Map([...asked, ...tried].map((one) => [`${one.host}:${one.port} ${one.because}`, one]));
  return [...named.values()];
}

/** What people read of a mission; undefined where there is none, or it was erased. */
export type Documents = {
  readonly plan: PlanDocument | undefined;
  /** The plan before it that it is compared with. */
  readonly former: PlanDocument | undefined;
  readonly proposal: Proposal | undefined;
  /** The proposal was taken out by somebody's event: where it is merely missing, it can be fetched. */
  readonly isErased: boolean;
  /** What the cells of the latest attempt asked for outside and were refused. */
  readonly refused: readonly RefusedHost[];
  /** Folders that its failed checks seem to have wanted to write; empty where they named none, undefined where none did. */
  readonly readOnly: readonly string[] | undefined;
  /** Who could read the keys of whoever ran that cell; undefined as long as nobody said. */
  readonly exposedTo?: ExposedTo | undefined;
};

export async function documentsOf(
  bench: Workbench,
  ref: string,
  { course }: Pick<MissionState, 'course'>,
  told: Told,
): Promise<Documents> {
  if (course === undefined)
    return {
      plan: undefined,
      former: undefined,
      proposal: undefined,
      isErased: false,
      refused: [],
      readOnly: undefined,
    };
  const planAt = (digest: string | undefined): Promise<PlanDocument | undefined> =>
    digest === undefined ? Promise.resolve(undefined) : planDocument(bench, ref, digest).catch(() => undefined);
  const plan = await planAt(course.plan?.plan);
  const former = await planAt(course.end === null ? told.former?.terms.plan : undefined);
  const proposal = plan?.proposal ?? (await proposalOf(bench, ref, course.proposal).catch(() => undefined));
  const facts = await factsOf(bench, ref, told);
  const wanted = facts.flatMap(({ read_only }) => (read_only === undefined || read_only === null ? [] : [read_only]));
  const readOnly = wanted.length === 0 ? undefined : [...new Set(wanted.flat())].sort();
  const isErased = proposal === undefined && (await wasErased(bench, ref, course.proposal));
  return { plan, former, proposal, isErased, refused: refusedIn(facts), readOnly, exposedTo: exposureIn(facts) };
}

/** Of the latest attempt's cells; an erased one, or one that says nothing of this, is left out. */
async function factsOf(bench: Workbench, ref: string, { cell, beside }: Told): Promise<readonly Facts[]> {
  const digests = [...(cell === null || cell.facts === null ? [] : [cell.facts]), ...beside];
  const all = await Promise.all(digests.map((digest) => readJson(bench, ref, digest, Facts)));
  return all.filter((facts) => facts !== undefined);
}

/** Nobody says so of what only part of the history is here to tell about. */
async function wasErased(bench: Workbench, ref: string, digest: string): Promise<boolean> {
  const known = await knownArtifacts(bench, ref).catch(() => undefined);
  return known?.artifacts.get(digest)?.erased !== undefined;
}
