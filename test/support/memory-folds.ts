// Folds in memory. What was written comes back with its keys sorted, as it would from any canonical text: no rule may
// depend on the order in which a state was put together.
import { jcs } from '../../src/format/jcs.ts';
import type { Folds, KeptFold } from '../../src/ports/folds.ts';

export function memoryFolds(): Required<Folds> {
  const kept = new Map<string, string>();
  return {
    read(ledger, name) {
      const text = kept.get(`${ledger} ${name}`);
      return Promise.resolve(text === undefined ? undefined : (JSON.parse(text) as KeptFold));
    },
    write(ledger, name, fold) {
      kept.set(`${ledger} ${name}`, jcs(fold));
      return Promise.resolve();
    },
  };
}
