// The threads of a page for people who comment: who types what in an issue, and what they then read there. Played on a gate by
// whoever asks for it; here is only what a block says and how it is compared.

type Line =
  | { readonly is: 'typed'; readonly line: number; readonly by: string; readonly text: string }
  | { readonly is: 'happens'; readonly line: number; readonly what: string }
  /** What the status comment has, in this order. */
  | { readonly is: 'status'; readonly line: number };

export type Said = Line & { readonly answered: readonly string[] };

/**
 * In a block `thread`: `ben: /why` is a comment (`| ` continues it), `(…)` something that happens elsewhere, `status:` looks
 * at the status comment; `> ` says what is read then, `[..]` any text within a line and `[...]` any lines.
 */
export function threadsOf(markdown: string): Said[] {
  const said: { line: Line; answered: string[] }[] = [];
  let inside = false;
  for (const [i, text] of markdown.split('\n').entries()) {
    const line = i + 1;
    const last = said.at(-1);
    const typed = /^([a-z]+): (.+)$/.exec(text);
    if (text.startsWith('```')) inside = text === '```thread';
    else if (!inside || text === '') continue;
    else if (text === 'status:') said.push({ line: { is: 'status', line }, answered: [] });
    else if (typed !== null) {
      said.push({ line: { is: 'typed', line, by: typed[1]!, text: typed[2]! }, answered: [] });
    } else if (/^\(.+\)$/.test(text)) {
      said.push({ line: { is: 'happens', line, what: text.slice(1, -1) }, answered: [] });
    } else if (text.startsWith('> ') || text === '>') last!.answered.push(text.slice(2));
    else if (text.startsWith('| ') && last?.line.is === 'typed') {
      last.line = { ...last.line, text: `${last.line.text}\n${text.slice(2)}` };
    } else throw new Error(`line ${line}: no line of a thread: ${text}`);
  }
  return said.map(({ line, answered }) => ({ ...line, answered }));
}

/** What people read of a comment: neither our marks nor the fences that keep a line to paste whole. */
export function asRead(comment: string): string[] {
  return comment
    .replaceAll(/<!--[^]*?-->/g, '')
    .split('\n')
    .filter((line) => line !== '' && !/^`{3,}/.test(line));
}
