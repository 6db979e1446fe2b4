// What is told to whoever wants to be told: soonest first, no more at a time than anybody reads, what is over before anybody
// asked not at all, and what failed again. Remembered in the file that a computer has for it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toldFile } from '../../src/adapters/state/told-file.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { tell } from '../../src/app/tell.ts';
import { endedNews, newsOf, type News } from '../../src/forge-text/message.ts';
import { scratch } from '../support/repos.ts';

const asked = (mission: string, until: string): News =>
  newsOf(
    {
      mission,
      kind: 'asked',
      state: 'awaiting approval',
      because: null,
      goal: '',
      tier: 1,
      waitsFor: ['bo'],
      issue: null,
      since: null,
      until,
      topic: 'digest',
    },
    { line: `lazarus approve ${mission}`, lineIn: 'terminal' },
  )!;
const over = (mission: string): News =>
  endedNews({ mission, state: 'done', because: null, goal: '', issue: null, isPast: true });

function told(folder = scratch('told')) {
  const messages: string[] = [];
  let failsAfter = Number.POSITIVE_INFINITY;
  return {
    messages,
    folder,
    breaksAfter: (count: number) => (failsAfter = count),
    tell: (news: readonly News[]) =>
      tell({
        news,
        sender: { repository: 'app', home: null },
        before: toldFile(folder, 'bo'),
        messenger: {
          send: async ({ text }) => {
            if (failsAfter-- <= 0) return { is: 'failed', why: 'it ended with 1' };
            messages.push(text);
            return { is: 'delivered' };
          },
        },
        redacted: (text) => text,
        crypto: nodeCrypto,
      }),
  };
}

const LATER = '2026-11-22T00:00:00.000Z';
const SOONER = '2026-11-21T00:00:00.000Z';

it('tells what ends soonest first, and each thing once', async () => {
  const here = told();
  const news = [asked('m-2', LATER), asked('m-1', SOONER)];
  await here.tell(news);
  await here.tell(news);
  expect(here.messages).toEqual([
    `app: m-1 awaiting approval, waits for bo, until ${SOONER}\ntype at a terminal: lazarus approve m-1\n`,
    `app: m-2 awaiting approval, waits for bo, until ${LATER}\ntype at a terminal: lazarus approve m-2\n`,
  ]);
});

it('tells of an end that comes after the first time, and not of those before it', async () => {
  const here = told();
  await here.tell([over('m-1'), asked('m-2', LATER)]);
  await here.tell([over('m-1'), over('m-2')]);
  await here.tell([over('m-1'), over('m-2')]);
  expect(here.messages.slice(1)).toEqual(['app: m-2 done\n']);
});

it('counts in one message what is more than twenty', async () => {
  const here = told();
  const news = Array.from({ length: 23 }, (_, i) => asked(`m-${String(i).padStart(2, '0')}`, LATER));
  expect((await here.tell(news)).told).toHaveLength(23);
  expect(here.messages).toHaveLength(21);
  expect(here.messages[20]).toBe('app: and 3 more that wait or are over; all of it: lazarus inbox --all\n');
  await here.tell(news);
  expect(here.messages).toHaveLength(21);
});

it('stops at the first that cannot be delivered, and goes on there the next time', async () => {
  const here = told();
  const news = [asked('m-1', SOONER), asked('m-2', LATER)];
  here.breaksAfter(1);
  expect(await here.tell(news)).toMatchObject({ told: [news[0]], untold: [news[1]], why: 'it ended with 1' });
  here.breaksAfter(9);
  await here.tell(news);
  expect(here.messages.map((text) => text.slice(5, 8))).toEqual(['m-1', 'm-2']);
});

it('tells it all again where what it remembers is lost or is no list', async () => {
  const here = told();
  await here.tell([asked('m-1', LATER)]);
  writeFileSync(join(here.folder, 'told-to-bo.json'), '{"told":"x"}');
  await here.tell([asked('m-1', LATER)]);
  expect(here.messages).toHaveLength(2);
});
