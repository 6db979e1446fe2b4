// How deep a YAML text nests, before it is parsed: a text of brackets alone makes the parser recurse until the process
// dies. Reads signs only, no structure.
import { Lexer } from 'yaml';

export const DEPTH_MAX = 32;

/** The lexer's mark in front of a plain scalar, whose text may look like a sign. */
const SCALAR = '\u001f';

/** Where nesting becomes too deep, or undefined. Indentation is bounded by the length of the text already. */
export function depthFault(text: string): { readonly line: number; readonly why: string } | undefined {
  let brackets = 0;
  let inLine = 0;
  let line = 1;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (!isScalar && (token === '[' || token === '{')) brackets++;
    if (!isScalar && (token === ']' || token === '}')) brackets--;
    // `- - - -` and `? ? ?` nest without brackets.
    if (!isScalar && (token === '-' || token === '?' || token === ':')) inLine++;
    if (brackets > DEPTH_MAX || inLine > DEPTH_MAX) return { line, why: `is nested deeper than ${DEPTH_MAX}` };
    if (!isScalar && token === ',') inLine = 0;
    const breaks = token.split('\n').length - 1;
    if (breaks > 0 && brackets === 0) inLine = 0;
    line += breaks;
    isScalar = token === SCALAR;
  }
  return undefined;
}
