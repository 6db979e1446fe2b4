// Verifies one ledger of a repository: everything since the project's first event, or everything since a pin.
// Reads; writes nothing; believes neither the repository nor the forge behind it.
import { Failure } from '../../failure.ts';
import type { Crypto } from '../../format/crypto.ts';
import type { CutOffDocument } from '../../kernel/project/events.ts';
import type { LedgerKind } from '../../kernel/traits.ts';
import type { TreeHead } from '../../kernel/values.ts';
import { refuse, type Refused } from '../../kernel/verdict.ts';
import { ledgerName, missionRef, PROJECT_REF } from '../../ledger/names.ts';
import { emptyProject, headOf, type Tip } from '../../ledger/tip.ts';
import { pinOf } from '../pin-of.ts';
import type { Pin } from '../../ports/pins.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import type { SpareCore } from '../../ports/second-core.ts';
import { checkCosigned, type Cosigned } from './cosigned.ts';
import { isDamage } from './damage.ts';
import { checkRecorded } from './recorded.ts';
import type { ProjectHistory } from './project-history.ts';
import type { Integrity, Mode, Report, Trust } from './report.ts';
import { startOf, type Since } from './start.ts';
import { Crossings, type Snapshots } from './snapshots.ts';
import { judgedEvents, SignerRuns, trustOf } from '../../ledger/trust.ts';
import { walk, type Flaw, type Seen } from './walk.ts';
import { besideSecondCore } from './when-long.ts';

export type Verify = {
  readonly crypto: Crypto;
  readonly reader: RepositoryReader;
  readonly ref: string;
  /** The commit to verify when it is not the one the reference names. */
  readonly head?: string | undefined;
  readonly mode: Exclude<Mode, 'head'>;
  readonly pin?: Pin | undefined;
  /** Where verifying since a pin begins; without them, at the first event. */
  readonly snapshots?: Snapshots | undefined;
  /** Since the pin: or since this head, if that is further back and on the pin's own way. */
  readonly earlier?: TreeHead | undefined;
  /** The project genesis fingerprint to expect, from outside. */
  readonly genesis?: string | undefined;
  /** Missions: what a verified project ledger knows. */
  readonly project?: ProjectHistory | undefined;
  /** What `project` verified itself is not verified again, and `onCommit` not told of it. */
  readonly skipsProject?: boolean;
  /** Tree heads that members signed; asked once the ledger, and with it its roster, is known. */
  readonly cosigned?: (tip: Tip) => readonly Cosigned[];
  /** Called with what verifying begins at, and so with nothing before that is seen; again where it begins anew. */
  readonly onStart?: (tip: Tip) => void;
  /** Called for every verified commit, the project's before a mission's own included. */
  readonly onCommit?: (seen: Seen) => void;
  readonly spareCore?: SpareCore | undefined;
  readonly signal?: AbortSignal;
};

export type Verified = {
  readonly report: Report;
  readonly tip: Tip;
  readonly pin: Pin | undefined;
  /** What to keep for the next time, beside the pin. */
  readonly crossed: readonly Tip[];
};

/** Reports whatever is wrong with the ledger. Throws where there is none, and where the world fails: no git, no disk. */
export async function verifyLedger(options: Verify): Promise<Verified> {
  const { reader, ref } = options;
  const head = options.head ?? (await reader.resolve(ref));
  if (head === undefined) throw new Failure('ledger_not_found', { ledger: ledgerName(ref) });
  await reader.assertComplete();
  try {
    return await verifyFrom(options, head);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return unreadable(options, head, error);
  }
}

/** The way back from the head leads to what is not here or cannot be read: nothing of the ledger is known. */
function unreadable(options: Verify, head: string, { code, facts }: Failure): Verified {
  const kind: LedgerKind = options.ref === PROJECT_REF ? 'project' : 'mission';
  const { index, commit } = facts;
  const flaw: Flaw = {
    is: 'refused',
    code,
    facts,
    index: typeof index === 'number' ? index : 0,
    oid: typeof commit === 'string' ? commit : head,
    ledger: kind,
  };
  const tip = emptyProject(options.crypto);
  return { ...conclude(options, { tip, flaw, runs: new SignerRuns(), transactions: 0, kind }), crossed: [] };
}

