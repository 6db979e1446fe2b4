// When a job of a runner began and ended, and how long of that was ours: the runner dates each line of a job's log, and our
// last one says how long the process took.
export type JobTimes = { readonly beganAtMs: number; readonly endedAtMs: number; readonly tookMs: number };

export function jobTimes(log: string): JobTimes {
  const lines = log.split('\n').filter((line) => DATED.test(line));
  const [first, took] = [lines[0], lines.find((line) => TOOK.test(line))];
  if (first === undefined || took === undefined) throw new Error(`no times in the log of a job: ${log}`);
  return { beganAtMs: dateMs(first), endedAtMs: dateMs(took), tookMs: Number(TOOK.exec(took)![1]) };
}

const DATED = /^\d{4}-\d\d-\d\dT[\d:.]+Z /;
const TOOK = / took: (\d+) ms$/;

function dateMs(line: string): number {
  return Date.parse(line.slice(0, line.indexOf(' ')).replace(/(\.\d{3})\d*Z$/, '$1Z'));
}
