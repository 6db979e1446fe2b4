// Finds out what a remote's name or address means here. Of a repository's configuration it takes the address of a remote and
// nothing else. No packet leaves the machine.
import { Failure } from '../../failure.ts';
import { parseAddress, type Address } from './address.ts';
import { valuesOf, type Configuration, type Setting } from './configuration.ts';

export type Where = { readonly url: string } | { readonly name: string };
export type Located = { readonly fetch: Address; readonly push: Address };

/** Throws `no_remote` for an unknown name, `remote_url_refused` and `remote_rewritten` for an address that must not be used. */
export function locate(configuration: Configuration, where: Where): Located {
  const all = [...configuration.person, ...configuration.repository];
  if ('url' in where) {
    // Before it is rewritten: this is where a leading dash and `ext::` end.
    parseAddress(where.url);
    const address = parseAddress(rewritten(configuration, where.url, ['insteadof']));
    return { fetch: address, push: address };
  }
  const [url] = valuesOf(all, `remote.${where.name}.url`);
  if (url === undefined) throw new Failure('no_remote', { name: where.name });
  const [pushUrl] = valuesOf(all, `remote.${where.name}.pushurl`);
  const push =
    pushUrl === undefined
      ? rewritten(configuration, url, ['pushinsteadof', 'insteadof'])
      : rewritten(configuration, pushUrl, ['insteadof']);
  return { fetch: parseAddress(rewritten(configuration, url, ['insteadof'])), push: parseAddress(push) };
}

type Rewriting = 'insteadof' | 'pushinsteadof';

/**
 * Once, as git does, and by the person's own rules. A rule of the repository would send what was typed, and the login kept
 * for it, to an address of its author: where one applies, nothing is done, because doing as if it were not there would
 * surprise the person who made it.
 */
function rewritten({ person, repository }: Configuration, url: string, kinds: readonly Rewriting[]): string {
  const apply = (settings: readonly Setting[]): string =>
    kinds.map((kind) => rewriteBy(settings, url, kind)).find((found) => found !== undefined) ?? url;
  const own = apply(person);
  if (apply([...person, ...repository]) !== own) throw new Failure('remote_rewritten');
  return own;
}

/** The longest beginning wins, of two as long the first. */
function rewriteBy(settings: readonly Setting[], url: string, kind: Rewriting): string | undefined {
  let best: { readonly base: string; readonly beginning: string } | undefined;
  for (const [key, beginning] of settings) {
    const base = /^url\.([^]*)\.([a-z]+)$/.exec(key);
    if (base?.[2] !== kind || !url.startsWith(beginning)) continue;
    if (best === undefined || beginning.length > best.beginning.length) best = { base: base[1]!, beginning };
  }
  return best === undefined ? undefined : best.base + url.slice(best.beginning.length);
}
