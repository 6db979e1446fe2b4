// What a week left where its judge found a flaw, so that whoever explains it need not live it again: the forge's repository with
// all ledgers, every issue as it stands, every job's log, and what was done by whom and when. Judges nothing.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { git } from '../support/repos.ts';
import { asked } from './asked.ts';
import { allPages, commentsOf } from './forge.ts';
import type { WeekLog } from './log.ts';
import { AT, type Town } from './town.ts';

export async function evidenceOf(town: Town, log: WeekLog): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `lazarus-week-of-${log.seed}-`));
  const at = (...names: readonly string[]): string => join(folder, ...names);
  git(folder, ['clone', '-q', '--mirror', town.team.cloneUrl, at('repository.git')]);
  writeFileSync(at('log.json'), `${JSON.stringify(log, null, 2)}\n`);
  mkdirSync(at('issues'));
  for (const issue of await allPages(town, `${AT}/issues?state=all&type=issues`)) {
    const said = await commentsOf(town, issue.number);
    const labels = issue.labels.map(({ name }: { name: string }) => name).join(' ');
    const parts = [`${issue.title}\n${issue.state} ${labels}\n\n${issue.body}`];
    for (const { id, user, body } of said) parts.push(`comment ${id} of ${user.login}\n\n${body}`);
    writeFileSync(at('issues', `${issue.number}.md`), parts.join('\n\n----\n\n'));
  }
  mkdirSync(at('jobs'));
  for (const { name, text } of await jobLogs(town)) writeFileSync(at('jobs', `${name}.log`), text);
  return folder;
}

export type JobLog = { readonly name: string; readonly text: string };

/** Of every job that a runner took; its name says which run it was of, and what that was started by. */
export async function jobLogs(town: Town): Promise<readonly JobLog[]> {
  const { gitea } = town.team;
  const logs: JobLog[] = [];
  for (const { id, event } of await allPages(town, `${AT}/actions/runs`)) {
    const { jobs } = await asked(() => town.ask('GET', `${AT}/actions/runs/${id}/jobs?limit=50`));
    for (const job of jobs) {
      if ((job.runner_name ?? '') === '') continue;
      const answer = await fetch(`${gitea.url}/api/v1${AT}/actions/jobs/${job.id}/logs`, {
        headers: { authorization: `token ${gitea.admin.token}` },
      });
      const name = `${String(id).padStart(4, '0')}-${event}-${job.id}-${job.name}-${job.conclusion ?? job.status}`;
      logs.push({ name: name.replaceAll(/[^\w-]/g, '_'), text: await answer.text() });
    }
  }
  return logs;
}
