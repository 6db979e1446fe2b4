// Text that people approve and machines then act on. What is shown must be all there is: no control, bidirectional or
// zero-width character, no invisible tag, no second spelling of the same letters. Knows nothing of what the text means.
import { z } from 'zod';

// Format characters reorder what is read, and tags and variation selectors carry words that only a model sees.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{e0000}-\u{e0fff}]/u;
const HIDDEN_IN_PROSE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{e0000}-\u{e0fff}]/u;

export function isPlainLine(text: string): boolean {
  return !HIDDEN.test(text) && text.normalize('NFC') === text;
}

/** One line, not blank. */
export function Line(charactersMax: number) {
  return z
    .string()
    .min(1)
    .max(charactersMax)
    .refine((text) => text.trim() === text, 'has blanks at an end')
    .refine(isPlainLine, 'holds a line break, a control or invisible character, or is not in Unicode form NFC');
}

/** Several lines, or none. */
export function Prose(charactersMax: number) {
  return z
    .string()
    .max(charactersMax)
    .refine((text) => !HIDDEN_IN_PROSE.test(text), 'holds a control or invisible character')
    .refine((text) => text.normalize('NFC') === text, 'is not in Unicode form NFC');
}
