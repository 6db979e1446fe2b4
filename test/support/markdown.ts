// What a reader of Markdown makes of our comments: which parts are code, which links, images and HTML there are.
import MarkdownIt from 'markdown-it';

/** More willing than any forge: raw HTML, bare addresses as links, tables, deletions. */
const reader = new MarkdownIt('default', { html: true, linkify: true });

export type Seen = {
  /** Prose: all text outside code. */
  readonly prose: string;
  readonly code: readonly string[];
  readonly links: readonly string[];
  readonly images: number;
  readonly html: readonly string[];
};

export function seen(markdown: string): Seen {
  const all = reader.parse(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  const of = (...types: string[]) => all.filter(({ type }) => types.includes(type));
  const contents = (tokens: readonly { readonly content: string }[]) => tokens.map(({ content }) => content);
  return {
    prose: contents(of('text')).join(' '),
    code: contents(of('code_inline', 'fence', 'code_block')),
    links: of('link_open').map((token) => String(token.attrGet('href'))),
    images: of('image').length,
    html: contents(of('html_block', 'html_inline')).map((html) => html.trim()),
  };
}
