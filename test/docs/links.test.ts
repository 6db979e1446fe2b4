// No page points at what is not there: files, headings, and the sources and tests that a page names as its proof.
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchors, isThere, pages, read } from './pages.ts';

describe.each(pages())('%s', (page) => {
  const text = read(page);
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');

  it('links only to pages and headings that exist', () => {
    const broken = [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => {
        if (/^(https?|mailto):/.test(target)) return false;
        const [path, heading] = target.split('#') as [string, string | undefined];
        const file = path === '' ? page : normalize(join(dirname(page), path));
        if (!isThere(file)) return true;
        return heading !== undefined && !anchors(read(file)).has(heading);
      });
    expect(broken).toEqual([]);
  });

  it('names only files and folders that exist', () => {
    const named = [...prose.matchAll(/`((?:src|test|docs|hooks|templates|\.ci)\/[\w./-]*)`/g)].map(([, path]) => path!);
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });

  it('names only words of sources that these have', () => {
    const named = [...prose.matchAll(/`(\w+)(?:\(\))?` (?:in|of) `((?:src|test)\/[\w./-]+\.ts)`/g)];
    expect(named.filter(([, word, path]) => !read(path!).includes(word!)).map(([said]) => said)).toEqual([]);
  });
});
