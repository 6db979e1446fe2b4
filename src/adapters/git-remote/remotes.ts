// The remotes of a repository as its configuration names them, for whoever asks which forge it belongs to. Without the
// credentials that may stand in an address; what is no address we would use is left out. No packet leaves the machine.
import { readConfiguration } from './configuration.ts';
import { locate } from './locate.ts';

const TIMEOUT_MS = 10_000;

type NamedRemote = { readonly name: string; readonly is: 'http' | 'ssh' | 'file'; readonly url: string };

export async function remotesOf(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly NamedRemote[]> {
  const configuration = await readConfiguration(cwd, env, TIMEOUT_MS);
  const names = new Set(configuration.repository.flatMap(([key]) => /^remote\.([^]*)\.url$/.exec(key)?.[1] ?? []));
  return [...names].flatMap((name): NamedRemote[] => {
    try {
      const { is, url } = locate(configuration, { name }).fetch;
      return [{ name, is, url }];
    } catch {
      return [];
    }
  });
}
