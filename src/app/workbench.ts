// The ledgers of one repository, for whoever works with them: find one by what a person types, verify it, open it for
// writing. Local or through a remote, which is decided once, here.
import type { Oid } from '../format/git/object.ts';
import { Failure } from '../failure.ts';
import { LEDGER_REFS, ledgerName, PROJECT_REF } from '../ledger/names.ts';
import type { Signer } from '../ports/keys.ts';
import type { Remote } from '../ports/remote.ts';
import { ProjectView } from './adoption.ts';
import { ShelfMemory } from './artifacts/shelf-tip.ts';
import { readCosignatures, validCosignatures } from './cosign.ts';
import { LedgerSession, type SessionWorld } from './ledger-session.ts';
import type { Tip } from '../ledger/tip.ts';
import { localPlace, remotePlace, type Place } from './place.ts';
import type { Mode, Report } from './verify/report.ts';
import { snapshotsIn, type Snapshots } from './verify/snapshots.ts';
import { verifyHead } from './verify/verify-head.ts';
import { verifyLedger, type Verified, type Verify } from './verify/verify-ledger.ts';
import type { Seen } from './verify/walk.ts';

export type WorkbenchParts = Omit<SessionWorld, 'place'> & {
  /** Undefined: this repository alone. */
  readonly remote: Remote | undefined;
  /** Where only parts of other branches are here: makes one of their files readable, if it exists. */
  readonly bringFile?: (commit: Oid, path: string) => Promise<void>;
  /** The same of what stands at a path, without what is in it. */
  readonly bringEntry?: (commit: Oid, path: string) => Promise<void>;
};

export type Watch = { readonly onCommit?: (seen: Seen) => void; readonly signal?: AbortSignal };

export class Workbench {
  readonly parts: WorkbenchParts;
  readonly place: Place;
  readonly shelves = new ShelfMemory();
  readonly #world: SessionWorld;
  readonly #snapshots: Snapshots;

  constructor(parts: WorkbenchParts) {
    this.parts = parts;
    const { repository, remote } = parts;
    this.place = remote === undefined ? localPlace(repository) : remotePlace(repository, remote);
    this.#snapshots = snapshotsIn(parts.folds);
    this.#world = { ...parts, place: this.place };
  }

  /** References of all ledgers here, the project's first. */
  async ledgers(): Promise<readonly string[]> {
    const refs = (await this.parts.repository.list(LEDGER_REFS)).map(({ ref }) => ref);
    return refs.sort((a, b) => Number(b === PROJECT_REF) - Number(a === PROJECT_REF) || (a < b ? -1 : 1));
  }

  /** `project`, a mission name, or a unique beginning of one (four digits at least, `m-` may be left out); also of the remote's. */
  async find(typed: string): Promise<string> {
    if (typed === 'project') return PROJECT_REF;
    const digits = typed.replace(/^m-/, '').replaceAll('-', '').toLowerCase();
    if (!/^[0-9a-f]{4,32}$/.test(digits))
      throw new Failure('usage', { ledger: typed, expected: 'project, m-…, or four hex digits at least' });
    const here = await this.ledgers();
    const names = [...new Set([...here, ...(this.place.isFar ? await this.place.ledgers() : [])])].map(ledgerName);
    const found = names.filter((name) => name.slice('m-'.length).startsWith(digits.slice(0, 12)));
    if (found.length > 1) throw new Failure('ledger_ambiguous', { typed, candidates: found });
    if (found[0] === undefined) throw new Failure('ledger_not_found', { ledger: typed });
    return LEDGER_REFS + found[0];
  }

  /** The same for a ledger that may be on the remote only: there its name must be typed whole. */
  async findAnywhere(typed: string): Promise<string> {
    return /^m-[0-9a-f]{12}$/.test(typed) ? LEDGER_REFS + typed : this.find(typed);
  }

  /** The project ledger, verified in full. */
  async project(watch: Watch & { readonly genesis?: string } = {}): Promise<ProjectView> {
    const view = new ProjectView();
    const { report } = await this.verify(PROJECT_REF, 'full', {
      ...watch,
      onCommit: (seen) => {
        view.add(seen);
        watch.onCommit?.(seen);
      },
    });
    refuseFlawed(report);
    return view;
  }