async function verifyFrom(options: Verify, head: string): Promise<Verified> {
  const { reader, ref, pin } = options;
  const runs = new SignerRuns();
  const crossings = new Crossings();
  const heads = new Map<number, { readonly root: string; readonly oid: string }>();
  const kind: LedgerKind = ref === PROJECT_REF ? 'project' : 'mission';
  let transactions = 0;
  let foreignProject: Flaw | undefined;
  const since: Since = options.mode === 'since-pin' ? { is: 'pin', earlier: options.earlier } : { is: 'genesis' };
  const snapshot = (size: number) => options.snapshots?.upTo(ledgerName(ref), size) ?? Promise.resolve(undefined);
  const known = options.skipsProject === true && kind === 'mission' ? options.project : undefined;
  const groundAt = known && ((cited: TreeHead, ledgerId: string) => known.groundAt(cited, ledgerId));
  const { start, walked } = await besideSecondCore(options.spareCore, async ({ found, opened }) => {
    const world = { crypto: options.crypto, reader, snapshot, groundAt, found };
    const start = await startOf(world, head, pin, since);
    options.onStart?.(start.tip);
    const walked = await walk(start.tip, start.links, {
      crypto: options.crypto,
      reader,
      kind,
      second: await opened(),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      onCommit: async (seen) => {
        if (seen.ledger === kind) {
          transactions += 1;
          runs.add(seen.signer.key.fingerprint, seen.claims.prevSize, seen.claims.size);
          heads.set(seen.tip.size, { root: seen.tip.root, oid: seen.oid });
          crossings.add(seen.tip, seen.events.length);
          foreignProject ??= await projectFlaw(seen, options.project);
        }
        options.onCommit?.(seen);
      },
    });
    return { start, walked };
  });
  const { tip } = walked;
  await options.project?.bring({ ledgers: tip.state === undefined ? [] : [tip.state.ledger_id] });
  const seen = { start: start.tip, until: tip.size, heads };
  const flaw =
    firstOf([walked.flaw, foreignProject], tip) ??
    whole(tip, { kind, head, ref }, [
      start.floor,
      expectGenesis(tip, options),
      unregistered(tip, options.project),
      tip.state?.kind === 'mission' ? options.project?.checkStanding(tip.project!, tip.state) : undefined,
      checkCosigned(options.cosigned?.(tip) ?? [], seen),
      walked.flaw === undefined ? await checkRecorded(reader, recordedHeads(tip, options.project), seen) : undefined,
    ]);
  if (start.tip.size > 0 && pin !== undefined && isTouched(pin, options.project?.cutOffs ?? tip.state?.cut_offs ?? []))
    return verifyLedger({ ...options, mode: 'full' });
  return {
    ...conclude(options, { tip, flaw, runs, transactions, kind }),
    crossed: flaw === undefined ? crossings.take() : [],
  };
}

/** A cut-off that reaches behind a pin takes the pin's worth away: who signed what must be seen again. */
function isTouched(pin: Pin, cutOffs: readonly CutOffDocument[]): boolean {
  return cutOffs.some(({ fingerprint, heads }) => {
    const trusted = heads.find((known) => known.ledger_id === pin.ledger_id)?.head.size ?? 0;
    return (pin.signers[fingerprint]?.[1] ?? -1) >= trusted;
  });
}

type Outcome = {
  readonly tip: Tip;
  readonly flaw: Flaw | undefined;
  readonly runs: SignerRuns;
  readonly transactions: number;
  readonly kind: LedgerKind;
};

function conclude(options: Verify, { tip, flaw, runs, transactions, kind }: Outcome): Omit<Verified, 'crossed'> {
  const state = tip.kind === kind ? tip.state : undefined;
  const integrity: Integrity = flaw === undefined ? { is: 'ok' } : flaw;
  const confirmed = options.genesis !== undefined || options.pin?.genesis_confirmed === true;
  const known = { genesisConfirmed: confirmed, projectSeen: projectSeen(tip, options.project) };
  const cutOffs = options.project?.cutOffs ?? state?.cut_offs ?? [];
  const trust: Trust =
    state === undefined
      ? { is: 'unpinned', project_genesis: '', disowned: [], rejected: [] }
      : trustOf(state, judgedEvents(state, cutOffs, runs), known);
  const report: Report = {
    mode: options.mode,
    name: ledgerName(options.ref),
    head: state === undefined || tip.oid === undefined ? undefined : headOf(tip),
    state,
    transactions,
    events: state === undefined ? 0 : tip.size,
    integrity,
    trust,
  };
  return {
    report,
    tip,
    pin: flaw === undefined ? pinAt(options.crypto, tip, runs, { before: options.pin, confirmed }) : undefined,
  };
}

