// Checks the signatures of the commits that come next, a run of them in one go, before the walk reaches them: between
// other work each takes a third longer, because neither finds its code and tables in the processor's caches any more. Where
// there is a second core, it checks them, some runs ahead. Judges nothing. The walk asks as ever, and is answered from here
// only for the very same key, message and signature.
import { equalBytes } from '../../format/bytes.ts';
import type { Crypto, SignatureToCheck } from '../../format/crypto.ts';
import type { Verdict } from '../../kernel/verdict.ts';
import type { Tip } from '../../ledger/tip.ts';
import { readCommit, signatureToExpect, type ReadCommit } from '../../ledger/verify-commit.ts';
import type { Answers, SecondCore } from '../../ports/second-core.ts';
import type { Link } from './chain.ts';

type Ahead = { readonly read: Verdict<ReadCommit>; readonly expected: SignatureToCheck | undefined };
type Run = {
  readonly ahead: readonly Ahead[];
  /** About those that are expected, in order; undefined where nobody else was asked. */
  readonly answers: Answers | undefined;
};
type Answer = SignatureToCheck & { readonly isValid: boolean };

/** Long enough for warm caches, short enough that a flaw or a Ctrl-C is not waited for, and that two cores share well. */
const LINKS_PER_RUN = 32;
/** So that the second core always has something to do, and no more is held in memory than that takes. */
const RUNS_ASKED_AHEAD = 12;

export class SignaturesAhead {
  /** What to verify with: knows the answers for the commit last read. */
  readonly crypto: Crypto;
  readonly #links: readonly Link[];
  readonly #real: Crypto;
  readonly #second: SecondCore | undefined;
  /** Asked about and not yet reached; they follow on the run that is being walked. */
  readonly #asked: Run[] = [];
  /** Where the run that is being walked begins, and where the last one asked about ends. */
  #from = 0;
  #until = 0;
  #run: readonly Ahead[] = [];
  #answers: readonly (Answer | undefined)[] = [];
  #answer: Answer | undefined;

  constructor(crypto: Crypto, links: readonly Link[], second?: SecondCore) {
    this.#real = crypto;
    this.#links = links;
    this.#second = second;
    this.crypto = {
      ...crypto,
      verifyEd25519: (publicKey, message, signature) => this.#verify({ publicKey, message, signature }),
    };
  }

  /** Reads link `i`, the one after the last. `tip` says which keys to expect; where it is wrong about them, nothing is gained or lost. */
  read(i: number, tip: Tip): Verdict<ReadCommit> {
    if (i >= this.#from + this.#run.length) this.#goOn(i, tip);
    this.#answer = this.#answers[i - this.#from];
    return this.#run[i - this.#from]!.read;
  }

  #goOn(i: number, tip: Tip): void {
    const run = this.#asked.shift() ?? this.#nextRun(tip);
    while (this.#mayAskMore(tip)) this.#asked.push(this.#nextRun(tip));
    this.#from = i;
    this.#run = run.ahead;
    this.#answers = this.#answersTo(run);
  }

  #mayAskMore(tip: Tip): boolean {
    const isMore = this.#asked.length < RUNS_ASKED_AHEAD && this.#until < this.#links.length;
    return isMore && this.#second !== undefined && knowsSigners(tip);
  }

  #nextRun(tip: Tip): Run {
    const links = this.#links.slice(this.#until, this.#until + (knowsSigners(tip) ? LINKS_PER_RUN : 1));
    this.#until += links.length;
    const ahead = links.map(({ object }) => {
      const read = readCommit(this.#real, object);
      return { read, expected: read.is === 'accepted' ? signatureToExpect(this.#real, tip, read.value) : undefined };
    });
    return { ahead, answers: this.#second?.check(ahead.flatMap(({ expected }) => expected ?? [])) };
  }

  /** What the second core has not come to yet is checked here: the one that is behind is helped, and neither waits. */
  #answersTo({ ahead, answers }: Run): (Answer | undefined)[] {
    let asked = 0;
    return ahead.map(({ expected }) => {
      if (expected === undefined) return undefined;
      const { publicKey, message, signature } = expected;
      const isValid = answers?.take(asked++) ?? this.#real.verifyEd25519(publicKey, message, signature);
      return { publicKey, message, signature, isValid };
    });
  }

  #verify({ publicKey, message, signature }: SignatureToCheck): boolean {
    const known = this.#answer;
    const isSame =
      known !== undefined &&
      equalBytes(known.signature, signature) &&
      equalBytes(known.message, message) &&
      equalBytes(known.publicKey, publicKey);
    return isSame ? known.isValid : this.#real.verifyEd25519(publicKey, message, signature);
  }
}

/** Before a project's first event nothing says whose signatures to expect behind it. */
function knowsSigners(tip: Tip): boolean {
  return tip.state !== undefined || tip.parent !== undefined;
}
