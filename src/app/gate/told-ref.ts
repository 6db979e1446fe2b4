// What the people of a forge were told already, as one reference: the names of the things, which say nothing by themselves.
// Whoever may push can move it: then somebody is told twice, or of something not, and the board still has it.
import { fromUtf8 } from '../../format/bytes.ts';
import type { ToldBefore } from '../../ports/messenger.ts';
import type { Workbench } from '../workbench.ts';
import { pointerChange } from './pointers.ts';

const TOLD_REF = 'refs/lazarus/told';
const NAMES_MAX = 5_000;

export function toldOnForge(bench: Workbench): ToldBefore {
  let at: string | undefined;
  return {
    async read() {
      at = await bench.place.head(TOLD_REF);
      if (at === undefined) return undefined;
      for await (const { type, body } of bench.parts.repository.read([at])) {
        const text = type === 'commit' ? fromUtf8(body).trimEnd().split('\n').at(-1)! : '';
        return new Set(text.split(' '));
      }
      return undefined;
    },
    async keep(topics) {
      const text = ['told', ...[...topics].sort().slice(0, NAMES_MAX)].join(' ');
      // Another job that told at the same time was as right.
      await bench.place.move(pointerChange(bench, { ref: TOLD_REF, old: at, text }));
    },
  };
}
