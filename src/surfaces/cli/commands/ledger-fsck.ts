// `lazarus ledger fsck`: every ledger, its pin, its artifacts and git's objects, in one table.
import { isUnsound } from '../../../app/artifacts/audit.ts';
import { fsck, type Checked } from '../../../app/fsck.ts';
import { Failure } from '../../../failure.ts';
import { REASONS } from '../../../reasons.ts';
import { aligned } from '../output.ts';
import type { Context } from '../command.ts';
import { findingLines, reportExit, reportJson, reportLines } from '../report-text.ts';
import type { Values } from '../values.ts';
import { withWorkbench } from '../workspace.ts';
import { findingJson } from './artifact-list.ts';

export async function run(ctx: Context, _args: Values, options: Values): Promise<number> {
  return withWorkbench(ctx, options, async ({ bench }) => {
    const progress = ctx.out.progress('checking');
    let done = 0;
    const watch = { signal: ctx.signal, onCommit: () => progress.update((done += 1)) };
    const { ledgers, registry, complaints } = await fsck(bench, watch);
    progress.end();
    if (ledgers.length === 0) throw new Failure('ledger_not_found', { ledger: 'any' });
    const broken = ledgers.filter(({ report }) => report.integrity.is === 'refused');
    const git = ['git', complaints.length === 0 ? 'finds every object sound' : `complains ${complaints.length} times`];
    ctx.out.emit(
      [
        ...aligned([...ledgers.map(row), git]),
        ...broken.flatMap(({ report }) => reportLines(report)),
        ...registry.flatMap(findingLines),
        ...complaints.map((line) => `  git: ${line}`),
      ],
      {
        ledgers: ledgers.map(({ report, pin, artifacts }) => ({
          ...reportJson(report),
          pin,
          artifacts: artifacts?.findings.map(findingJson) ?? null,
        })),
        registry,
        git: complaints,
      },
    );
    const unsound = complaints.length === 0 ? 0 : REASONS.object_corrupt.exit;
    return Math.max(unsound, ...registry.map(({ code }) => REASONS[code].exit), ...ledgers.map(exitOf));
  });
}

function row({ report, pin, artifacts }: Checked): string[] {
  const { name, events, integrity } = report;
  return [
    name,
    integrity.is === 'ok' ? `ok, ${events} events` : `${integrity.code} at index ${integrity.index}`,
    { none: 'no pin yet', agrees: 'pin agrees', wrong: 'pin_wrong' }[pin],
    artifacts === undefined ? 'artifacts not looked at' : artifactsCell(artifacts.findings),
  ];
}

function artifactsCell(findings: NonNullable<Checked['artifacts']>['findings']): string {
  const count = (...of: string[]): number => findings.filter(({ is }) => of.includes(is)).length;
  const counted = [
    [count('sound'), 'sound'],
    [count('missing'), 'artifact_missing'],
    [count('corrupt'), 'artifact_corrupt'],
    [count('erased'), 'erased'],
    [count('lingering'), 'erased but still here'],
  ] as const;
  const said = counted.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return said.length === 0 ? 'no artifacts' : `artifacts: ${said.join(', ')}`;
}

function exitOf({ report, pin, artifacts }: Checked): number {
  const isWhole = pin !== 'wrong' && artifacts?.findings.some(isUnsound) !== true;
  return isWhole ? reportExit(report) : REASONS.artifact_corrupt.exit;
}
