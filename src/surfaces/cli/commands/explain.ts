// `lazarus explain` and `lazarus watch`: a mission's story, every event in words with who said it, by which right, and
// what it rests on; told from the beginning, or as it happens until it is over.
import { setTimeout as wait } from 'node:timers/promises';
import { causesOf, readRecords, type Chain } from '../../../app/causes.ts';
import { readEvents } from '../../../app/read-events.ts';
import { refuseFlawed } from '../../../app/workbench.ts';
import { EventReader, type ReadEvent } from '../../../kernel/read.ts';
import type { TreeHead } from '../../../kernel/values.ts';
import type { Context } from '../command.ts';
import { eventWords, evidenceIn, speakerWords } from '../mission/event-words.ts';
import { findings } from '../mission/findings.ts';
import { atMission, seen, type MissionSite } from '../mission/site.ts';
import { viewOf } from '../mission/view.ts';
import { statusLines, viewJson } from '../mission/view-text.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';

const EVIDENCE_CHARACTERS = 'sha256:'.length + 12;

export const explain = {
  run: (ctx: Context, args: Values, options: Values): Promise<number | void> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) => {
      const typed = args.text('event');
      if (options.flag('output')) return (await import('./explain-printed.ts')).explainPrinted(site, options, typed);
      if (typed !== undefined) return explainEvent(site, typed);
      const view = await viewOf(site, await seen(site));
      const events = await eventsOf(site);
      const found = new Map<ReadEvent, readonly string[]>();
      for (const event of events) found.set(event, await findings(site, event));
      const lines = events.flatMap((event) => [...eventLines(event), ...(found.get(event) ?? []).map(findingLine)]);
      ctx.out.emit([...lines, ...statusLines(view)], {
        ...viewJson(view),
        events: events.map((event) => ({ ...eventJson(event), found: found.get(event) })),
      });
    }),
};

/** Why one event happened: each line because of the next. */
async function explainEvent({ bench, ref, ctx, name }: MissionSite, typed: string): Promise<void> {
  const { links, end } = causesOf(typed, await readRecords(bench, ref, { signal: ctx.signal }));
  const last = END_WORDS[end];
  ctx.out.emit(
    [
      ...links.map((link, i): Line => [
        { text: i === 0 ? '' : 'because of ', style: 'dim' },
        ...(link.ledger === name ? [] : [{ text: `${link.ledger} `, style: 'dim' } as const]),
        ...eventSpans(link.event),
      ]),
      ...(last === undefined ? [] : [last]),
    ],
    { end, chain: links.map(({ ledger, event }) => ({ ledger, ...eventJson(event) })) },
  );
}

const END_WORDS: Readonly<Record<Chain['end'], string | undefined>> = {
  start: undefined,
  elsewhere: 'because of an event of a ledger that is not here',
  other: 'because of what another ledger is said to hold; it holds something else there',
};

/** Frequent enough to follow, and cheap: only the branch's own name is looked up. */
const LOOK_EVERY_MS = 300;
/** Of a remote, one question each. */
const LOOK_FAR_EVERY_MS = 2_000;

export const watch = {
  async run(ctx: Context, args: Values, options: Values): Promise<void> {
    const typed = args.need('mission');
    const story = new Story();
    for (;;) {
      // Opened anew for each look: the project's ledger goes on as well.
      const isOver = await atMission(ctx, { typed, options }, async (site) => {
        await story.goOn(site, (event) => ctx.out.note(eventLine(event)));
        const view = await viewOf(site, await seen(site));
        const { seq, head } = view.status;
        if (seq > story.told) return false;
        if (view.step.is === 'over') ctx.out.emit(statusLines(view), viewJson(view));
        else
          while ((await site.bench.place.head(site.ref)) === head)
            await wait(site.home === undefined ? LOOK_EVERY_MS : LOOK_FAR_EVERY_MS, undefined, ctx);
        return view.step.is === 'over';
      });
      if (isOver) return;
    }
  },
};

/** Tells every event once: all that there are, and from then on what is new. */
class Story {
  #reader: EventReader | undefined;
  #head: TreeHead | undefined;
  told = 0;

  async goOn({ bench, world, ref, ctx }: MissionSite, tell: (event: ReadEvent) => void): Promise<void> {
    const reader = (this.#reader ??= new EventReader(bench.parts.crypto));
    const look = async (mode: 'full' | 'since-pin'): Promise<void> => {
      const { report } = await bench.verify(ref, mode, {
        project: world.project,
        signal: ctx.signal,
        earlier: this.#head,
        onCommit: (seen) => {
          if (seen.ledger !== 'mission' || seen.claims.prevSize !== this.told) return;
          this.told = seen.tip.size;
          for (const event of reader.take(seen, seen.blobs)) tell(event);
        },
      });
      refuseFlawed(report);
      this.#head = report.head;
    };
    await look(this.#head === undefined ? 'full' : 'since-pin');
    // Where it could not begin at what was told already.
    if (this.told < (this.#head?.size ?? 0)) await look('full');
  }
}

async function eventsOf({ bench, ref, ctx }: MissionSite): Promise<readonly ReadEvent[]> {
  const events: ReadEvent[] = [];
  await readEvents(bench, ref, (event) => events.push(event), { signal: ctx.signal });
  return events;
}

function eventLine(event: ReadEvent): Line {
  return eventSpans(event);
}

function eventSpans(event: ReadEvent) {
  return [
    { text: `${String(event.index).padStart(4)}  ${event.occurred_at}  `, style: 'dim' },
    `${speakerWords(event)}: ${eventWords(event)}`,
  ] as const;
}

function eventLines(event: ReadEvent): Line[] {
  const evidence = evidenceIn(event).map((digest) => digest.slice(0, EVIDENCE_CHARACTERS));
  return [
    eventLine(event),
    ...(evidence.length === 0 ? [] : [{ text: `        rests on ${evidence.join(' ')}`, style: 'dim' } as const]),
  ];
}

function findingLine(text: string): Line {
  return { text: `        ${text}`, style: 'dim' };
}

function eventJson(event: ReadEvent): Readonly<Record<string, unknown>> {
  const { index, event_id, event_type, causation_id, cause, occurred_at, actor_id, signer, principal_scope, payload } =
    event;
  return {
    index,
    event_id,
    event_type,
    causation_id,
    cause,
    occurred_at,
    actor_id,
    signer: signer.principal_id,
    roles: principal_scope.roles,
    says: eventWords(event),
    evidence: evidenceIn(event),
    payload,
  };
}
