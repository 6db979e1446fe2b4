// What a job is told by its runner, read once and checked: where, which event, which job, where to write. Everything that
// anybody could have set by a file in the repository or a comment is left alone.
import { z } from 'zod';
import { SUPERVISOR_SOCKET } from '../../app/supervise/wire.ts';
import { Failure } from '../../failure.ts';

const JOBS = ['gate', 'cell', 'writer', 'reconcile', 'wake'] as const;
type Job = (typeof JOBS)[number];

export type JobCircumstances = {
  readonly job: Job;
  readonly eventName: string;
  readonly eventPath: string;
  /** As the job before this one called it; looked up, never believed. */
  readonly mission: string | undefined;
  /** To be woken, as jobs before this one called them. */
  readonly missions: readonly string[];
  readonly genesis: string;
  readonly serverUrl: string;
  readonly owner: string;
  readonly repository: string;
  readonly run: { readonly id: number; readonly attempt: number } | null;
  readonly outputPath: string | undefined;
  readonly summaryPath: string | undefined;
  readonly temporary: string;
  /** Where the supervisor of this machine answers, if it has one. */
  readonly supervisor: string;
};

const Environment = z.object({
  INPUT_JOB: z.enum(JOBS),
  'INPUT_EVENT-NAME': z
    .string()
    .regex(/^[a-z_]{0,50}$/)
    .default(''),
  INPUT_MISSION: z.string().max(40).default(''),
  INPUT_MISSIONS: z.string().max(400).default(''),
  INPUT_GENESIS: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  GITHUB_SERVER_URL: z.url({ protocol: /^https?$/ }),
  GITHUB_REPOSITORY: z.string().regex(/^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/),
  GITHUB_EVENT_PATH: z.string().default(''),
  GITHUB_RUN_ID: z.string().default(''),
  GITHUB_RUN_ATTEMPT: z.string().default('1'),
  GITHUB_OUTPUT: z.string().optional(),
  GITHUB_STEP_SUMMARY: z.string().optional(),
  RUNNER_TEMP: z.string().default('/tmp'),
  LAZARUS_SUPERVISOR: z.string().regex(/^\//).default(SUPERVISOR_SOCKET),
});

export function circumstancesOf(env: NodeJS.ProcessEnv): JobCircumstances {
  const read = Environment.safeParse(env);
  if (!read.success) throw new Failure('usage', { variable: read.error.issues[0]?.path.join('.') ?? '' });
  const found = read.data;
  const [owner = '', repository = ''] = found.GITHUB_REPOSITORY.split('/');
  const id = Number(found.GITHUB_RUN_ID);
  return {
    job: found.INPUT_JOB,
    eventName: found['INPUT_EVENT-NAME'],
    eventPath: found.GITHUB_EVENT_PATH,
    mission: found.INPUT_MISSION === '' ? undefined : found.INPUT_MISSION,
    missions: found.INPUT_MISSIONS.split(' ').filter((name) => name !== ''),
    genesis: found.INPUT_GENESIS,
    serverUrl: found.GITHUB_SERVER_URL.replace(/\/$/, ''),
    owner,
    repository,
    run: Number.isSafeInteger(id) && id > 0 ? { id, attempt: Number(found.GITHUB_RUN_ATTEMPT) || 1 } : null,
    outputPath: found.GITHUB_OUTPUT,
    summaryPath: found.GITHUB_STEP_SUMMARY,
    temporary: found.RUNNER_TEMP,
    supervisor: found.LAZARUS_SUPERVISOR,
  };
}
