// Appends to a local clone and keeps what was written, so that a peer can push exactly the same.
import { ana, landed, notes, openBench, type BuiltLedger } from './ledger.ts';
import { LedgerSession } from '../../../src/app/ledger-session.ts';
import type { Change } from '../../../src/ports/repository.ts';
import type { Place } from '../../../src/app/place.ts';
import type { Workbench } from '../../../src/app/workbench.ts';

export class RecordedLedger {
  readonly #workbench: Workbench;
  readonly #session: LedgerSession;
  readonly #changes: Change[];
  #appended = 0;

  private constructor(workbench: Workbench, session: LedgerSession, changes: Change[]) {
    this.#workbench = workbench;
    this.#session = session;
    this.#changes = changes;
  }

  static async open(ledger: BuiltLedger): Promise<RecordedLedger> {
    const workbench = await openBench(ledger.path);
    const changes: Change[] = [];
    const { place, parts } = workbench;
    const recording: Place = {
      ...place,
      moveAhead: (change) => {
        changes.push(change);
        return place.moveAhead(change);
      },
    };
    const world = { ...parts, place: recording };
    const session = new LedgerSession(world, ledger.ref, ana, await workbench.project());
    return new RecordedLedger(workbench, session, changes);
  }

  async append(): Promise<Change> {
    await landed(this.#session, notes(this.#appended++, 1));
    return this.#changes.pop()!;
  }

  close(): Promise<void> {
    return this.#workbench.close();
  }
}
