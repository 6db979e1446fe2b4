// What one cell came to, as it is handed over: the documents that show it, and the events that name them by digest.
// Decides nothing: what failed was found before.
import { utf8 } from '../../format/bytes.ts';
import type { GitObject } from '../../format/git/object.ts';
import { jcs } from '../../format/jcs.ts';
import { CANCELLED } from '../../kernel/attempt/blame.ts';
import type { HandOver, Preparing, Probed } from '../../kernel/decide/work.ts';
import type { ExposedTo } from '../../kernel/policy/exposure.ts';
import type { OwnershipAudit } from '../../kernel/scope/audit.ts';
import type {
  Cell,
  CellExit,
  CellFacts,
  CellHolds,
  PortRecord,
  Residue,
  Work,
  WorkIdentity,
} from '../../ports/cells.ts';
import type { FoundEnvironment } from '../../ports/environments.ts';
import type { NetworkUse } from '../../ports/network.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { NewDocument } from '../artifacts/documents.ts';
import { factsDocument } from './cell-facts.ts';
import { outcomeOf } from './cell-end.ts';
import type { Prepared } from './prepare.ts';
import type { Trouble } from './trouble.ts';
import { judgeClaims, statusOf } from './judge-claims.ts';

/** The cell of a check, as it is going to be born. */
type Born = Probed & {
  readonly cell: string;
  readonly limits: CellHolds;
  readonly environment: readonly string[];
};

/** What is born for the checks, in the same decision that hands the work over. */
type ForChecks = { readonly checks: readonly Born[]; readonly prepares: readonly Preparing[] };

export type Collected = {
  readonly documents: ReadonlyMap<string, NewDocument>;
  /** The hand-over, once the documents have their digests. */
  readonly describe: (digestOf: (name: string) => string, born: ForChecks) => HandOver;
  readonly failure: ReasonCode | undefined;
  /** What it was described from, for whoever has to lay it aside. */
  readonly seen: Seen;
  /** The work, in a repository that whoever gets this discards; with a failure it goes no further. */
  readonly made:
    | {
        readonly work: Work;
        readonly objects: readonly GitObject[];
        /** What its checks find beside it. */
        readonly found: readonly FoundEnvironment[];
      }
    | undefined;
};

export type Watched = {
  readonly exit: CellExit;
  readonly claim: string | undefined;
  readonly blocked: readonly string[];
};

export type Taken = {
  readonly failure: ReasonCode | undefined;
  readonly trouble?: Trouble;
  readonly isOfRunner?: boolean;
  readonly work?: Work;
  /** What its commit says, and when it was taken. */
  readonly taken?: Pick<WorkIdentity, 'atSeconds' | 'message'>;
  readonly audit?: OwnershipAudit;
  readonly objects?: readonly GitObject[];
  readonly found?: readonly FoundEnvironment[];
};

/** Of each list in an audit: an agent can name a hundred thousand files, and an artifact has an end. */
const AUDIT_ENTRIES_MAX = 500;
/** By the supervisor's own clock; how long the agent ran stands in its exit. */
type Took = { readonly prepare_ms: number; readonly take_ms: number };

/** Until when failed work can be had, and this work if it failed here: its checks may fail yet. */
type Kept = { readonly until: string | null; readonly commit: string | null };

type AgentNamed = { readonly name: string | null; readonly version: string | null };

/** Of a cell that ran, as it stood when it had ended. */
export type Ran = {
  readonly facts: CellFacts;
  readonly network: NetworkUse;
  readonly port: PortRecord;
};

export function ranIn(cell: Cell): Ran {
  return { facts: cell.facts, network: cell.network(), port: cell.port() };
}

export type Seen = Partial<Watched> &
  Partial<Taken> & {
    readonly ran?: Ran;
    readonly residue?: Residue;
    readonly failure: ReasonCode | undefined;
    readonly isOfRunner?: boolean;
    readonly prepared: Prepared;
    /** What the agent printed, as it is kept. */
    readonly printed?: NewDocument;
    readonly took?: Took;
    readonly keep?: Kept;
    readonly exposedTo: ExposedTo;
    /** Who worked, by policy's name and version. */
    readonly agent: AgentNamed;
  };

export function describeHandOver(seen: Seen, gates: readonly string[]): Collected {
  const { ran, exit, printed, claim, blocked = [], residue, work, audit, failure, objects, found } = seen;
  const { isOfRunner = false, trouble, prepared, exposedTo, took, keep } = seen;
  const network = ran?.network;
  const said = exit === undefined ? null : judgeClaims({ claim, blocked, hasWork: (audit?.changed ?? 0) > 0 }, gates);
  const documents = new Map<string, NewDocument>(prepared.documents);
  const put = (name: string, content: Uint8Array): void => {
    documents.set(name, { content, mediaType: 'application/json' });
  };
  if (ran !== undefined || trouble !== undefined)
    documents.set(
      'facts',
      factsDocument({
        agent: seen.agent,
        exposed_to: exposedTo,
        facts: ran?.facts ?? null,
        residue: residue ?? null,
        exit: exit ?? null,
        said,
        dropped: work?.dropped ?? null,
        network: network ?? null,
        port: ran?.port ?? null,
        keep: keep ?? null,
        took: took ?? null,
        trouble: trouble ?? null,
      }),
    );
  if (printed !== undefined) documents.set('output', printed);
  if (claim !== undefined) put('claim', utf8(claim));
  blocked.forEach((text, n) => put(`blocked ${n}`, utf8(text)));
  if (audit !== undefined) put('audit', utf8(jcs(shortened(audit))));
  return {
    documents,
    failure,
    seen,
    made: work === undefined ? undefined : { work, objects: objects ?? [], found: found ?? [] },
    describe: (digestOf, { checks, prepares }) => {
      const has = (name: string): string | null => (documents.has(name) ? digestOf(name) : null);
      const common = {
        prepared: prepared.ended(digestOf),
        claim: claim === undefined ? undefined : { claim: digestOf('claim'), status: statusOf(claim) },
        blocked: blocked.map((_, n) => digestOf(`blocked ${n}`)),
        closed: {
          because: failure === CANCELLED ? failure : (exit?.reason ?? failure ?? 'cell_failed'),
          exit_code: exit?.code ?? null,
          facts: has('facts'),
          output: has('output'),
          outcome: exit === undefined ? 'failed' : outcomeOf(exit),
          spent: (network?.spent ?? []).map(({ route, calls, guessed, tokensIn, tokensOut }) => ({
            calls,
            guessed,
            route,
            tokens_in: tokensIn,
            tokens_out: tokensOut,
          })),
        },
      };
      if (failure !== undefined || work === undefined || audit === undefined)
        return { ...common, failure: { because: failure ?? 'nothing_done', audit: has('audit'), isOfRunner } };
      return {
        ...common,
        failure: undefined,
        work: {
          base_commit: work.base,
          changed_paths: audit.changed,
          commit: work.commit,
          scope_audit: digestOf('audit'),
          tree: work.tree,
        },
        checks,
        prepares,
      };
    },
  };
}

function shortened(audit: OwnershipAudit): OwnershipAudit {
  return {
    ...audit,
    madeExecutable: audit.madeExecutable.slice(0, AUDIT_ENTRIES_MAX),
    modifiedNotOwned: audit.modifiedNotOwned.slice(0, AUDIT_ENTRIES_MAX),
    sacredModified: audit.sacredModified.slice(0, AUDIT_ENTRIES_MAX),
    violations: audit.violations.slice(0, AUDIT_ENTRIES_MAX),
  };
}
