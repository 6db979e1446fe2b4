// The project's documents as text, for tests that hold them to the code.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;

/** Every Markdown page at the top level and below docs/, by its path in the repository. */
export function pages(): string[] {
  const top = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const below = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  return [...top, ...below.filter((name) => name.endsWith('.md')).map((name) => join('docs', name))].sort();
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

export function isThere(path: string): boolean {
  return existsSync(join(ROOT, path));
}

/** The fenced blocks of one kind, by the name that follows the kind: what stands between the fences. */
export function blocks(page: string, kind: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, info, name, body] of page.matchAll(/^```(\w+) (\S+)\n([\s\S]*?)^```$/gm)) {
    if (info === kind && name !== undefined && body !== undefined) found.set(name, body);
  }
  return found;
}

/** The name under which a heading can be linked to. */
export function anchors(page: string): Set<string> {
  const text = page.replace(/^```[\s\S]*?^```$/gm, '');
  return new Set(
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
