// Builds what a hook of a clone looks with: objects, references and what was kept. Nothing that signs, asks or reaches out.
import { dirname } from 'node:path';
import { openRepository } from '../adapters/git/repository.ts';
import { workRepositories } from '../adapters/git/work.ts';
import { fileFolds } from '../adapters/state/file-folds.ts';
import type { Looking } from '../app/work-scope/check.ts';
import type { Keeping } from '../app/work-scope/kept.ts';
import type { Repository } from '../ports/repository.ts';

type HookWorld = Looking & Keeping & { readonly repository: Repository };

export async function openHookWorld(cwd: string): Promise<HookWorld> {
  const repository = await openRepository(cwd);
  const { stateDir } = repository;
  return {
    repository,
    folds: fileFolds(stateDir),
    work: { repositories: workRepositories, source: dirname(stateDir) },
  };
}
