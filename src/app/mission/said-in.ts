// The words somebody gave a command in, to be kept beside what follows from it: a comment as the forge's event had it, or a
// line typed at a computer of one's own. Knows no command.
import { utf8 } from '../../format/bytes.ts';
import { recorded, type CameIn } from '../../kernel/decide/ingress.ts';
import type { Drafts, Names } from '../../kernel/decide/about.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import type { DrawnDocument, NewDocument } from '../artifacts/documents.ts';

export type SaidIn = Pick<CameIn, 'forge' | 'anchor'> & { readonly body: Uint8Array };

export function typedHere(...words: readonly string[]): SaidIn {
  return { body: utf8(`${words.join(' ')}\n`), forge: null, anchor: null };
}

export function wordsOf({ body }: SaidIn): NewDocument {
  return { content: body, mediaType: 'text/plain' };
}

/** Drafts with the record of the words before them; nothing, where the words have counted already. */
export function asSaid(
  state: MissionState | undefined,
  { saidIn, words, resolution }: { saidIn: SaidIn; words: DrawnDocument; resolution: CameIn['resolution'] },
  names: Names,
  follows: (state: MissionState) => Verdict<Drafts>,
): Verdict<Drafts> {
  if (state === undefined) return refuse('ledger_not_opened');
  const { forge, anchor } = saidIn;
  const came = recorded(state, { raw: words.digest, forge, anchor, resolution }, names);
  if (came.is === 'refused') return came;
  const next = follows(state);
  return next.is === 'refused' ? next : accept([...came.value, ...next.value]);
}
