// A team on a real Gitea with an idle runner of the reference configuration, started once for all rows that only add missions
// to it. Its agent says when it was at work, so that a row can tell its time apart from ours.
import { setTimeout as pause } from 'node:timers/promises';
import { startTeam, TEAM_REPOSITORY, type Team } from '../../support/gitea/missions.ts';
import type { Bench } from '../bench.ts';

const known = new WeakMap<Bench, Promise<Team>>();

export function idleTeam(bench: Bench): Promise<Team> {
  let found = known.get(bench);
  if (found === undefined) known.set(bench, (found = started(bench)));
  return found;
}

async function started(bench: Bench): Promise<Team> {
  bench.say('starting a Gitea, its team and a runner');
  const team = await startTeam({ 'tools/example-agent.sh': AGENT });
  bench.atEnd(() => team.stop());
  return team;
}

const TOLD_IN = 'notes/when.txt';
/** In a goal: the agent is not done for as long. */
const SLOWLY = 'slowly';
const SLOW_SECONDS = 4;

const AGENT = `#!/bin/sh
set -eu
began=$(date +%s%3N)
if grep -q ${SLOWLY} /cell/.lazarus/brief.md; then sleep ${SLOW_SECONDS}; fi
mkdir -p notes
echo "$began $(date +%s%3N)" > ${TOLD_IN}
`;

/** The form for what this agent does. All of them want one path. */
export function noteForm({ isSlow = false } = {}) {
  return {
    goal: `Say ${isSlow ? SLOWLY : 'at once'} when you were at work`,
    purpose: '',
    acceptance: `test -s ${TOLD_IN}`,
    verify: `test -s ${TOLD_IN}`,
    paths: 'notes/**',
  };
}

export type AtWork = { readonly beganMs: number; readonly endedMs: number };

/** By the agent's own word, in the work of the first attempt. */
export async function agentAtWork({ ana }: Team, mission: string): Promise<AtWork> {
  const branch = encodeURIComponent(`lazarus-work/${mission}/1`);
  const { content } = await ana.api('GET', `/repos/${TEAM_REPOSITORY}/contents/${TOLD_IN}?ref=${branch}`);
  const [beganMs, endedMs] = Buffer.from(content, 'base64').toString().split(' ').map(Number);
  if (!beganMs || !endedMs) throw new Error(`the agent of ${mission} did not say when it was at work`);
  return { beganMs, endedMs };
}

/** Whoever looks takes from those who work: often enough to tell a hundredth of the budgets. */
const LOOK_MS = 40;
const AT = `/repos/${TEAM_REPOSITORY}/issues`;

export type Filed = {
  readonly issue: number;
  readonly mission: string;
  /** What approves it. */
  readonly line: string;
  readonly status: () => Promise<string>;
  /** Waits until its status says so. */
  readonly says: (text: string) => Promise<void>;
};

/** Files the form as ana, and waits until its status is there. */
export async function filed(team: Team, form: ReturnType<typeof noteForm>): Promise<Filed> {
  let issue = 0;
  await team.ran(async () => {
    issue = await team.file(team.ana, form);
  });
  const [{ id, body: first }] = await team.ana.api('GET', `${AT}/${issue}/comments`);
  const status = async (): Promise<string> => (await team.ana.api('GET', `${AT}/comments/${id}`)).body;
  return {
    issue,
    mission: /m-[0-9a-f]{12}/.exec(first)![0],
    line: /^\/approve [0-9a-f]{12}$/m.exec(first)![0],
    status,
    says: async (text) => {
      for (;;) {
        const body = await status();
        if (body.includes(text)) return;
        const [ended] = ENDED.exec(body) ?? [];
        if (ended !== undefined) throw new Error(`its status says “${ended}” and not “${text}”`);
        await pause(LOOK_MS);
      }
    },
  };
}

const ENDED = /^### m-[0-9a-f]{12} · (?:done|failed|cancelled|expired).*$/m;
