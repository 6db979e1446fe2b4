// Attacks by the name of somebody else’s account, after that was renamed or deleted. The last of all: they cost a member.
import { describe, expect, it } from 'vitest';
import type { Place } from './place.ts';

export function names(at: () => Place): void {
  describe('an account that takes the name of a member', () => {
    it('has no vote: the number counts, and whoever was renamed still has theirs', async () => {
      const { team, joined, file, ours, refs, typed } = at();
      const { ana, ben, gitea } = team;
      const { issue, line } = await file(ana);
      const before = refs();
      await gitea.api('POST', '/admin/users/ben/rename', { new_username: 'ben-before' });
      const email = { source_id: 0, login_name: 'ben-before', email: 'ben-before@example.invalid' };
      await gitea.api('PATCH', '/admin/users/ben-before', email);
      const other = await joined('ben');
      expect(other.id).not.toBe(ben.id);
      await typed(other, issue, line);
      expect((await ours(issue)).at(-1)).toContain('not_authorised');
      expect(refs()).toBe(before);
      await typed(ben, issue, line.replace('approve', 'reject'));
      expect((await ours(issue))[0]).toContain('rejected');
    });

    it('nor has one that takes it once the account is gone', async () => {
      const { team, joined, file, ours, refs, typed } = at();
      await team.gitea.api('DELETE', '/admin/users/ben-before');
      const other = await joined('ben-before');
      const { issue, line } = await file(team.ana);
      const before = refs();
      await typed(other, issue, line);
      expect(await ours(issue)).toEqual([expect.anything(), expect.stringContaining('not_authorised')]);
      expect(refs()).toBe(before);
    });
  });
}
