// Whether runners take the jobs of missions, by what the forge tells of its latest ones: nobody can ask a runner itself. A
// job that waits is a sign; one that ran proves nothing of its work.
import { RUNNER_LABELS, SCHEDULE_MINUTES } from '../../forge-text/workflows.ts';
import type { Job } from '../../ports/forge.ts';
import { setUpLine } from '../init/forge/world.ts';
import { missing, ok, warn, type Finding } from './finding.ts';
import { ofForges, type Asked } from './forge.ts';
import type { Here } from './here.ts';

const LABELS = [...new Set(Object.values(RUNNER_LABELS))];
/** As long as a runner that is there may take to ask for work, and some more. */
const WAITING_SECONDS_MAX = 120;
/** The schedule starts a job of this label; three times that is more than a busy server. */
const SCHEDULED = RUNNER_LABELS.reconcile;
const SILENT_SECONDS_MAX = 3 * SCHEDULE_MINUTES * 60;

export function lookAtRunners(here: Here): Promise<readonly Finding[]> {
  return ofForges(here, { item: 'runners', title: 'runners' }, async (asked, about) => {
    const { forge, name } = asked;
    const jobs = await forge.repository(name).latestJobs();
    const now = await forge.nowSeconds();
    return LABELS.map((label) =>
      judge(
        label,
        jobs.filter(({ labels }) => labels.includes(label)),
        { about, asked, now },
      ),
    );
  });
}

type Judging = { readonly about: Pick<Finding, 'item' | 'title'>; readonly asked: Asked; readonly now: number };

/** `jobs`: the latest first. */
function judge(label: string, jobs: readonly Job[], { about, asked, now }: Judging): Finding {
  const ago = ({ since }: Job): number => Math.max(0, now - Date.parse(since) / 1000);
  const last = jobs.find(({ runner }) => runner !== undefined);
  const seen = last === undefined ? 'no runner seen' : `${last.runner} took a job ${words(ago(last))} ago`;
  const waits = jobs.findLast((one) => one.is === 'queued');
  const isBusy = jobs.some((one) => one.is === 'running');
  if (waits !== undefined && !isBusy && ago(waits) > WAITING_SECONDS_MAX)
    return missing(
      about,
      `${label}: a job has waited for ${words(ago(waits))}, and none takes it (${seen})`,
      `start a runner that has the label ${label}; its configuration: ${setUpLine(asked)}`,
    );
  if (label === SCHEDULED && (jobs[0] === undefined || ago(jobs[0]) > SILENT_SECONDS_MAX))
    return warn(
      about,
      `${label}: the schedule has started no job ${jobs[0] === undefined ? 'yet' : `for ${words(ago(jobs[0]))}`}`,
      `see whether Actions are on: ${asked.forge.displayUrl}/${asked.name.owner}/${asked.name.name}/settings`,
    );
  return ok(about, `${label}: ${last === undefined ? 'no job of it was seen' : seen}`);
}

function words(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}
