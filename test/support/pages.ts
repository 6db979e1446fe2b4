// Which pages hold console blocks that are run, and which of them need gpg to be installed.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;

export function transcriptPages(): { readonly page: string; readonly needsGpg: boolean }[] {
  const pages = ['README.md', ...markdownIn('docs/guide'), ...markdownIn('test/transcripts')].map((name) =>
    join(ROOT, name),
  );
  return pages.flatMap((page) => {
    const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
    return text.includes('```console') ? [{ page, needsGpg: text.includes('<!-- needs: gpg -->') }] : [];
  });
}

function markdownIn(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder)).flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : []));
}