function expectGenesis(tip: Tip, { genesis, pin }: Verify): Refused | undefined {
  const expected = genesis ?? pin?.project_genesis;
  const found = tip.state?.project_genesis;
  if (expected === undefined || found === undefined || expected === found) return undefined;
  return refuse('genesis_mismatch', { index: 0, expected, found });
}

/** What a transaction of a mission says of its project, held against that project. */
export async function projectFlaw(seen: Seen, project: ProjectHistory | undefined): Promise<Flaw | undefined> {
  const { claims, events, oid, tip } = seen;
  if (claims.project === undefined || project === undefined) return undefined;
  await project.bring({ cited: [claims.project], ledgers: [tip.state!.ledger_id] });
  const at = { oid, ledger: 'mission' as const };
  const begun = unregistered(tip, project);
  if (begun !== undefined) return { ...begun, index: 0, ...at };
  const cited = project.check(claims.project, tip.state!.roster.n);
  if (cited !== undefined) return { ...cited, index: claims.prevSize, ...at };
  const { state } = tip;
  if (state?.kind !== 'mission') return undefined;
  for (const [i, event] of events.entries()) {
    const isAdoption = event.event_type === 'roster.adopted' || event.event_type === 'cut_off.adopted';
    const refused = isAdoption ? project.checkAdopted(event.payload) : project.checkBegun(claims.project, event, state);
    if (refused !== undefined) return { ...refused, index: claims.prevSize + i, ...at };
  }
  return undefined;
}

/** A mission that begins otherwise than the one that its project registered. */
function unregistered({ state, genesis }: Tip, project: ProjectHistory | undefined): Refused | undefined {
  const refused = genesis === undefined ? undefined : project?.checkGenesis(state!.ledger_id, genesis);
  return refused === undefined ? undefined : refuse(refused.code, { index: 0, ...refused.facts });
}

/** Heads that the project vouches for; without it, those that the cut-offs name which the ledger itself knows. */
function recordedHeads({ state }: Tip, project: ProjectHistory | undefined): readonly TreeHead[] {
  if (state === undefined) return [];
  if (project !== undefined) return project.recordedHeads(state.ledger_id);
  const named = state.cut_offs.flatMap(({ heads }) => heads).filter((one) => one.ledger_id === state.ledger_id);
  return named.map(({ head }) => head);
}

function projectSeen(tip: Tip, project: ProjectHistory | undefined): boolean {
  if (tip.kind === 'project') return true;
  return project !== undefined && tip.project !== undefined && project.knows(tip.project);
}

/** The earlier of two flaws of one ledger; a walk that stopped has seen nothing behind its stop. */
function firstOf(flaws: readonly (Flaw | undefined)[], tip: Tip): Flaw | undefined {
  const found = flaws.filter((flaw) => flaw !== undefined);
  return found.sort((a, b) => (a.ledger === b.ledger ? a.index - b.index : a.ledger === tip.kind ? 1 : -1))[0];
}

/** Flaws that no single commit has: the walk ended well, and yet this is not the ledger we know. */
function whole(
  tip: Tip,
  { kind, head, ref }: { kind: LedgerKind; head: string; ref: string },
  refusals: readonly (Refused | undefined)[],
): Flaw | undefined {
  const refused = [misnamed(tip, kind, ref), ...refusals].find((one) => one !== undefined);
  if (refused === undefined) return undefined;
  const { index } = refused.facts;
  return { ...refused, index: typeof index === 'number' ? index : tip.size, oid: head, ledger: kind };
}

/** A ledger under another's name: a forge could answer for one mission with the (valid) ledger of another. */
function misnamed(tip: Tip, kind: LedgerKind, ref: string): Refused | undefined {
  if (tip.kind !== kind) return refuse('ledger_id_mismatch', { expected: kind, found: tip.kind });
  const expected = kind === 'mission' && tip.state !== undefined ? missionRef(tip.state.ledger_id) : ref;
  return expected === ref
    ? undefined
    : refuse('ledger_id_mismatch', { expected: ledgerName(ref), found: ledgerName(expected) });
}

function pinAt(
  crypto: Crypto,
  tip: Tip,
  runs: SignerRuns,
  { before, confirmed }: { before: Pin | undefined; confirmed: boolean },
): Pin | undefined {
  if (tip.state === undefined || tip.oid === undefined) return undefined;
  const signers: Record<string, readonly [number, number]> = { ...before?.signers };
  for (const [key, [first, last]] of Object.entries(runs.bounds()))
    signers[key] = [Math.min(signers[key]?.[0] ?? first, first), last];
  return pinOf(crypto, tip, { genesis_confirmed: confirmed, signers });
}
