// Calling a mission off, with the words that was done in, and with everything that follows where nothing runs: then its paths
// are free in the same change. Where a cell runs, whoever supervises it finds the word and closes it.
import { decideCancel, type Cancelling } from '../../kernel/decide/cancel.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import { drawDocuments } from '../artifacts/documents.ts';
import { leaveIfOver } from './claims.ts';
import { asSaid, typedHere, wordsOf, type SaidIn } from './said-in.ts';
import { namesFrom, type Acting } from './world.ts';

export type Cancel = Pick<Cancelling, 'actor'> & {
  readonly reason?: Uint8Array | undefined;
  /** The comment it was said in; left out where somebody says it under their own key. */
  readonly saidIn?: SaidIn | undefined;
};

export async function cancel(
  { world, desk, principal }: Acting,
  { actor, reason, saidIn = typedHere('cancel') }: Cancel,
): Promise<Verdict<MissionState>> {
  const { bench, kit } = world;
  const why = reason === undefined ? [] : [{ content: reason, mediaType: 'text/plain' }];
  const documents = await drawDocuments(bench, kit, [wordsOf(saidIn), ...why]);
  const names = namesFrom(bench.parts.ids);
  const said = { forge: saidIn.forge, reason: documents[1]?.digest ?? null, actor };
  const written = await desk.transact({
    documents,
    decide: (state) =>
      asSaid(state, { saidIn, words: documents[0]!, resolution: 'control' }, names, (now) =>
        decideCancel(now, said, principal, names),
      ),
    inProject: (project, after) => leaveIfOver(after)(project),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}
