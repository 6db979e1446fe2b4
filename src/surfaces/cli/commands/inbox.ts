// `lazarus inbox`: what waits for one person, over all missions that are not over, each with the line to type; with --all
// what waits for anybody. With --notify a program is told what is new since it was told last. From verified ledgers; needs no
// key that can sign, and writes nothing into any of them.
import { missionsKnown } from '../../../app/bring.ts';
import { isBroken } from '../../../app/gate/broken-ledgers.ts';
import { openMissions } from '../../../app/gate/open-missions.ts';
import { chooseKey } from '../../../app/choose-key.ts';
import { peopleOf, rootsOf, stoppedView } from '../../../app/mission/status-view.ts';
import { proposedBy } from '../../../app/mission/status-votes.ts';
import { instant } from '../../../app/mission/world.ts';
import { Failure } from '../../../failure.ts';
import { stateWords } from '../../../forge-text/states.ts';
import { endedNews, newsOf, type News } from '../../../forge-text/message.ts';
import { byUrgency, waitingOf, type Waiting } from '../../../forge-text/waiting.ts';
import { stoppedWords, UNSTOP } from '../../../forge-text/status-words.ts';
import { missionStatus } from '../../../kernel/mission/status.ts';
import type { MissionState } from '../../../kernel/state.ts';
import { LEDGER_REFS, ledgerName } from '../../../ledger/names.ts';
import type { Context } from '../command.ts';
import { isOnForge } from '../mission/forge-home.ts';
import { askedWho } from '../mission/keys.ts';
import { notify } from '../mission/notify.ts';
import { about, brought, broughtTogether, inProject, seen, type Site } from '../mission/site.ts';
import { viewOf } from '../mission/view.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';

export const inbox = {
  run: (ctx: Context, args: Values, options: Values): Promise<number | void> =>
    inProject(ctx, options, async (site) => {
      const argv = args.list('command');
      if (options.flag('notify') !== argv.length > 0)
        throw new Failure('usage', { expected: 'lazarus inbox --notify -- <command> [arguments]' });
      const person = options.flag('all') ? null : await personAsked(site);
      const found: Item[] = [];
      const over: News[] = [];
      const onForge = await isOnForge(site);
      // Who is told of what is new is told of an end, too.
      const refs =
        onForge && argv.length === 0 ? await openOnes(site) : await missionsKnown(site.bench, site.world.project);
      const progress = ctx.out.progress('missions');
      const known = { isHere: await broughtTogether(site, refs), isOnForge: onForge };
      for (const [i, ref] of refs.entries()) {
        progress.update(i, refs.length);
        const item = await itemOf(site, ref, known);
        if (item.is === 'over') over.push(...(person === null || item.by.includes(person) ? [item.news] : []));
        else found.push(item.item);
      }
      progress.end();
      const items = found.filter((item) => item.waits.waitsFor?.length !== 0 && isFor(item, person));
      items.sort((a, b) => byUrgency(a.waits, b.waits));
      if (argv.length > 0) return notify(site, { argv, person, news: [...items.flatMap(itemNews), ...over] });
      const stopped = stoppedView(site.project);
      const open = found.length;
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
      return ctx.out.emit(lines, { person, waiting: items.map(itemFields), open, stopped });
    }),
};

/** With the line to type here. */
type Item = { readonly waits: Waiting; readonly says: string; readonly next: string | null };

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

/** A forge's jobs keep a pointer to each that is open: the thousands that are over cost nothing there. */
async function openOnes(site: Site): Promise<readonly string[]> {
  return (await openMissions(site.world)).map((name) => `${LEDGER_REFS}${name}`);
}

type Known = { readonly isHere: boolean; readonly isOnForge: boolean };

type Found =
  /** `by`: who proposed it. */
  | { readonly is: 'over'; readonly news: News; readonly by: readonly string[] }
  | { readonly is: 'open'; readonly item: Item };

/** One that does not verify is an item by the reason, and hides no other. */
async function itemOf(site: Site, ref: string, { isHere, isOnForge: onForge }: Known): Promise<Found> {
  const mission = ledgerName(ref);
  try {
    return await about(mission, async () => {
      if (!isHere) await brought(site, ref);
      const at = { ...site, ref, name: mission };
      const now = await seen(at);
      const end = endOf(now.state);
      if (end !== null) {
        const state = stateWords(missionStatus(now.state));
        const because = end.outcome === 'done' ? null : end.because;
        const news = endedNews({ mission, state, because, goal: '', issue: null, isPast: true });
        return { is: 'over', news, by: proposedBy(now.state)?.by ?? [] };
      }
      const { status, plan, step, next } = await viewOf(at, now);
      const { roster } = site.project;
      const beside = {
        step,
        roots: rootsOf(roster),
        people: peopleOf(roster),
        isOnForge: onForge,
        now: instant(site.world),
      };
      const waits = waitingOf(status, { ...beside, issue: plan?.issue ?? null });
      return { is: 'open', item: { waits, says: next.says, next: next.type } };
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message, next } = error;
    const nothing = { because: null, goal: '', tier: null, waitsFor: null, issue: null, since: null, until: null };
    const kind = isBroken(error) ? 'broken' : 'still';
    const waits: Waiting = { ...nothing, mission, kind, state: code, topic: code };
    return { is: 'open', item: { waits, says: message, next: next ?? null } };
  }
}

function endOf({ course }: MissionState): NonNullable<MissionState['course']>['end'] {
  return course?.end ?? null;
}

function isFor({ waits: { waitsFor } }: Item, person: string | null): boolean {
  return person === null || waitsFor === null || waitsFor.includes(person);
}

function itemNews({ waits, next }: Item): News[] {
  const news = newsOf(waits, { line: next, lineIn: 'terminal' });
  return news === undefined ? [] : [news];
}

function itemFields({ waits, says, next }: Item) {
  const { mission, kind, state, goal, tier, waitsFor, issue, since, until } = waits;
  return { mission, state, goal, tier, waits_for: waitsFor, says, next, issue, since, until, is_due: kind === 'due' };
}

function itemLines({ waits, says, next }: Item, person: string | null): Line[] {
  const { mission, kind, state, goal, tier, waitsFor, issue, since, until } = waits;
  const facts = [
    state,
    ...(tier === null ? [] : [`tier ${tier}`]),
    ...(issue === null ? [] : [`issue ${issue}`]),
    ...(person === null && waitsFor !== null ? [`waits for ${waitsFor.join(', ')}`] : []),
    ...(since === null ? [] : [`since ${since}`]),
    ...(until === null ? [] : [`${kind === 'due' ? 'runs out soon, at' : 'until'} ${until}`]),
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
