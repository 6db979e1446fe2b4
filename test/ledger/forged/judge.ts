// Asks the product what it makes of a ledger, in a repository or in a proof bundle, and puts the answer into the words
// of an attack's table.
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { ProjectView } from '../../../src/app/adoption.ts';
import type { Cosigned } from '../../../src/app/verify/cosigned.ts';
import type { Report } from '../../../src/app/verify/report.ts';
import { verifyLedger, type Verify } from '../../../src/app/verify/verify-ledger.ts';
import { Failure } from '../../../src/failure.ts';
import type { Oid } from '../../../src/format/git/object.ts';
import type { LedgerKind } from '../../../src/kernel/traits.ts';
import { checkBundle } from '../../../src/ledger/bundle.ts';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import type { Pin } from '../../../src/ports/pins.ts';
import type { RepositoryReader } from '../../../src/ports/repository.ts';
import type { ReasonCode } from '../../../src/reasons.ts';
import type { Expected, Forgery } from '../../support/forge/attack.ts';
import { LEDGER_REF } from '../../support/forge/golden.ts';

export type Answer =
  | { readonly is: 'refused'; readonly ledger: LedgerKind; readonly index: number; readonly code: ReasonCode }
  | { readonly is: 'stopped'; readonly code: ReasonCode }
  | { readonly is: 'distrusted'; readonly trust: string }
  | { readonly is: 'accepted'; readonly head: Oid | undefined };

export type Knowledge = {
  readonly genesis?: string;
  readonly pin?: Pin;
  readonly view?: ProjectView;
  readonly cosigned?: Cosigned;
} & Pick<Verify, 'head' | 'onCommit' | 'snapshots' | 'spareCore'>;

export async function verified(reader: RepositoryReader, ledger: Forgery['ledger'], known: Knowledge) {
  const { view, cosigned, ...rest } = known;
  const options: Verify = {
    crypto: nodeCrypto,
    reader,
    ref: LEDGER_REF[ledger],
    mode: known.pin === undefined ? 'full' : 'since-pin',
    ...rest,
    ...(view && { project: view.history }),
    ...(cosigned && { cosigned: () => [cosigned] }),
  };
  return verifyLedger(options);
}

export async function answer(reader: RepositoryReader, ledger: Forgery['ledger'], known: Knowledge): Promise<Answer> {
  try {
    const { report } = await verified(reader, ledger, known);
    const { integrity } = report;
    if (integrity.is === 'ok') return trusted(report.trust, report.head?.oid);
    return { is: 'refused', ledger: integrity.ledger, index: integrity.index, code: integrity.code };
  } catch (cause) {
    if (cause instanceof Failure) return { is: 'stopped', code: cause.code };
    throw cause;
  }
}

export function bundleAnswer(bytes: Uint8Array, { genesis, view }: Knowledge): Answer {
  const history = view?.history;
  const project = history?.asKnown(genesis!);
  const checked = checkBundle(nodeCrypto, bytes, { genesis, project });
  if (checked.is === 'refused') {
    const { ledger, index } = checked.facts;
    if (typeof index !== 'number') return { is: 'stopped', code: checked.code };
    return { is: 'refused', ledger: ledger as LedgerKind, index, code: checked.code };
  }
  const { head, trust, ledger } = checked.value;
  // The proof of a project ledger is newer than any project ledger that its checker may have.
  return ledger.kind === 'project' ? { is: 'accepted', head: head.oid } : trusted(trust, head.oid);
}

function trusted(trust: Report['trust'], head: Oid | undefined): Answer {
  return trust.is === 'confirmed' ? { is: 'accepted', head } : { is: 'distrusted', trust: trust.is };
}

export function expected(expectation: Expected, { ledger, good, from = good.size, head }: Forgery): Answer {
  switch (expectation.is) {
    case 'refused': {
      const { code, offset, ledger: kind = ledger === 'project' ? 'project' : 'mission' } = expectation;
      return { is: 'refused', ledger: kind, index: from + offset, code };
    }
    case 'stopped':
      return { is: 'stopped', code: expectation.code };
    case 'distrusted':
      return { is: 'distrusted', trust: expectation.trust };
    case 'not_visible':
    case 'harmless':
      return { is: 'accepted', head };
  }
}

/** What a verified project ledger tells those who verify its missions. */
export async function viewOfProject(folder: string): Promise<ProjectView> {
  const view = new ProjectView();
  const reader = await openRepository(folder);
  try {
    await verifyLedger({
      crypto: nodeCrypto,
      reader,
      ref: PROJECT_REF,
      mode: 'full',
      onCommit: (seen) => view.add(seen),
    });
    return view;
  } finally {
    await reader.close();
  }
}
