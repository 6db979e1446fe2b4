// What the effects on a forge keep, whichever forge it is: looked for by what identifies them, caused once, never mistaken
// for something that somebody else made.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgeExecutors } from '../../src/app/mission/executors.ts';
import { utf8 } from '../../src/format/bytes.ts';
import type { EffectSpec } from '../../src/kernel/effect/spec.ts';
import type { ForgeRepository, RepositoryName } from '../../src/ports/forge.ts';
import type { ForgeHost } from './forge.ts';

const BRANCH = 'lazarus-work/m-0123456789ab/1';
const BODY = 'Mission m-0123456789ab is done: `x` <!-- y -->\n\nVerify it alone.\n';

let names = 0;

export function forgeEffectsContract(kind: string, start: () => Promise<ForgeHost>): void {
  describe(`effects on a forge ${kind}`, () => {
    let host: ForgeHost;
    beforeAll(async () => {
      host = await start();
    });
    afterAll(async () => host?.close());

    async function place() {
      const { id, login } = await host.ana.whoami();
      const name: RepositoryName = { owner: login, name: `effects${names++}` };
      await host.ana.createRepository(name, { isPrivate: false });
      const repository = host.ana.repository(name);
      await commit(repository, 'main', undefined, 'one');
      const work = await commit(repository, BRANCH, 'main', 'two');
      const issue = await host.fileIssue('ben', name, 'mission: try', 'x');
      const { open_pull_request: pulls, post_comment: comments } = forgeExecutors(repository, id);
      return { name, repository, work, issue, pulls, comments };
    }

    const pull = (commit: string): Extract<EffectSpec, { kind: 'open_pull_request' }> => ({
      kind: 'open_pull_request',
      base: 'main',
      branch: BRANCH,
      commit,
      title: 'm-0123456789ab: work of attempt 1',
      body: BODY,
    });
    const say = (issue: number): Extract<EffectSpec, { kind: 'post_comment' }> => ({
      kind: 'post_comment',
      issue,
      body: BODY,
    });

    it('opens the pull request once, and finds it whatever became of it', async () => {
      const { name, repository, work, pulls } = await place();
      const spec = pull(work);
      expect(await pulls.observe(spec)).toEqual({ is: 'absent' });
      await pulls.apply(spec);
      const seen = await pulls.observe(spec);
      expect(seen).toMatchObject({ is: 'applied', oid: work });
      const { number } = (await repository.findPullRequest(BRANCH, 'main'))!;
      expect(seen).toMatchObject({ number });
      await expect(pulls.apply(spec)).rejects.toMatchObject({ code: 'forge_exists' });
      await host.closeIssue(name, number);
      expect(await pulls.observe(spec)).toEqual(seen);
    });

    it('opens none for a branch that is at another commit, and takes none of another commit for ours', async () => {
      const { repository, work, pulls } = await place();
      await commit(repository, BRANCH, BRANCH, 'somebody else was here');
      await expect(pulls.apply(pull(work))).rejects.toMatchObject({ code: 'branch_taken' });
      expect(await repository.findPullRequest(BRANCH, 'main')).toBeUndefined();
      await repository.openPullRequest({ title: 't', body: '', head: BRANCH, base: 'main' });
      expect(await pulls.observe(pull(work))).toEqual({ is: 'refused', reason: 'branch_taken' });
    });

    it('posts the comment once, and knows it by its author and its words', async () => {
      const { name, repository, issue, comments } = await place();
      const spec = say(issue);
      await host.ben.repository(name).createComment(issue, BODY);
      await repository.createComment(issue, `${BODY}.`);
      expect(await comments.observe(spec)).toEqual({ is: 'absent' });
      await comments.apply(spec);
      const ours = (await repository.comments(issue)).at(-1)!;
      expect(await comments.observe(spec)).toEqual({ is: 'applied', oid: null, number: ours.id });
    });

    it('says of an issue that is not there that it is refused, for asking again would not help', async () => {
      const { comments } = await place();
      expect(await comments.observe(say(9999))).toEqual({ is: 'refused', reason: 'forge_not_found' });
    });
  });
}

async function commit(
  repository: ForgeRepository,
  branch: string,
  from: string | undefined,
  text: string,
): Promise<string> {
  const files = [{ path: `${text.length}.txt`, content: utf8(text) }];
  return repository.commitFiles({ branch, message: text, files, ...(from === undefined ? {} : { from }) });
}
