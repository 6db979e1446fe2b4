// What one route has cost, and when it has cost enough. Calls are counted before they are sent, so their limit is exact; tokens
// when an answer is over, so that calls in flight may overshoot theirs.
import type { UsageReader } from '../../kernel/network/usage.ts';
import type { OpenRoute, Spent } from '../../ports/network.ts';

export type Cut = NonNullable<Spent['cut']>;

type Exchange = {
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Undefined where nothing is expected to say what was spent. */
  readonly reader: UsageReader | undefined;
};

export type Spending = {
  /** Counts the call, or says why it may not be made. */
  readonly begin: () => Cut | undefined;
  readonly end: (exchange: Exchange) => void;
  readonly refuse: () => void;
  readonly spent: () => Spent;
};

/** The usual rule of thumb; too many rather than too few, as a stream has several bytes of frame around each word. */
const BYTES_PER_TOKEN = 4;

export function spendingOf(route: OpenRoute, onCut: (route: string, cut: Cut) => void): Spending {
  let calls = 0;
  let tokensIn = 0;
  let tokensOut = 0;
  let guessed = 0;
  let refused = 0;
  let cut: Cut | null = null;

  function over(): Cut | undefined {
    if (calls >= route.max_calls) return 'max_calls';
    return route.max_tokens !== null && tokensIn + tokensOut >= route.max_tokens ? 'max_tokens' : undefined;
  }

  return {
    begin() {
      const why = cut ?? over();
      if (why === undefined) {
        calls += 1;
        return undefined;
      }
      refused += 1;
      if (cut === null) {
        cut = why;
        onCut(route.name, why);
      }
      return why;
    },
    end({ bytesIn, bytesOut, reader }) {
      if (reader === undefined) return;
      const used = reader.used();
      // The cell decides whether an answer says its usage (`stream_options`) and whether it is read to its end: to believe
      // silence would be to let it choose its own limit.
      const guess = used.isWhole ? () => 0 : (bytes: number) => Math.ceil(bytes / BYTES_PER_TOKEN);
      tokensIn += Math.max(used.tokensIn, guess(bytesIn));
      tokensOut += Math.max(used.tokensOut, guess(bytesOut));
      if (!used.isWhole) guessed += 1;
    },
    refuse: () => {
      refused += 1;
    },
    spent: () => ({ route: route.name, calls, tokensIn, tokensOut, guessed, refused, cut }),
  };
}
