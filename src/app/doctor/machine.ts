// What this machine brings along: programs, and cells, found out by making one.
import { Failure } from '../../failure.ts';
import { REASONS } from '../../reasons.ts';
import { missing, ok, warn, type Finding } from './finding.ts';
import type { Here } from './here.ts';

const NODE = { item: 'node', title: 'node' };
const GIT = { item: 'git', title: 'git' };
const CELLS = { item: 'cells', title: 'cells' };
const LISTENER = { item: 'listener', title: 'listener of cells' };

/** One that is too old was refused before any of this was read. */
export async function lookAtNode({ node }: Here): Promise<readonly Finding[]> {
  return [ok(NODE, node)];
}

export async function lookAtGit({ git, bench }: Here): Promise<readonly Finding[]> {
  const version = await git();
  if (version === undefined) return [missing(GIT, 'not found', 'apt install git')];
  // Whoever opens a repository asks it for its version first.
  const refused = await bench().catch((error: unknown) => error);
  return refused instanceof Failure && refused.code === 'git_missing'
    ? [missing(GIT, `${version}, and ${String(refused.facts['needed'])} is the least`, 'apt install git')]
    : [ok(GIT, version)];
}

export async function lookAtCells({ cells }: Here): Promise<readonly Finding[]> {
  const probe = await cells.probe();
  if (probe.is === 'unfit') return [missing(CELLS, probe.why, REASONS[probe.code].next)];
  const { level, limits, facts, uid } = probe;
  const says = [
    `bubblewrap ${String(facts['bubblewrap'] ?? '')}`,
    `level ${level}: namespaces and system call filter hold`,
    facts['drops_root'] === true ? `as a user of its own (${uid})` : 'as this user',
    `${limits.memory} limits`,
  ].join(', ');
  return limits.memory === 'hard'
    ? [ok(CELLS, says)]
    : [warn(CELLS, `${says}: no control groups for this user`, 'systemd-run --user --scope $SHELL')];
}

export async function lookAtListener({ cells }: Here): Promise<readonly Finding[]> {
  if ((await cells.probe()).is === 'unfit') return [];
  const probe = await cells.probeListener();
  return probe.is === 'fit'
    ? [ok(LISTENER, 'seen from inside of a cell')]
    : [missing(LISTENER, probe.why, probe.why === 'nsenter' ? 'apt install util-linux' : REASONS.sandbox_unfit.next)];
}
