// The families of references beside the ledgers, as the page of the architecture lists them.
import { read } from './pages.ts';

type Family = { readonly name: string; readonly stays: boolean; readonly isLocal: boolean };

export function families(): readonly Family[] {
  const [, section = ''] = read('docs/architecture.md').split('## What lies beside the ledgers\n');
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| `([a-z][^`]*)` \| ([^|]*) \| [^|]* \| ([^|]*) \|$/gm)].map(([, name, is, away]) => ({
    name: name!,
    stays: away!.startsWith('stays'),
    isLocal: / in clones alone| in a runner’s own repository/.test(is!),
  }));
}
