// Which pages hold console blocks that are run, and what each of them needs to be installed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;

type Need = 'gpg' | 'cell' | 'gitea' | 'nothing';

export function transcriptPages(needs: Need): readonly string[] {
  const pages = ['README.md', 'docs/runbook.md', ...markdownIn('docs/guide'), ...markdownIn('test/transcripts')].map(
    (name) => join(ROOT, name),
  );
  return pages.filter((page) => {
    const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
    return text.includes('```console') && (/<!-- needs: (gpg|cell|gitea) -->/.exec(text)?.[1] ?? 'nothing') === needs;
  });
}

function markdownIn(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : []));
}
