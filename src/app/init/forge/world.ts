// What setting up a forge works with: the forge, one repository on it, and this clone of that repository, once alone and
// once with the forge as the place where ledgers live.
import type { Forge, ForgeRepository, RepositoryFacts, RepositoryName } from '../../../ports/forge.ts';
import type { KeyStore } from '../../../ports/keys.ts';
import type { Remote } from '../../../ports/remote.ts';
import type { WorkTree } from '../../../ports/work-tree.ts';
import type { Workbench } from '../../workbench.ts';

export type ForgeWorld = {
  readonly forge: Forge;
  readonly name: RepositoryName;
  readonly repository: ForgeRepository;
  readonly facts: RepositoryFacts;
  readonly workTree: WorkTree;
  /** Ledgers here, ledgers there. */
  readonly near: Workbench;
  readonly far: Workbench;
  /** Another repository of the forge, for objects of ours. */
  readonly remoteAt: (url: string) => Promise<Remote>;
  /** Keys on their way to the forge: of this clone alone, and empty again when they have arrived. */
  readonly onTheirWay: KeyStore;
};

/** What is typed to set this repository up, or up to date. */
export function setUpLine(
  { forge, name }: { readonly forge: Pick<Forge, 'displayUrl'>; readonly name: RepositoryName },
  more?: string,
): string {
  const line = `lazarus init --forge ${forge.displayUrl} --repo ${name.owner}/${name.name}`;
  return more === undefined ? line : `${line} ${more}`;
}
