// Holding a mission, or letting it go on, with the words that was said in. What follows is due afterwards, for whoever may.
import { decideHold, type Holding } from '../../kernel/decide/hold.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import { drawDocuments } from '../artifacts/documents.ts';
import { asSaid, typedHere, wordsOf, type SaidIn } from './said-in.ts';
import { namesFrom, type Acting } from './world.ts';

export type Hold = Pick<Holding, 'is' | 'actor'> & {
  readonly reason?: Uint8Array | undefined;
  /** The comment it was said in; left out where somebody says it under their own key. */
  readonly saidIn?: SaidIn | undefined;
};

export async function hold(
  { world, desk }: Acting,
  { is, actor, reason, saidIn = typedHere(is === 'held' ? 'hold' : 'unhold') }: Hold,
): Promise<Verdict<MissionState>> {
  const { bench, kit } = world;
  const why = reason === undefined ? [] : [{ content: reason, mediaType: 'text/plain' }];
  const documents = await drawDocuments(bench, kit, [wordsOf(saidIn), ...why]);
  const names = namesFrom(bench.parts.ids);
  const said = { is, forge: saidIn.forge, reason: documents[1]?.digest ?? null, actor };
  const written = await desk.transact({
    documents,
    decide: (state) =>
      asSaid(state, { saidIn, words: documents[0]!, resolution: 'control' }, names, (now) => decideHold(now, said)),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}
