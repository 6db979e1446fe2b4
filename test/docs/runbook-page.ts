// The runbook's sections as a test reads them: what stands under each of their headings, what is quoted of an issue, and the
// one line to type. Knows no fault.
import { read } from './pages.ts';

export type Section = {
  readonly fault: string;
  readonly text: string;
  /** Under *What you see*, *Type* and *What comes of it*, in this order. */
  readonly parts: readonly string[];
  /** What the section shows of an issue, in order. */
  readonly quotes: readonly (readonly string[])[];
};

export const PARTS = ['What you see', 'Type', 'What comes of it'] as const;

export function runbook(): { readonly head: string; readonly sections: readonly Section[] } {
  const [head = '', ...texts] = read('docs/runbook.md').split(/^## /m);
  return { head, sections: texts.map(sectionOf) };
}

function sectionOf(text: string): Section {
  const [, fault = ''] = /^(.*)\n/.exec(text)!;
  const [, ...parts] = text.split(new RegExp(String.raw`^\*\*(?:${PARTS.join('|')})\*\*`, 'm'));
  const quotes = (text.replaceAll(/^```[^]*?^```$/gm, '').match(/^>.*(?:\n>.*)*/gm) ?? []).map((quote) =>
    quote.split('\n').map(unquoted),
  );
  return { fault, text, parts, quotes };
}

function unquoted(line: string): string {
  return line.replace(/^> ?/, '');
}

/** The commands and comments of a part, one line each. */
export function typedIn(part: string): readonly string[] {
  return [...part.matchAll(/^```(console|comment)\n([^]*?)^```$/gm)].flatMap(([, kind, body]) =>
    body!.split('\n').flatMap((line) => {
      if (kind === 'comment') return line === '' ? [] : [line];
      return line.startsWith('$ ') ? [line.slice(2)] : [];
    }),
  );
}

/** Names, digests, instants and numbers of comments are other ones each time. */
export function alike(text: string): string {
  return text
    .replaceAll(/\bm-[0-9a-f]{12}\b/g, 'm-…')
    .replaceAll(/\b[0-9a-f]{12,64}\b/g, '#')
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/g, '@')
    .replaceAll(/\b\d+ s\b/g, 'n s')
    .replaceAll(/\b([Cc]omment) \d+/g, '$1 n')
    .replaceAll(/\]\([^)]*\)/g, ']()');
}

/** Whether a text of the forge has the lines of a quote, one after the other; a line `…` stands for any lines. */
export function shows(text: string, quote: readonly string[]): boolean {
  const pattern = quote.map((line) => (line === '…' ? '(?:.*\n)*?' : `${literally(alike(line))}\n`)).join('');
  return new RegExp(`^${pattern}`, 'm').test(`${alike(text)}\n`);
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
