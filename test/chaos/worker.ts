// A program that appends to a ledger the way a command does, run by tests as a process of its own: raced, cut off, killed.
// Arguments: folder, then JSON options. Prints one line for each submission; never what it signed with.
import { aesCipher } from '../../src/adapters/artifacts/aes-cipher.ts';
import { openRemote } from '../../src/adapters/git-remote/open-remote.ts';
import { openRepository } from '../../src/adapters/git/repository.ts';
import { fileFolds } from '../../src/adapters/state/file-folds.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';
import { filePins } from '../../src/adapters/state/file-pins.ts';
import { appendWanted, type Wanted } from '../../src/app/append.ts';
import { drawDocuments } from '../../src/app/artifacts/documents.ts';
import { MissionDesk } from '../../src/app/mission-desk.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { Failure } from '../../src/failure.ts';
import { utf8 } from '../../src/format/bytes.ts';
import type { Pins } from '../../src/ports/pins.ts';
import type { Remote } from '../../src/ports/remote.ts';
import { claiming } from './claiming.ts';
import { testKey } from '../support/people.ts';
import { benchOver } from '../support/workbench.ts';

export type WorkerOptions = {
  readonly key: string;
  readonly ref: string;
  readonly remote?: string;
  /** One transaction each. */
  readonly appends: readonly Wanted[];
  /** Instead of them one act: a document, a note and a claim of `src/**` in the project, in one change. */
  readonly claimsFor?: string;
  /** All in one breath, so that they share a push; else one after the other. */
  readonly isTogether?: boolean;
  /** Dies, as if the power went, when this step is reached for the n-th time after the ledger was opened. */
  readonly dieAt?: { readonly step: string; readonly times: number };
  /** Waits for a line on stdin before the first append. */
  readonly waits?: boolean;
  /** Becomes this user first: whoever is root may write anywhere. */
  readonly uid?: number;
};

const [folder = '', json = '{}'] = process.argv.slice(2);
const options = JSON.parse(json) as WorkerOptions;
if (options.uid !== undefined) process.setuid?.(options.uid);

let isArmed = false;
let reached = 0;
try {
  await run();
} catch (error) {
  report('failed', error);
}
process.stdin.destroy();

async function run(): Promise<void> {
  const repository = await openRepository(folder, { onPoint: step });
  const { remote } = options;
  const opened =
    remote === undefined ? undefined : await openRemote({ repository, cwd: folder, where: { url: remote }, env: {} });
  const bench = benchOver(repository, {
    remote: opened === undefined ? undefined : steppedRemote(opened),
    pins: steppedPins(filePins(repository.stateDir)),
    folds: fileFolds(repository.stateDir),
  });
  if (options.claimsFor !== undefined) return act(bench, options.claimsFor);
  const session = await bench.open(options.ref, testKey(options.key));
  console.log('ready');
  if (options.waits === true) await new Promise((resolve) => process.stdin.once('data', resolve));
  isArmed = true;
  const one = async (wanted: Wanted): Promise<void> => {
    try {
      const verdict = await session.submit(appendWanted([wanted], systemIds));
      if (verdict.is === 'refused') console.log(`refused ${verdict.code}`);
      else console.log(`landed ${verdict.value.tx} ${verdict.value.from} ${verdict.value.attempts}`);
    } catch (error) {
      report('failed', error);
    }
  };
  if (options.isTogether === true) await Promise.all(options.appends.map(one));
  else for (const wanted of options.appends) await one(wanted);
  await bench.close();
}

async function act(bench: Workbench, mission: string): Promise<void> {
  const keys = { read: async () => undefined, write: async () => undefined, destroy: async () => false };
  const wanted = [{ content: utf8('work'), mediaType: 'text/plain' }];
  const drawn = await drawDocuments(bench, { cipher: aesCipher, keys }, wanted);
  const project = await bench.project();
  const desk = new MissionDesk(bench, { ref: options.ref, signer: testKey(options.key), project });
  await desk.state();
  console.log('ready');
  isArmed = true;
  const verdict = await desk.transact(claiming(mission, drawn));
  if (verdict.is === 'refused') console.log(`refused ${verdict.code}`);
  else
    console.log(`landed ${verdict.value.mission.tx} ${verdict.value.mission.from} ${verdict.value.mission.attempts}`);
  await bench.close();
}

function report(what: string, error: unknown): void {
  if (!(error instanceof Failure)) throw error;
  console.log(`${what} ${error.code} ${JSON.stringify(error.facts)}`);
}

function step(name: string): void {
  if (isArmed && name === options.dieAt?.step && ++reached === options.dieAt.times)
    process.kill(process.pid, 'SIGKILL');
}

function steppedRemote(remote: Remote): Remote {
  return {
    ...remote,
    push: async (change) => {
      step('push_begins');
      const outcome = await remote.push(change);
      step('push_answered');
      return outcome;
    },
  };
}

function steppedPins(pins: Pins): Pins {
  return {
    ...pins,
    write: async (ledger, pin) => {
      step('pin_begins');
      await pins.write(ledger, pin);
      step('pin_written');
    },
  };
}
