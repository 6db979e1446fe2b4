// `lazarus inbox`: what waits for one person, over all missions that are not over, each with the line to type; with --all
// what waits for anybody. From verified ledgers; needs no key that can sign, and writes nothing.
import { missionsAnywhere } from '../../../app/bring.ts';
import { chooseKey } from '../../../app/choose-key.ts';
import { rootsOf, stoppedView } from '../../../app/mission/status-view.ts';
import { Failure } from '../../../failure.ts';
import { stateWords } from '../../../forge-text/states.ts';
import { whoseTurn } from '../../../forge-text/next-turn.ts';
import { stoppedWords, UNSTOP } from '../../../forge-text/status-words.ts';
import type { MissionState } from '../../../kernel/state.ts';
import { ledgerName, missionRef } from '../../../ledger/names.ts';
import type { Context } from '../command.ts';
import { isOnForge } from '../mission/forge-home.ts';
import { askedWho } from '../mission/keys.ts';
import { about, brought, inProject, seen, type Site } from '../mission/site.ts';
import { viewOf } from '../mission/view.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';

export const inbox = {
  run: (ctx: Context, _args: Values, options: Values): Promise<void> =>
    inProject(ctx, options, async (site) => {
      const person = options.flag('all') ? null : await personAsked(site);
      const items: Item[] = [];
      // Whoever was approved and is gone is missed by the registry alone.
      const registered = Object.keys(site.project.missions).map(missionRef);
      const refs = [...new Set([...(await missionsAnywhere(site.bench)), ...registered])];
      let open = 0;
      const progress = ctx.out.progress('missions');
      for (const [i, ref] of refs.entries()) {
        progress.update(i, refs.length);
        const item = await itemOf(site, ref);
        if (item === 'over') continue;
        open++;
        if (item.waits_for?.length !== 0 && isFor(item, person)) items.push(item);
      }
      progress.end();
      items.sort(byUrgency);
      const stopped = stoppedView(site.project);
      const lines = [
        ...items.flatMap((item) => itemLines(item, person)),
        ...(items.length > 0 ? [] : [nothing(person, open)]),
        ...(stopped === null
          ? []
          : [
              [{ text: 'the project is stopped', style: 'red' } as const, ` ${stoppedWords(stopped)}`],
              `  next: ${UNSTOP}`,
            ]),
      ];
      ctx.out.emit(lines, { person, waiting: items, open, stopped });
    }),
};

type Item = {
  readonly mission: string;
  readonly state: string;
  readonly goal: string;
  readonly tier: number | null;
  /** Whose turn it is; null where the ledger could not be read, which is everybody's to know. */
  readonly waits_for: readonly string[] | null;
  readonly says: string;
  readonly next: string | null;
  readonly issue: number | null;
  /** When what is asked stops being asked. */
  readonly until: string | null;
};

/** The person that was named, or whom the key on this computer belongs to. */
async function personAsked({ app, options, project, ctx }: Site): Promise<string> {
  const { members } = project.roster;
  const typed = options.text('as');
  if (members.some(({ principal_id }) => principal_id === typed)) return typed!;
  const { store } = await app.keys();
  const stored = await store.list();
  const wanted = typed ?? ctx.env['LAZARUS_KEY'];
  let fingerprint: string;
  try {
    ({ fingerprint } = chooseKey(stored, wanted, project.roster));
  } catch (error) {
    throw askedWho(error);
  }
  const member = members.find(({ keys }) => keys.some((key) => key.fingerprint === fingerprint));
  if (member === undefined) throw new Failure('signer_unknown', { fingerprint }, { next: 'lazarus inbox --all' });
  return member.principal_id;
}

/** One that does not verify is an item by the reason, and hides no other. */
async function itemOf(site: Site, ref: string): Promise<Item | 'over'> {
  const mission = ledgerName(ref);
  try {
    return await about(mission, async () => {
      await brought(site, ref);
      const at = { ...site, ref, name: mission };
      const now = await seen(at);
      if (isEnded(now.state)) return 'over';
      const { status, plan, step, next } = await viewOf(at, now);
      const roots = rootsOf(site.project.roster);
      const waits_for = whoseTurn({ ...status, step, isOnForge: await isOnForge(site), roots });
      const { state, goal, tier, asked } = status;
      const until = asked?.expiresAt ?? null;
      const issue = plan?.issue ?? null;
      return {
        mission,
        state: stateWords(state),
        goal,
        tier,
        waits_for,
        says: next.says,
        next: next.type,
        issue,
        until,
      };
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, next } = error;
    return {
      mission,
      state: code,
      goal: '',
      tier: null,
      waits_for: null,
      says: message,
      next: next ?? null,
      issue: null,
      until: null,
    };
  }
}

function isEnded({ course }: MissionState): boolean {
  return (course?.end ?? null) !== null;
}

function isFor({ waits_for }: Item, person: string | null): boolean {
  return person === null || waits_for === null || waits_for.includes(person);
}

/** What ends soonest first; what has no end after that. */
function byUrgency(a: Item, b: Item): number {
  const [first, second] = [a, b].map(({ until, mission }) => `${until ?? '~'} ${mission}`);
  return first! < second! ? -1 : 1;
}

function itemLines(
  { mission, state, goal, tier, waits_for, says, next, issue, until }: Item,
  person: string | null,
): Line[] {
  const facts = [
    state,
    ...(tier === null ? [] : [`tier ${tier}`]),
    ...(issue === null ? [] : [`issue ${issue}`]),
    ...(person === null && waits_for !== null ? [`waits for ${waits_for.join(', ')}`] : []),
    ...(until === null ? [] : [`until ${until}`]),
  ];
  return [
    [{ text: mission, style: 'bold' }, `  ${facts.join(', ')}`],
    ...(goal === '' ? [] : [`  ${goal}`]),
    ...(next === null ? [`  ${says}`] : [`  ${says}:`, `  next: ${next}`]),
  ];
}

function nothing(person: string | null, open: number): string {
  const who = person === null ? 'anybody' : person;
  return `nothing waits for ${who}${open === 0 ? '' : ` (missions that are not over: ${open})`}`;
}
