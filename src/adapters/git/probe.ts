// Finds the repository around a folder and refuses, by name, those that a ledger cannot live in.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../failure.ts';
import { gitFailure, type GitAt } from './git.ts';
import { GitProcess } from './process.ts';

export type FoundRepository = GitAt & {
  /** Of this work tree: holds its HEAD. */
  readonly gitDir: string;
  /** Shared by all work trees: holds objects and references. */
  readonly commonDir: string;
};

const GIT_VERSION_MIN = [2, 32] as const;

export async function findRepository(cwd: string, signal?: AbortSignal): Promise<FoundRepository> {
  if (!existsSync(cwd)) throw new Failure('not_a_repository', { folder: cwd });
  const place: GitAt = { cwd, signal };
  const asked = ['--absolute-git-dir', '--git-common-dir', '--show-object-format'];
  const [version, answer] = await Promise.all([
    said(place, ['version']),
    said(place, ['rev-parse', '--path-format=absolute', ...asked]).catch((error: unknown) => error),
  ]);
  // First, because a git that is too old fails the other question in ways that mislead.
  refuseOldGit(version.trim());
  if (typeof answer !== 'string') throw answer;
  const [gitDir = '', commonDir = '', format] = answer.split('\n');
  if (format !== 'sha1') throw new Failure('sha256_repository', { format: format ?? '' });
  return { cwd: commonDir, gitDir, commonDir, signal };
}

/** A ledger is judged from its first commit on: absent history must not look like a short one. */
export function refuseIncompleteClone(place: FoundRepository, isPartial: boolean): void {
  if (existsSync(join(place.commonDir, 'shallow'))) throw new Failure('shallow_repository');
  const promised = readdirSync(join(place.commonDir, 'objects', 'pack')).some((name) => name.endsWith('.promisor'));
  if (isPartial || promised) throw new Failure('partial_clone');
}

/** Whether the configuration lets git do without objects that a remote promised. */
export async function mayBePartial(place: FoundRepository): Promise<boolean> {
  const settings = ['config', '--get-regexp', String.raw`^(extensions\.partialclone|remote\..*\.promisor)$`];
  return (await new GitProcess(place, settings).answer()).stdout !== '';
}

async function said(place: GitAt, args: readonly string[]): Promise<string> {
  const answer = await new GitProcess(place, args).answer();
  if (answer.exitCode !== 0) throw gitFailure(args[0] ?? '', answer);
  return answer.stdout;
}

function refuseOldGit(version: string): void {
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? [];
  const [majorMin, minorMin] = GIT_VERSION_MIN;
  if (Number(major) > majorMin || (Number(major) === majorMin && Number(minor) >= minorMin)) return;
  throw new Failure('git_missing', { found: version, needed: GIT_VERSION_MIN.join('.') });
}
