// The clock of a week: every program of lazarus, in jobs and at people's desks, reads the machine's clock and adds what stands
// in one file. So hours pass at once, and for everybody; nothing of lazarus knows. The forge keeps the machine's own time.
// A few waits are shorter as well: those in which a week would only wait. Whoever lives still has its word in between.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Clock = {
  readonly env: { readonly NODE_OPTIONS: string };
  /** Lets that time pass. */
  pass(minutes: number): void;
  /** As everybody reads it. */
  now(): number;
  remove(): void;
};

/** The time that missions get whose agents never end; no other wait is as long. */
export const SHORT_BUDGET_MINUTES = 7;

const LOOK_AGAIN_MS = 200;
/**
 * From one beacon to the next, and the schedule's watch for another one: in the same order, so that a runner which lives is
 * heard of within the watch. And what a schedule leaves a comment that nobody heard yet, and a cell between two looks.
 */
const PAUSES_MS = { 60_000: 3_000, 65_000: 12_000, 15_000: 5_000 };
const TIMERS_MS = { [SHORT_BUDGET_MINUTES * 60_000]: 4_000 };

export function weekClock(): Clock {
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-clock-'));
  // Read by the user as whom jobs run.
  chmodSync(folder, 0o755);
  const file = join(folder, 'ahead-ms');
  let minutesPassed = 0;
  const keep = (): void => writeFileSync(file, String(minutesPassed * 60_000), { mode: 0o644 });
  keep();
  const preload = `import{readFileSync}from"node:fs";import{syncBuiltinESMExports}from"node:module";import pauses from"node:timers/promises";
const now=Date.now;let ahead=0,looked=-Infinity;
Date.now=()=>{const at=performance.now();if(at-looked>${LOOK_AGAIN_MS}){looked=at;ahead=Number(readFileSync(${JSON.stringify(file)},"utf8"))}
return now()+ahead};
const P=${JSON.stringify(PAUSES_MS)},T=${JSON.stringify(TIMERS_MS)},pause=pauses.setTimeout;
pauses.setTimeout=(ms,...more)=>pause(P[ms]??ms,...more);
globalThis.setTimeout=new Proxy(setTimeout,{apply:(wait,that,[act,ms,...more])=>wait(act,T[ms]??ms,...more)});
syncBuiltinESMExports();`;
  return {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` },
    pass: (minutes) => {
      minutesPassed += minutes;
      keep();
    },
    now: () => Date.now() + minutesPassed * 60_000,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
