// Attacks by mere number and size. Every event of a forge takes a job, which nobody here can keep it from; what is held to is that
// a flood is hardly answered, writes nothing, and leaves whoever comes after it an answer.
import { describe, expect, it } from 'vitest';
import { outcomes, type Place } from './place.ts';

/** Enough to fill every place of a runner many times over. */
const COMMENTS = 24;
const COMMANDS = 5_000;
/** How many jobs the reference configuration of a runner lets run at once. */
const PLACES = 4;

export function floods(at: () => Place): void {
  describe('a flood', () => {
    it('of a stranger’s commands writes nothing and is answered by the first jobs alone, and whoever comes after it is answered too', async () => {
      const { team, file, heard, ours, refs } = at();
      const { ana, ben, carol } = team;
      const [flooded, other] = [await file(ana), await file(ana)];
      const before = refs();
      const jobs = await heard(async () => {
        for (let no = 0; no < COMMENTS; no++) await team.comment(carol, flooded.issue, '/retry');
        await team.comment(ben, other.issue, '/why');
      }, COMMENTS + 1);
      expect(new Set(outcomes(jobs))).toEqual(new Set(['gate success']));
      const [, answer, ...more] = await ours(flooded.issue);
      expect(answer).toContain('not_authorised');
      // Jobs that run at the same moment cannot see each other's; whichever comes after them writes none.
      expect(more.length).toBeLessThan(PLACES);
      expect(await ours(other.issue)).toEqual([expect.anything(), expect.stringContaining('Missing')]);
      expect(refs()).toBe(before);
    });

    it('of commands in one comment is one answer, and one of bytes is none that anybody has to read', async () => {
      const { team, file, typed, ours, refs } = at();
      const { issue, line } = await file(team.ana);
      const before = refs();
      await typed(team.ben, issue, '/retry\n'.repeat(COMMANDS));
      expect(await ours(issue)).toEqual([expect.anything(), expect.stringContaining('more than 5 commands')]);
      await typed(team.carol, issue, `${line}\n\n${'x'.repeat(10_000_000)}`);
      const [, , ...answers] = await ours(issue);
      expect(answers).toEqual([expect.stringContaining('not_authorised')]);
      expect(refs()).toBe(before);
    });
  });
}
