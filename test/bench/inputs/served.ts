// Ledgers behind a server: a bare repository that it offers, and clones that push to it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRemote } from '../../../src/adapters/git-remote/open-remote.ts';
import type { Remote } from '../../../src/ports/remote.ts';
import type { Repository } from '../../../src/ports/repository.ts';
import type { Bench } from '../bench.ts';
import { git } from '../../support/repos.ts';
import { spawnBeside } from '../processes/spawned.ts';
import type { BuiltLedger } from './ledger.ts';

export type Server = {
  /** A copy of the ledger on the server. */
  readonly host: (ledger: BuiltLedger) => Promise<Hosted>;
};

export type Hosted = { readonly url: string; readonly ledger: BuiltLedger };

export async function startServer(bench: Bench, name: string): Promise<Server> {
  const root = bench.path(`server-${name}`);
  mkdirSync(root);
  const server = spawnBeside(bench, 'server', [root]);
  const origin = await server.line();
  let repositories = 0;
  return {
    host: async (ledger) => {
      const repository = `${repositories++}.git`;
      const hosted = await bench.copy(ledger, join(root, repository));
      // As forges set theirs up; upkeep is a job of its own there too.
      for (const key of ['http.receivepack', 'uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant'])
        git(hosted.path, ['config', key, 'true']);
      for (const [key, value] of [
        ['receive.autogc', 'false'],
        ['gc.auto', '0'],
      ] as const)
        git(hosted.path, ['config', key, value]);
      return { url: `${origin}/${repository}`, ledger: hosted };
    },
  };
}

export function remoteOf(url: string, cwd: string): (repository: Repository) => Promise<Remote> {
  return (repository) => openRemote({ repository, cwd, where: { url }, env: process.env });
}
