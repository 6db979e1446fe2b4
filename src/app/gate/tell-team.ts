// What a forge's schedule tells people outside of it: of what it has just seen. Where nobody gave it an address it tells nobody,
// and remembers nothing.
import { fromUtf8 } from '../../format/bytes.ts';
import { endedNews, newsOf, projectNews, type News } from '../../forge-text/message.ts';
import type { Board } from '../../forge-text/board.ts';
import { stoppedWords, UNSTOP } from '../../forge-text/status-words.ts';
import type { WaitingInIssue } from '../../forge-text/waiting.ts';
import { TOLD_REF } from '../../ledger/names.ts';
import type { Messenger, ToldBefore } from '../../ports/messenger.ts';
import { tell } from '../tell.ts';
import { stoppedView } from '../mission/status-view.ts';
import { projectState } from '../mission/world.ts';
import type { Workbench } from '../workbench.ts';
import type { GateDesk } from './desk.ts';
import { pointerChange } from './pointers.ts';

/** Of those that nobody could be told of, so many are looked at again: a receiver may be gone for good. */
const UNTOLD_MAX = 50;
const NAMES_MAX = 5_000;

export type Seen = Pick<Board, 'rows' | 'rules'> & {
  /** Over since it was looked at before. */
  readonly ended: readonly WaitingInIssue[];
};

export type TeamTold = {
  readonly count: number;
  /** Why not more. */
  readonly why: string | undefined;
  /** Ended missions that somebody is still to be told of. */
  readonly untold: ReadonlySet<string>;
};

export async function tellTeam(desk: GateDesk, messenger: Messenger, seen: Seen): Promise<TeamTold> {
  const { world, shown, owner, repository, redacted } = desk;
  const { told, untold, why } = await tell({
    news: newsIn(desk, seen),
    sender: { repository: `${owner}/${repository}`, home: shown.home },
    before: toldOnForge(world.bench),
    messenger,
    redacted,
    crypto: world.bench.parts.crypto,
  });
  return { count: told.length, why, untold: untoldOf(untold.filter(({ kind }) => kind === 'ended')) };
}

export function untoldOf(ended: readonly { readonly mission: string | null }[]): ReadonlySet<string> {
  return new Set(ended.flatMap(({ mission }) => mission ?? []).slice(0, UNTOLD_MAX));
}

function newsIn({ world }: GateDesk, { rows, rules, ended }: Seen): readonly News[] {
  const stopped = stoppedView(projectState(world));
  return [
    ...(stopped === null
      ? []
      : [
          projectNews({
            kind: 'stopped',
            state: `the project is stopped ${stoppedWords(stopped)}`,
            waitsFor: stopped.who,
            since: stopped.since,
            line: UNSTOP,
            topic: stopped.since,
          }),
        ]),
    ...(rules === null
      ? []
      : [
          projectNews({
            kind: 'rules',
            state: 'a merged policy waits to be adopted',
            waitsFor: rules.roots,
            since: null,
            line: rules.adopt,
            topic: rules.adopt,
          }),
        ]),
    ...rows.flatMap((row) => newsOf(row, { line: row.type, lineIn: lineIn(row.type) }) ?? []),
    ...ended.map((row) => endedNews({ ...row, isPast: false })),
  ];
}

function lineIn(type: string | null): News['lineIn'] {
  return type?.startsWith('lazarus ') === true ? 'terminal' : 'issue';
}

/**
 * What was told already, as one reference: the names of the things, which say nothing by themselves. Whoever may push can
 * move it: then somebody is told twice, or of something not, and the board still has it.
 */
function toldOnForge(bench: Workbench): ToldBefore {
  let at: string | undefined;
  return {
    async read() {
      at = await bench.place.head(TOLD_REF);
      if (at === undefined) return undefined;
      for await (const { type, body } of bench.parts.repository.read([at])) {
        const text = type === 'commit' ? fromUtf8(body).trimEnd().split('\n').at(-1)! : '';
        return new Set(text.split(' '));
      }
      return undefined;
    },
    async keep(topics) {
      const text = ['told', ...[...topics].sort().slice(0, NAMES_MAX)].join(' ');
      // Another job that told at the same time was as right.
      await bench.place.move(pointerChange(bench, { ref: TOLD_REF, old: at, text }));
    },
  };
}
