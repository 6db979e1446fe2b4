// Opens repositories for one test and appends to them, one commit at a time.
import { onTestFinished } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import type { Repository } from '../../../src/ports/repository.ts';
import type { Link } from '../../support/objects.ts';

export const MAIN = 'refs/heads/lazarus/main';

export async function opened(path: string): Promise<Repository> {
  const repository = await openRepository(path);
  onTestFinished(() => repository.close());
  return repository;
}

export async function append(repository: Repository, links: readonly Link[], from?: string): Promise<void> {
  let old = from;
  for (const { objects, commit } of links) {
    await repository.commit({ objects, updates: [{ ref: MAIN, old, next: commit.oid }] });
    old = commit.oid;
  }
}
