// The clock of a week: every program of lazarus, in jobs and at people's desks, reads the machine's clock and adds what stands
// in one file. So hours pass at once, and for everybody; nothing of lazarus knows. The forge keeps the machine's own time.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Clock = {
  readonly env: Readonly<Record<string, string>>;
  /** Lets that time pass. */
  pass(minutes: number): void;
  readonly passed: () => number;
  remove(): void;
};

const LOOK_AGAIN_MS = 200;

export function weekClock(): Clock {
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-clock-'));
  // Read by the user as whom jobs run.
  chmodSync(folder, 0o755);
  const file = join(folder, 'ahead-ms');
  let minutesPassed = 0;
  const keep = (): void => writeFileSync(file, String(minutesPassed * 60_000), { mode: 0o644 });
  keep();
  const preload = `import{readFileSync}from"node:fs";
const now=Date.now;let ahead=0,looked=-Infinity;
Date.now=()=>{const at=performance.now();if(at-looked>${LOOK_AGAIN_MS}){looked=at;ahead=Number(readFileSync(${JSON.stringify(file)},"utf8"))}
return now()+ahead};`;
  return {
    env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` },
    pass: (minutes) => {
      minutesPassed += minutes;
      keep();
    },
    passed: () => minutesPassed,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
