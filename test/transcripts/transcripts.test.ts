// Every page with console blocks is run: those here, the README and the guide.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { transcriptPages } from '../support/pages.ts';
import { matches, parseTranscript, runTranscript } from '../support/transcript.ts';

describe('what the documentation shows is what happens', () => {
  it.each(transcriptPages('nothing'))('%s', (page) => runTranscript(page));
});

describe('a page', () => {
  it('is one session: folders, variables and files last, and each page starts empty', async () => {
    await run(
      '$ ls\n$ mkdir a; cd a; export X=1\n$ printf "$X\\nno newline at the end"\n1\nno newline at the end\n$ cat\n$ (exit 3)\n? 3',
    );
  });

  it.each([
    ['other output', '$ echo one\ntwo'],
    ['output that is not shown', '$ echo one'],
    ['output that is missing', '$ true\none'],
    ['another exit code', '$ false'],
    ['an exit code that was promised', '$ true\n? 1'],
    ['a shell that was left', '$ exit 0'],
  ])('fails on %s', async (_, block) => {
    await expect(run(block)).rejects.toThrow();
  });

  it('is matched line by line', () => {
    expect(matches(['a [..] c', '[...]', 'z'], 'a b c\nanything\n\nz')).toBe(true);
    expect(matches(['a [..] c', '[...]', 'z'], 'a b c\nz')).toBe(true);
    expect(matches(['a [..] c'], 'a b\n c')).toBe(false);
    expect(matches(['a.c'], 'abc')).toBe(false);
    expect(matches([], '')).toBe(true);
  });

  it('may show what a command prints apart from it, whatever that looks like', () => {
    const block = (kind: string, text: string): string => `\`\`\`${kind}\n${text}\n\`\`\`\n`;
    const steps = parseTranscript(
      `${block('console', '$ it')}\nso it is\n\n${block('output', '> $ this\n$ that\n? 3')}`,
    );
    expect(steps).toEqual([{ line: 2, command: 'it', output: ['> $ this', '$ that'], code: 3 }]);
    expect(() => parseTranscript(block('output', 'of nothing'))).toThrow('a command comes first');
  });

  it('runs console blocks only, and knows their lines', () => {
    const steps = parseTranscript('```sh\n$ rm -rf\n```\n```console\n$ cat <<E\n> x\n> E\nx\n\n? 0\n```\n');
    expect(steps).toEqual([{ line: 5, command: 'cat <<E\nx\nE', output: ['x'], code: 0 }]);
  });
});

async function run(block: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  try {
    const page = join(folder, 'page.md');
    writeFileSync(page, `\`\`\`console\n${block}\n\`\`\`\n`);
    await runTranscript(page);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
