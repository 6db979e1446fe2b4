// How the check of a proof bundle reads: the same words on the command line, in the portable script and on its page.
// Rows of plain text; whoever shows them escapes them.
import { nextLine } from '../next-line.ts';
import { REASONS, type Facts, type Reason } from '../reasons.ts';
import type { Verdict } from '../kernel/verdict.ts';
import { NOT_SHOWN, type BundleReport } from '../ledger/bundle.ts';
import type { TrustWord } from '../ledger/trust.ts';

type Row = readonly [label: string, value: string];

export type ProofView = {
  /** `unvouched`: everything fits, and yet nobody could say that the project or its newest keys are the right ones. */
  readonly is: 'proved' | 'unvouched' | 'disowned' | 'refused';
  /** One line: what was proved, or the reason code with its sentence. */
  readonly headline: string;
  /** How far it can be relied on; nothing, where nothing was proved. */
  readonly trust: string | undefined;
  readonly rows: readonly Row[];
  readonly notShown: readonly string[];
  /** Integrity failures and disowned events are 6, a newer format 9; what merely nobody vouched for is 0 and says so. */
  readonly exit: number;
};

const TRUST_SAYS: Readonly<Record<TrustWord, string>> = {
  confirmed: 'confirmed: it grew from the genesis you named, and the project ledger here contradicts nothing',
  unpinned: 'UNPINNED: nobody vouched for the genesis; compare it with one you got from somebody you trust',
  project_unconfirmed:
    'project_unconfirmed: the genesis is the one you named; whether keys were cut off since the project head above is not known here',
  disowned: 'DISOWNED: signed by a key that was cut off, and not accepted since by the project’s roots',
  rejected: 'REJECTED: signed by a key that was cut off, and rejected since by the project’s roots',
};

const VIEWED = {
  confirmed: 'proved',
  unpinned: 'unvouched',
  project_unconfirmed: 'unvouched',
  disowned: 'disowned',
  rejected: 'disowned',
} as const satisfies Record<TrustWord, ProofView['is']>;

export function viewProof(verdict: Verdict<BundleReport>): ProofView {
  if (verdict.is === 'refused') return viewRefusal(verdict.code, verdict.facts);
  const report = verdict.value;
  const { ledger, head, judged_under, cosigned_by, trust } = report;
  const rows: Row[] = [
    ...claimRows(report),
    ['ledger', `${ledger.name} (${ledger.id})`],
    ['head', `size ${head.size}, commit ${head.oid}, by ${head.signer.principal_id}`],
    ['root', head.root],
    ['judged under', `project head of size ${judged_under.size}, commit ${judged_under.oid}`],
    ...cosigned_by.map(({ principal_id, size }): Row => ['co-signed', `size ${size} by ${principal_id}`]),
    ['genesis', trust.project_genesis],
    ...trust.rejected.map(({ fingerprint, from, until }): Row => [
      'rejected',
      `events ${from}..${until - 1} by ${fingerprint}`,
    ]),
    ...trust.disowned.map(({ fingerprint, from, until }): Row => [
      'disowned',
      `events ${from}..${until - 1} by ${fingerprint}`,
    ]),
  ];
  const is = VIEWED[trust.is];
  return {
    is,
    headline: headlineOf(report),
    trust: TRUST_SAYS[trust.is],
    rows,
    notShown: NOT_SHOWN,
    exit: is === 'disowned' ? 6 : 0,
  };
}

function headlineOf({ claim, ledger, head }: BundleReport): string {
  return claim.is === 'event'
    ? `event ${claim.index} of ${ledger.name} is ${claim.event.event_type} by ${claim.event.actor_id}, as signed`
    : `${ledger.name} at size ${head.size} continues what it was at size ${claim.old.size}`;
}

function claimRows({ claim }: BundleReport): Row[] {
  if (claim.is === 'continuation') {
    const { size, oid, root, signer } = claim.old;
    return [
      ['old head', `size ${size}, commit ${oid}, by ${signer.principal_id}`],
      ['old root', root],
    ];
  }
  const { event, digest, tx, carried_by } = claim;
  return [
    ['event', event.event_id],
    ['type', event.event_type],
    ['actor', `${event.actor_id} (${event.actor_type})`],
    ['said at', `${event.occurred_at} (by its author’s clock)`],
    ['payload', shortened(JSON.stringify(event.payload))],
    ['digest', digest],
    ['transaction', tx],
    ['commit', carried_by.oid],
    ['signed by', `${carried_by.signer.principal_id} ${carried_by.signer.fingerprint}, roster ${carried_by.roster}`],
  ];
}

/** A roster has a hundred lines; whoever wants them all has them in the proof. */
const PAYLOAD_CHARACTERS_MAX = 400;

function shortened(text: string): string {
  return text.length <= PAYLOAD_CHARACTERS_MAX
    ? text
    : `${text.slice(0, PAYLOAD_CHARACTERS_MAX)}… (${text.length} characters)`;
}

function viewRefusal(code: keyof typeof REASONS, facts: Facts): ProofView {
  const { says, exit }: Reason = REASONS[code];
  const rows = Object.entries(facts).map(([name, value]): Row => [
    name,
    Array.isArray(value) ? value.join(', ') : String(value),
  ]);
  rows.push(['next', nextLine({ code, facts }, 'terminal')]);
  return {
    is: 'refused',
    headline: `${code}: ${says}`,
    trust: undefined,
    rows,
    notShown: [],
    exit: exit === 9 ? 9 : 6,
  };
}
