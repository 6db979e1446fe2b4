// `lazarus diff`: what the agent of an attempt changed, delivered or not, as a patch against the base. The commit is the one
// that the ledger names; on a terminal everything in it is shown and nothing obeyed, through a pipe it is what git prints.
import { bringWork } from '../../../app/mission/kept.ts';
import { workBranch } from '../../../app/mission/planning.ts';
import { workOf } from '../../../app/mission/status-attempt.ts';
import type { ToldAttempt } from '../../../app/mission/told-attempts.ts';
import { Failure } from '../../../failure.ts';
import { parentsOf } from '../../../format/git/any-object.ts';
import type { Context } from '../command.ts';
import { atMission, seen, type MissionSite } from '../mission/site.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';

export const diff = {
  run: (ctx: Context, args: Values, options: Values): Promise<void> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) => {
      const { state, told } = await seen(site);
      const attempt = attemptOf(told.attempts, options.whole('attempt'));
      const work = { attempt: attempt.id, no: attempt.no, commit: await commitOf(site, attempt) };
      const branch = workBranch(state.ledger_id, attempt.no);
      if (!(await bringWork(site.bench, { ...work, branch }))) throw notKept(attempt);
      await show(site, work, options.flag('stat') ? 'stat' : 'patch');
    }),
};

/** The latest that had any work, or the one that was asked for. */
function attemptOf(attempts: readonly ToldAttempt[], no: number | undefined): ToldAttempt {
  const found =
    no === undefined
      ? (attempts.findLast(({ work, audit }) => work !== null || audit !== null) ?? attempts.at(-1))
      : attempts.find((one) => one.no === no);
  if (found === undefined) throw new Failure('work_not_kept', no === undefined ? {} : { attempt: no });
  return found;
}

async function commitOf({ bench, ref }: MissionSite, attempt: ToldAttempt): Promise<string> {
  const commit = await workOf(attempt, { bench, ref });
  if (commit === null) throw notKept(attempt);
  return commit;
}

function notKept({ no, because }: ToldAttempt): Failure {
  return new Failure('work_not_kept', { attempt: no, ...(because === null ? {} : { because }) });
}

type Found = { readonly no: number; readonly commit: string };

async function show({ bench, world, ctx, name }: MissionSite, { no, commit }: Found, how: 'patch' | 'stat') {
  const base = await baseOf({ bench }, commit);
  const { repositories, source } = world.work;
  const bytes = await repositories.show(source, base, commit, how);
  if (!ctx.out.json && how === 'patch' && !process.stdout.isTTY) return void process.stdout.write(bytes);
  const text = Buffer.from(bytes).toString('utf8');
  const lines = text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined);
  ctx.out.emit(how === 'stat' ? lines : lines.map(painted), {
    mission: name,
    attempt: no,
    base,
    commit,
    [how]: text,
  });
}

/** The host made it, with the approved base as its one parent. */
async function baseOf({ bench }: Pick<MissionSite, 'bench'>, commit: string): Promise<string> {
  for await (const object of bench.parts.repository.read([commit])) {
    const [base] = parentsOf(object);
    if (base !== undefined) return base;
  }
  throw new Failure('object_missing', { oid: commit });
}

const TAB = '    ';

function painted(line: string): Line {
  const text = line.replaceAll('\t', TAB);
  if (/^(?:diff |index |---|\+\+\+)/.test(text)) return { text, style: 'bold' };
  if (text.startsWith('@@')) return { text, style: 'dim' };
  if (text.startsWith('+')) return { text, style: 'green' };
  return text.startsWith('-') ? { text, style: 'red' } : text;
}
