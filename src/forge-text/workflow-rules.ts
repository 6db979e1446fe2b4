// The rules for workflow files, each with the reason for it. A rule looks at one path and its value at a time.
import type { Entry } from './workflow-entries.ts';
import {
  CALLED,
  GATE_FILTER,
  PERMISSIONS,
  RUNNER_LABELS,
  SECRETS,
  WORKFLOW_PATHS,
  type Called,
  type WorkflowRole,
} from './workflows.ts';

export type Rule = keyof typeof RULES;
type Check = { readonly says: string; readonly isBroken: (role: WorkflowRole, entry: Entry) => boolean };

/** What strangers wrote: titles, bodies, branch names, user names. `github.event_name` is not among them. */
const EVENT = /\bgithub\s*(?:\.\s*(?:event\b(?!_)|head_ref\b|ref_name\b|actor\b|\*)|\[)|tojson\s*\(\s*github\s*\)/i;
const PINNED = /^https?:\/\/[A-Za-z0-9.:/_-]+@[0-9a-f]{40}$/;
const TYPES: Readonly<Record<string, readonly string[]>> = {
  issue_comment: ['created'],
  issues: ['opened', 'edited', 'reopened'],
};

export const RULES = {
  expression_in_script: {
    says: 'a script holds an expression: whoever chooses its value runs commands',
    isBroken: (_, { path, value }) => ['run', 'script'].includes(path.at(-1) ?? '') && value?.includes('${{') === true,
  },
  event_in_expression: {
    says: 'an expression reads what strangers wrote; the action reads it from the event’s file',
    isBroken: (role, { path, value }) =>
      value !== null &&
      EVENT.test(value) &&
      !(role === 'caller' && path.join('.') === 'jobs.gate.if' && value === GATE_FILTER),
  },
  concurrency: {
    says: 'a newcomer cancels who waits in the group, and commands are lost',
    isBroken: (_, { path }) => path[0] === 'concurrency' || (path[0] === 'jobs' && path[2] === 'concurrency'),
  },
  permissions: {
    says: 'the token may do more than this job needs, or the block is missing and it may do everything',
    isBroken: (role, { path, value }) => {
      const [scope, ...deeper] =
        path[0] === 'permissions' ? path.slice(1) : path[2] === 'permissions' ? path.slice(3) : [null];
      if (scope === null) return false;
      if (scope === undefined || deeper.length > 0) return value !== null;
      const allowed = role === 'caller' ? undefined : PERMISSIONS[role][scope];
      return !(value === 'none' || value === allowed || (value === 'read' && allowed === 'write'));
    },
  },
  unpinned: {
    says: 'what is run is not an absolute address with a whole commit id, so somebody else can change it',
    isBroken: (role, { path, value }) => {
      if (path.at(-1) !== 'uses') return false;
      const job = calledJob(path);
      if (role === 'caller' && path.length === 3) return job === undefined || value !== `./${WORKFLOW_PATHS[job]}`;
      return value === null || !PINNED.test(value);
    },
  },
  secret: {
    says: 'a secret reaches a job that has no business with it',
    isBroken: (role, { path, value }) => {
      if (value === null) return false;
      if (path.at(-1) === 'secrets') return value !== '';
      if (!value.includes('${{') && path.at(-1) !== 'if') return false;
      const job = role === 'caller' ? calledJob(path) : role;
      const allowed = job === undefined ? [] : SECRETS[job];
      return /\bsecrets\b/i.test(
        value.replaceAll(/\bsecrets\.([A-Za-z0-9_]+)/gi, (found, name: string) =>
          allowed.includes(name) ? '' : found,
        ),
      );
    },
  },
  artifact: {
    says: 'jobs hand over references and nothing else; artifacts and caches are shared with whoever runs next',
    isBroken: (_, { path, value }) => path.at(-1) === 'uses' && /artifact|cache/i.test(value ?? ''),
  },
  not_called: {
    says: 'a job of the caller runs by itself, and so with every secret of the repository',
    isBroken: (role, { path }) =>
      role === 'caller' && path.length === 3 && ['steps', 'runs-on'].includes(path[2] ?? ''),
  },
  trigger: {
    says: 'the file is started by something else than what it is for',
    isBroken: (role, { path, value }) => {
      if (path[0] !== 'on') return false;
      const [, event, key] = path;
      if (event === undefined) return value !== null;
      if (role !== 'caller') return event !== 'workflow_call';
      if (event === 'schedule' || event === 'workflow_dispatch') return false;
      const types = Object.hasOwn(TYPES, event) ? TYPES[event] : undefined;
      if (types === undefined || (key !== undefined && key !== 'types')) return true;
      return value !== null && !types.includes(value);
    },
  },
  runner: {
    says: 'the job runs on another runner than its level of trust has',
    isBroken: (role, { path, value }) =>
      role !== 'caller' && path.length === 3 && path[2] === 'runs-on' && value !== RUNNER_LABELS[role],
  },
  container: {
    says: 'the job chooses containers of its own',
    isBroken: (_, { path }) => path[0] === 'jobs' && ['container', 'services'].includes(path[2] ?? ''),
  },
} as const satisfies Record<string, Check>;

/** What is wrong because something is not there. */
export function absent(
  role: WorkflowRole,
  entries: readonly Entry[],
): { readonly rule: Rule; readonly line: number }[] {
  const has = (...path: string[]) => entries.some((entry) => entry.path.join('\n') === path.join('\n'));
  if (role !== 'caller') return has('permissions') ? [] : [{ rule: 'permissions', line: 1 }];
  const jobs = entries.filter(({ path }) => path[0] === 'jobs' && path.length === 2);
  const events = entries.filter(
    ({ path }) => path[0] === 'on' && path.length === 2 && Object.hasOwn(TYPES, path[1] ?? ''),
  );
  return [
    ...jobs.filter(({ path }) => !has(...path, 'uses')).map(({ line }) => ({ rule: 'not_called' as const, line })),
    ...events.filter(({ path }) => !has(...path, 'types')).map(({ line }) => ({ rule: 'trigger' as const, line })),
  ];
}

function calledJob([at, job]: readonly string[]): Called | undefined {
  return at === 'jobs' ? CALLED.find((name) => name === job) : undefined;
}
