// Prepared environments on this machine: found by what they are made of, made in cells of their own, mounted from the cache
// beside the cells' folders.
import { Failure } from '../../../failure.ts';
import { environmentKey } from '../../../kernel/policy/environment-key.ts';
import type { PreparedMount } from '../../../ports/cells.ts';
import type { EnvironmentCache, Environments, FoundEnvironment } from '../../../ports/environments.ts';
import { certificatesIn } from '../../system/certificates.ts';
import { nodeCrypto } from '../../system/node-crypto.ts';
import type { Parts } from '../cells.ts';
import { entriesIn } from './entries.ts';
import { namedFiles } from './named-files.ts';
import { prepareEntry } from './prepare.ts';
import { toolchainOf } from './toolchain.ts';

/** `bytesMax`: of all entries together. */
export function environmentsIn(parts: Parts, bytesMax?: number): Environments & EnvironmentCache {
  const entries = entriesIn(parts.folder, bytesMax);
  return {
    async find(wanted) {
      const { environment, project, origin, caFile } = wanted;
      const files = await namedFiles(parts.repositories, project, environment.files);
      const toolchain = toolchainOf(environment);
      const certificates = environment.hosts.length === 0 || caFile === null ? [] : await certificatesIn(caFile);
      const key = environmentKey({ environment, files, toolchain, origin, certificates }, nodeCrypto);
      // Tools alone: nothing is made, and nothing has to be there.
      const isReady = environment.makes.length === 0 || entries.has(key);
      return { ...wanted, key, isReady };
    },
    async prepare(found, cell) {
      const files = await namedFiles(parts.repositories, found.project, found.environment.files);
      return prepareEntry(parts, entries, { found, files, cell });
    },
    async mount(found) {
      const gone = found.find(({ environment, key }) => environment.makes.length > 0 && !entries.has(key));
      if (gone !== undefined) throw new Failure('environment_missing', { environment: gone.name, key: gone.key });
      return {
        prepared: found.flatMap((one) => mountsOf(entries.treeOf(one.key), one)),
        tools: [...new Set(found.flatMap(({ environment }) => environment.tools))],
        path: found.flatMap(pathOf),
      };
    },
    list: entries.list,
    verify: entries.verify,
    clear: entries.clear,
  };
}

/** An agent's own program lies together, whatever folders it is made of; a project's stand where its tools look for them. */
function mountsOf(tree: string, { environment, at }: FoundEnvironment): readonly PreparedMount[] {
  const { makes, writable } = environment;
  if (at === 'agent') return makes.length === 0 ? [] : [{ from: tree, at: '/cell/agent', writable }];
  return makes.map((made) => ({
    from: `${tree}/${made}`,
    at: `/cell/project/${made}`,
    writable: writable.filter((path) => path.startsWith(`${made}/`)).map((path) => path.slice(made.length + 1)),
  }));
}

function pathOf({ environment, at }: FoundEnvironment): readonly string[] {
  return environment.path.map((path) => (path.startsWith('/') ? path : `/cell/${at}/${path}`));
}
