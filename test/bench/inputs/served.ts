// Ledgers behind a server: a bare repository that it offers, and clones that push to it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openRemote } from '../../../src/adapters/git-remote/open-remote.ts';
import type { Remote } from '../../../src/ports/remote.ts';
import type { Repository } from '../../../src/ports/repository.ts';
import type { Bench } from '../bench.ts';
import { git } from '../../support/repos.ts';
import { spawnBeside } from '../processes/spawned.ts';
import { ana, growTo, openBench, type BuiltLedger, type Shape } from './ledger.ts';

export type Server = {
  /** A copy of the ledger on the server. */
  readonly host: (ledger: BuiltLedger) => Promise<Hosted>;
  /** A ledger that was pushed there commit by commit, and lies there as pushes are packed. */
  readonly grow: (shape: Shape) => Promise<Hosted>;
};

export type Hosted = { readonly url: string; readonly ledger: BuiltLedger };

export async function startServer(bench: Bench, name: string): Promise<Server> {
  const root = bench.path(`server-${name}`);
  mkdirSync(root);
  const server = spawnBeside(bench, 'server', [root]);
  const origin = await server.line();
  let repositories = 0;
  const host = async (ledger: BuiltLedger): Promise<Hosted> => {
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
  };
  return {
    host,
    grow: async (shape) => {
      const begun = await bench.ledger(1, 1);
      const { url, ledger } = await host(begun);
      const clone = await bench.copy(begun);
      const workbench = await openBench(clone.path, { remote: remoteOf(url, clone.path) });
      try {
        await growTo(await workbench.open(begun.ref, ana), shape);
      } finally {
        await workbench.close();
      }
      await bench.discard(clone);
      return { url, ledger: { ...ledger, commits: shape.commits, events: 1 + (shape.commits - 1) * shape.eventsEach } };
    },
  };
}

export function remoteOf(url: string, cwd: string): (repository: Repository) => Promise<Remote> {
  return (repository) => openRemote({ repository, cwd, where: { url }, env: process.env });
}
