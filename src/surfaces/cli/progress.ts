// How far slow work has come, on standard error: one rewritten line on a terminal, a plain line now and then elsewhere.
// Work that ends within two seconds prints nothing. Told the time, it reads no clock of its own.
import type { Sink } from './output.ts';

export interface Progress {
  /** How much is done; cheap enough to call for every item. */
  update(done: number, total?: number): void;
  /** Takes the line away, so that something else can be printed. */
  clear(): void;
  /** The work is over. */
  end(): void;
}

const SILENT_MS = 2_000;
const TERMINAL_INTERVAL_MS = 100;
const PLAIN_INTERVAL_MS = 5_000;
const CLEAR_LINE = '\r\u001b[K';

export type ProgressSettings = {
  /** Undefined: say nothing. */
  readonly sink: Sink | undefined;
  readonly nowMs: () => number;
};

export function createProgress(label: string, { sink, nowMs }: ProgressSettings): Progress {
  if (sink === undefined) return { update() {}, clear() {}, end() {} };
  const terminal = sink.isTTY === true;
  const interval = terminal ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS;
  let nextMs = nowMs() + SILENT_MS;
  let text = `${label} …`;
  let shown = false;

  // Work that waits for something else sends no updates: the timer still says what is being waited for.
  const timer = setInterval(show, TERMINAL_INTERVAL_MS);
  timer.unref();

  function show(): void {
    const now = nowMs();
    if (now < nextMs) return;
    nextMs = now + interval;
    sink?.write(terminal ? `${CLEAR_LINE}${text}` : `${text}\n`);
    shown = terminal;
  }

  function clear(): void {
    if (shown) sink?.write(CLEAR_LINE);
    shown = false;
  }

  return {
    update(done, total) {
      text = total === undefined ? `${label}: ${done}` : `${label}: ${done} of ${total}`;
      show();
    },
    clear,
    end() {
      clearInterval(timer);
      clear();
      nextMs = Number.POSITIVE_INFINITY;
    },
  };
}
