// What a process remembers of ledgers it verified, for as long as it lives.
import type { Pin, Pins } from '../../ports/pins.ts';

export function memoryPins(): Pins {
  const all = new Map<string, Pin>();
  return {
    read: (ledger) => Promise.resolve(all.get(ledger)),
    write: (ledger, pin) => {
      all.set(ledger, pin);
      return Promise.resolve();
    },
  };
}
