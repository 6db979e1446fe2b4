// A JSON text that an agent wrote, as a value. An agent can write anything, so its length is looked at first.
import { accept, refuse, type Verdict } from '../verdict.ts';

export function parseClaim(text: string, charactersMax: number): Verdict<unknown> {
  if (text.length > charactersMax)
    return refuse('json_malformed', { characters: text.length, characters_max: charactersMax });
  try {
    return accept(JSON.parse(text));
  } catch {
    // The parser's message quotes the text, which may hold anything.
    return refuse('json_malformed', { why: 'is not JSON' });
  }
}