  /** A clone may hold a mission without the project's own branch: then trust stays project_unconfirmed. */
  async projectIfHere(): Promise<ProjectView | undefined> {
    return (await this.ledgers()).includes(PROJECT_REF) ? this.project() : undefined;
  }

  /** Verifies one ledger and, where it is whole, remembers its head as the new floor. */
  async verify(
    ref: string,
    mode: Exclude<Mode, 'head'>,
    options: Watch &
      Pick<Verify, 'earlier' | 'onStart' | 'skipsProject'> & {
        readonly genesis?: string;
        readonly project?: ProjectView;
      } = {},
  ): Promise<Verified> {
    const { crypto, repository, pins, spareCore } = this.parts;
    const name = ledgerName(ref);
    const { project, ...rest } = options;
    const genesis = options.genesis ?? (await this.#confirmedGenesis());
    const pin = await pins.read(name);
    const cosignatures = await readCosignatures(repository, ref);
    const verified = await verifyLedger({
      crypto,
      reader: repository,
      ref,
      mode,
      pin,
      snapshots: this.#snapshots,
      project: project?.history,
      cosigned: (tip) => validCosignatures(crypto, tip, cosignatures),
      spareCore,
      ...rest,
      genesis,
    });
    if (verified.pin !== undefined) await this.remember(ref, verified);
    return verified;
  }

  /** Verifies the newest commit alone; remembers nothing, because it vouches for no history. */
  async verifyHead(ref: string): Promise<Report> {
    const { crypto, repository, pins } = this.parts;
    return verifyHead({ crypto, reader: repository, ref, pin: await pins.read(ledgerName(ref)) });
  }

  /** Verifies what was fetched of a ledger, before any reference of ours moves: nothing is remembered here. */
  async verifyAt(ref: string, fetched: string, project: ProjectView | undefined, vouched?: string): Promise<Verified> {
    const { crypto, repository, pins, spareCore } = this.parts;
    const pin = await pins.read(ledgerName(ref));
    const head = await repository.resolve(fetched);
    const genesis = vouched ?? (await this.#confirmedGenesis());
    return verifyLedger({
      crypto,
      reader: repository,
      ref,
      head,
      mode: 'since-pin',
      pin,
      snapshots: this.#snapshots,
      project: project?.history,
      genesis,
      spareCore,
    });
  }

  /** Makes a verified head the new floor. */
  async remember(ref: string, { pin, crossed }: Pick<Verified, 'pin' | 'crossed'>): Promise<void> {
    if (pin !== undefined) await this.parts.pins.write(ledgerName(ref), pin);
    await this.#snapshots.keep(ledgerName(ref), crossed);
  }

  /**
   * A ledger for writing. `project`: given for missions; the project ledger itself goes on from it, and is verified without.
   * `from`: where a mission goes on from, if that was verified.
   */
  session(ref: string, signer: Signer, project?: ProjectView, from?: Tip): LedgerSession {
    return new LedgerSession(this.#world, ref, signer, project, from);
  }

  /** A session on any existing ledger, with its project where it needs one. */
  async open(ref: string, signer: Signer): Promise<LedgerSession> {
    return this.session(ref, signer, ref === PROJECT_REF ? undefined : await this.project());
  }

  /** What a person vouched for once holds for all ledgers of the project. */
  async #confirmedGenesis(): Promise<string | undefined> {
    const pin = await this.parts.pins.read(ledgerName(PROJECT_REF));
    return pin?.genesis_confirmed === true ? pin.project_genesis : undefined;
  }

  async close(): Promise<void> {
    try {
      await this.place.upToDate();
    } finally {
      await this.parts.remote?.close();
      await this.parts.repository.close();
    }
  }
}

/** A ledger that does not verify must not be decided on. */
export function refuseFlawed(report: Report): void {
  const { integrity, name } = report;
  if (integrity.is === 'refused')
    throw new Failure(integrity.code, {
      ...integrity.facts,
      ledger: name,
      index: integrity.index,
      commit: integrity.oid,
    });
}
