// How a verification reads: integrity and trust apart, the first bad index in full. The exit code follows from it.
import { nextForFlaw, nextLine } from '../../next-line.ts';
import { REASONS, type Reason } from '../../reasons.ts';
import type { Finding } from '../../app/registry.ts';
import type { Report } from '../../app/verify/report.ts';
import type { Line } from './output.ts';

const TRUST_SAYS = {
  confirmed: 'confirmed: it grew from the genesis you vouched for, and nothing newer contradicts it',
  unpinned:
    'unpinned: nobody vouched for this genesis yet; compare it with one you were given, then: lazarus verify --genesis <it>',
  project_unconfirmed:
    'project_unconfirmed: it cites a project head this repository does not have; later cut-offs are unknown',
  disowned: 'disowned: some events were signed by a key that was cut off since',
  rejected: 'rejected: the roots judged events of a cut-off key, and these are not to be relied on',
} as const;

export function reportLines({ name, mode, head, events, transactions, integrity, trust }: Report): Line[] {
  const lines: Line[] = [];
  if (integrity.is === 'ok') {
    lines.push([
      { text: 'ok', style: 'green' },
      ` ${name}: ${events} events, ${transactions} transactions verified (${mode})`,
    ]);
  } else {
    const { index, code, ledger, oid, facts } = integrity;
    lines.push([{ text: `${code}:`, style: 'red' }, ` ${REASONS[code].says}`]);
    lines.push(`  where      index ${index} of the ${ledger} ledger, commit ${oid}`);
    for (const [fact, value] of Object.entries(facts))
      if (fact !== 'index' && fact !== 'oid') lines.push(`  ${fact.padEnd(9)}  ${String(value)}`);
    if (head !== undefined) lines.push(`  good until size ${head.size}, commit ${head.oid}`);
  }
  if (integrity.is === 'ok' && head !== undefined) lines.push(`  head     ${head.oid}`, `  root     ${head.root}`);
  if (trust.project_genesis !== '') lines.push(`  genesis  ${trust.project_genesis}`);
  if (integrity.is === 'ok') lines.push(`  trust    ${TRUST_SAYS[trust.is]}`);
  if (mode === 'head') lines.push('  note     this head only: its history, and the roster it names, were not checked');
  for (const { fingerprint, from, until } of trust.disowned)
    lines.push(`    events ${from}..${until - 1} by ${fingerprint}`);
  for (const { fingerprint, from, until } of trust.rejected)
    lines.push(`    events ${from}..${until - 1} by ${fingerprint}, rejected by the roots`);
  if (integrity.is === 'refused') {
    const { code, facts } = integrity;
    lines.push(`  next: ${nextForFlaw({ code, facts, ledger: name })}`);
  }
  return lines;
}

/** What the project's registry misses or cannot be held to. */
export function findingLines({ ledger, code, index }: Finding): Line[] {
  const whose = code === 'stop_overlooked' ? 'its own ledger' : 'the project ledger';
  const where = index === undefined ? '' : `, at index ${index} of ${whose}`;
  const { says, exit }: Reason = REASONS[code];
  return [
    [{ text: `${code}:`, style: exit === 6 ? 'red' : 'yellow' }, ` ${ledger}${where}. ${says}`],
    `  next: ${nextLine({ code, ledger }, 'terminal')}`,
  ];
}

export function reportJson({ state, ...report }: Report): Readonly<Record<string, unknown>> {
  return { ...report, ledger_id: state?.ledger_id ?? null };
}

/** Integrity failures and disowned events are 6; a ledger that is merely unpinned, or judged since, verifies. */
export function reportExit({ integrity, trust }: Report): number {
  if (integrity.is === 'refused') return REASONS[integrity.code].exit === 9 ? 9 : 6;
  return trust.is === 'disowned' ? 6 : 0;
}
