// Everything that can be wrong with the ledgers of a repository, looked at at once: the ledgers themselves, their pins,
// their artifacts, and git's own opinion of the objects. Reads; repairs nothing.
import type { Oid } from '../format/git/object.ts';
import { artifactsRef, ledgerName, PROJECT_REF } from '../ledger/names.ts';
import type { Pin } from '../ports/pins.ts';
import type { ProjectView } from './adoption.ts';
import { auditArtifacts, type Audit } from './artifacts/audit.ts';
import { RegistryAudit, type Finding } from './registry.ts';
import type { Report } from './verify/report.ts';
import type { Seen } from './verify/walk.ts';
import type { Watch, Workbench } from './workbench.ts';

/** `wrong`: the pin names a head that the verified ledger does not have at that size with that root. */
type PinState = 'none' | 'agrees' | 'wrong';

export type Checked = {
  readonly report: Report;
  readonly pin: PinState;
  /** Undefined where the ledger itself does not verify: then it says nothing that could be held against bytes. */
  readonly artifacts: Audit | undefined;
};

export type Fsck = {
  readonly ledgers: readonly Checked[];
  readonly registry: readonly Finding[];
  readonly complaints: readonly string[];
};

export async function fsck(bench: Workbench, watch: Watch = {}): Promise<Fsck> {
  const ledgers: Checked[] = [];
  let project: ProjectView | undefined;
  let registry: RegistryAudit | undefined;
  const refs = await bench.ledgers();
  for (const ref of refs) {
    const onCommit = (seen: Seen): void => {
      registry?.see(ref, seen);
      watch.onCommit?.(seen);
    };
    ledgers.push(await check(bench, ref, project, { ...watch, onCommit }));
    if (project !== undefined || !ledgers.every(isSound)) continue;
    project = await bench.projectIfHere();
    registry = project === undefined ? undefined : new RegistryAudit(project.history.record, refs);
  }
  const complaints = await bench.parts.repository.complaints(await headsOf(bench));
  return { ledgers, registry: registry?.findings() ?? [], complaints };
}

function isSound({ report }: Checked): boolean {
  return report.name !== ledgerName(PROJECT_REF) || report.integrity.is === 'ok';
}

async function check(bench: Workbench, ref: string, project: ProjectView | undefined, watch: Watch): Promise<Checked> {
  const pin = await bench.parts.pins.read(ledgerName(ref));
  let agrees = false;
  const onCommit = (seen: Seen): void => {
    agrees ||= pin !== undefined && isPinned(pin, seen);
    watch.onCommit?.(seen);
  };
  const known = project === undefined ? {} : { project };
  const { report } = await bench.verify(ref, 'full', { ...watch, ...known, onCommit });
  const artifacts = report.integrity.is === 'ok' ? await auditArtifacts(bench, ref, watch) : undefined;
  return { report, pin: pin === undefined ? 'none' : agrees ? 'agrees' : 'wrong', artifacts };
}

function isPinned({ head }: Pin, { tip }: Seen): boolean {
  return tip.oid === head.oid && tip.size === head.size && tip.root === head.root;
}

async function headsOf(bench: Workbench): Promise<readonly Oid[]> {
  const { repository } = bench.parts;
  const refs = await bench.ledgers();
  const heads = await Promise.all(
    refs.flatMap((ref) => [ref, artifactsRef(ledgerName(ref))]).map((ref) => repository.resolve(ref)),
  );
  return heads.filter((head) => head !== undefined);
}
