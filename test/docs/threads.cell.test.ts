// The page for people who only comment, played: every comment is heard by a gate, every answer is the one that the page shows.
import { describe, expect, it } from 'vitest';
import { lineOf, gateSite, type GateSite } from '../app/gate/gate-site.ts';
import { cell, gateTurn, writer, type Machine } from '../app/gate/jobs.ts';
import { matches } from '../support/transcript.ts';
import { read } from './pages.ts';
import { asRead, threadsOf, type Said } from './thread.ts';

const PAGE = 'docs/guide/9-in-an-issue.md';
/** Stand on the page for those of the mission at hand. */
const DIGEST = '925c2b718c5a';
const MISSION = 'm-2d3786e204e3';

const UNABLE: Machine = {
  cells: (cells) => ({
    ...cells,
    probe: () => Promise.resolve({ is: 'unfit', backend: 'process', code: 'sandbox_missing', why: 'no bwrap' }),
  }),
};

type Thread = { readonly issue: number; readonly mission: string; readonly digest: string };

describe('what the page shows is what is answered', () => {
  it(PAGE, async () => {
    const at = await gateSite();
    let thread: Thread | undefined;
    let answers = 0;
    for (const said of threadsOf(read(PAGE))) {
      if (said.is === 'happens') thread = await happens(at, said.what, thread);
      const { issue } = thread!;
      if (said.is === 'typed')
        await gateTurn(at, said.by as 'ana', issue, said.text.replaceAll(DIGEST, thread!.digest));
      const ours = await at.ours(issue);
      if (said.is === 'status') compare(said, ours[0]!, thread!);
      else if (said.is === 'typed') {
        expect(ours.length - answers, `${PAGE}:${said.line}: answers`).toBe(said.answered.length === 0 ? 0 : 1);
        if (said.answered.length > 0) compare(said, ours.at(-1)!, thread!);
      }
      answers = ours.length;
    }
  });
});

async function happens(at: GateSite, what: string, thread: Thread | undefined): Promise<Thread> {
  switch (what) {
    case 'ana files the form': {
      const { issue } = await at.file('ana');
      const status = (await at.ours(issue))[0]!;
      return { issue, mission: /m-[0-9a-f]{12}/.exec(status)![0], digest: lineOf(status).split(' ')[1]! };
    }
    case 'the work is done':
      await cell(at, thread!.mission);
      await writer(at, thread!.mission);
      return thread!;
    case 'the runner cannot do it':
      await cell(at, thread!.mission, UNABLE).catch(() => undefined);
      await writer(at, thread!.mission);
      return thread!;
    default:
      throw new Error(`nobody plays: ${what}`);
  }
}

function compare(said: Said, comment: string, { mission, digest }: Thread): void {
  const text = asRead(comment).map((line) => line.replaceAll(mission, MISSION).replaceAll(digest, DIGEST));
  if (!matches(said.answered, text.join('\n'))) expect(text, `${PAGE}:${said.line}`).toEqual(said.answered);
}
