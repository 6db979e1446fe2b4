// Where a line stands, given what was left open above it: in a fence, a quote, a list, or at the top, to be read on its
// own. Knows one line at a time.
import { closesFence, indentOf, type Mark } from './comment-marks.ts';

export type Within =
  | { readonly is: 'top' | 'comment' | 'quote' | 'unclear' }
  | { readonly is: 'fence'; readonly fence: string }
  | { readonly is: 'list'; readonly width: number; readonly bare: boolean; readonly afterBlank: boolean }
  /** Text right below a quote, list or table, which may belong to it or not; `deep`: what is indented may as well. */
  | { readonly is: 'lazy'; readonly deep: boolean; readonly afterBlank: boolean };

export const TOP: Within = { is: 'top' };
const UNCLEAR: Within = { is: 'unclear' };

/** `read`: the line stands at the top and is read there; otherwise it belongs to what was open. */
type Step = { readonly within: Within; readonly read: boolean };

export function readBelow(within: Within, line: string, mark: Mark): Step {
  switch (within.is) {
    case 'top':
      return top;
    case 'unclear':
      return stay(within);
    case 'fence':
      return stay(closesFence(line, within.fence) ? TOP : within);
    case 'comment':
      return stay(line.includes('-->') ? TOP : within);
    case 'quote':
      if (mark.is === 'quote') return stay(within);
      return belowContainer(mark, false);
    case 'list':
      return belowItem(within, line, mark);
    case 'lazy':
      return belowLazy(within, line, mark);
  }
}

const top: Step = { within: TOP, read: true };

function stay(within: Within): Step {
  return { within, read: false };
}

/** A paragraph inside a quote or list goes on without its marks; anything that begins a block of its own does not. */
function belowContainer(mark: Mark, deep: boolean): Step {
  return mark.is === 'text' || mark.is === 'code' ? stay({ is: 'lazy', deep, afterBlank: false }) : top;
}

function belowItem(within: Within & { is: 'list' }, line: string, mark: Mark): Step {
  if (mark.is === 'blank') return within.bare ? top : stay({ ...within, afterBlank: true });
  if (indentOf(line) >= within.width) return stay({ ...within, bare: false, afterBlank: false });
  return within.afterBlank ? top : belowContainer(mark, true);
}

function belowLazy(within: Within & { is: 'lazy' }, line: string, mark: Mark): Step {
  if (mark.is === 'blank') return within.deep ? stay({ ...within, afterBlank: true }) : top;
  const plain = mark.is === 'text' || mark.is === 'code';
  if (within.deep && indentOf(line) > 0) return plain ? stay({ ...within, afterBlank: false }) : stay(UNCLEAR);
  if (within.afterBlank) return top;
  if (mark.is === 'item' && mark.weak) return stay(UNCLEAR);
  // Below a line that looks like the head of a table, a rule makes it one, and what follows its body.
  return plain || mark.is === 'rule' ? stay(within) : top;
}
