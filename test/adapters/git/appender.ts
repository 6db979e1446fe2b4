// A program that appends, run by tests as a process of its own, so that it can be killed, limited or raced for real.
// Arguments: folder, then JSON options. Prints `committed <oid>` or `refused <code>` for each change.
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { Failure } from '../../../src/failure.ts';
import { chain } from '../../support/objects.ts';

export type AppenderOptions = {
  readonly ref: string;
  readonly label: string;
  /** How many commits to add, one by one. */
  readonly commits: number;
  readonly from?: string;
  /** Dies, as if the power went, when this step is reached for the n-th time. */
  readonly dieAt?: { readonly step: string; readonly times: number };
  /** Waits for a line on stdin before the first commit. */
  readonly waits?: boolean;
  /** Becomes this user first: whoever is root may write anywhere. */
  readonly uid?: number;
};

const [folder = '', json = '{}'] = process.argv.slice(2);
const options = JSON.parse(json) as AppenderOptions;
if (options.uid !== undefined) process.setuid?.(options.uid);

let reached = 0;
const repository = await openRepository(folder, {
  onPoint: (step) => {
    if (step === options.dieAt?.step && ++reached === options.dieAt.times) process.kill(process.pid, 'SIGKILL');
  },
});
console.log('ready');
if (options.waits === true) await new Promise((resolve) => process.stdin.once('data', resolve));
let old = options.from;
for (const { objects, commit } of chain(options.commits, options.label, options.from)) {
  try {
    await repository.commit({ objects, updates: [{ ref: options.ref, old, next: commit.oid }] });
    console.log(`committed ${commit.oid}`);
    old = commit.oid;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.log(`refused ${error.code} ${JSON.stringify(error.facts)}`);
    break;
  }
}
await repository.close();
process.stdin.destroy();
