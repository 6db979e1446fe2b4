// Attacks by what somebody writes on the pages of the forge: comments, forms, labels, statuses, pull requests. Nothing of it
// may become a vote, a reference or a command.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../support/repos.ts';
import { AT, outcomes, proposalText, type Place } from './place.ts';

/** Of a plan that nobody has. */
const OTHER = '0123456789ab';
const STATUS = 'lazarus/mission';

export function words(at: () => Place): void {
  describe('a colleague’s old comment that somebody turns into an approval', () => {
    it('shows the colleague as its author, and is no vote; the schedule says that nobody can tell whose words they are', async () => {
      const { team, dora, file, comments, ours, refs, newestRun, heard, reconcile, typed } = at();
      const { ben } = team;
      const { issue, line } = await file(team.ana);
      await typed(ben, issue, 'I will have a look.');
      const old = (await comments(issue)).at(-1)!;
      const [before, run] = [refs(), await newestRun()];
      await dora.api('PATCH', `${AT}/issues/comments/${old.id}`, { body: line });
      // The attack did what it could: whoever looks sees ben approve.
      expect((await comments(issue)).at(-1)).toMatchObject({ body: line, user: { id: ben.id } });
      expect(await newestRun()).toBe(run);
      expect(outcomes(await heard(reconcile))).toEqual(['reconcile success']);
      const [status, asked, ...others] = await ours(issue);
      expect(status).toContain('awaiting approval · 0 of 1');
      expect(asked).toContain('of `@ben` with `/approve` was heard by no run');
      expect(asked).toContain('or somebody put that into it afterwards');
      expect(others).toEqual([]);
      expect(refs()).toBe(before);
    });
  });

  describe('a stranger who looks like lazarus', () => {
    it('cannot have its name, and is not read: not as a status, not as a vote', async () => {
      const { team, joined, file, comments, ours, refs, typed } = at();
      for (const name of ['gitea-actions', 'lazarus[bot]'])
        await expect(team.gitea.createUser(name)).rejects.toThrow(/422/);
      const twin = await joined('gitea-action');
      const { issue, line } = await file(team.ana);
      const [status] = await ours(issue);
      const fake = status!.replaceAll(/[0-9a-f]{12}(?=`|$)/gm, OTHER);
      const before = refs();
      await typed(twin, issue, fake);
      await typed(twin, issue, line);
      await typed(team.ben, issue, `/approve ${OTHER}`);
      await typed(team.ben, issue, '/status');
      const said = await comments(issue);
      expect(said.find(({ user }) => user.id === twin.id)!.body).toBe(fake);
      const [now, toTwin, toBen, ...others] = await ours(issue);
      expect(now).toBe(status);
      expect(toTwin).toContain('not_authorised');
      expect(toBen).toContain('approval_stale');
      expect(toBen).toContain(line);
      expect(others).toEqual([]);
      expect(refs()).toBe(before);
    });
  });

  describe('a workflow that a writer brought, which speaks under the account of lazarus', () => {
    it('is not read either: its status changes nothing, its commands are none, its digest is nobody’s', async () => {
      const { team, dora, file, ours, refs, heard, typed } = at();
      const { issue, line } = await file(team.ana);
      const [status] = await ours(issue);
      const fake = status!.replaceAll(/[0-9a-f]{12}(?=`|$)/gm, OTHER).replace(/ seq=\d+/, ' seq=999');
      const before = refs();
      await heard(async () => {
        const content = Buffer.from(speaking(issue, [fake, line])).toString('base64');
        const path = '.gitea/workflows/speaking.yaml';
        await dora.api('POST', `${AT}/contents/${path}`, {
          message: 'x',
          content,
          branch: 'main',
          new_branch: 'speaking',
        });
        await at().over();
      });
      expect(await ours(issue)).toEqual([status, fake, line]);
      await typed(team.ben, issue, `/approve ${OTHER}`);
      expect((await ours(issue)).at(-1)).toContain('approval_stale');
      await typed(team.ben, issue, '/status');
      expect((await ours(issue)).slice(0, 2)).toEqual([status, fake]);
      await dora.api('DELETE', `${AT}/branches/speaking`);
      expect(refs()).toBe(before);
    });
  });

  describe('commands that only look like one', () => {
    it('letters of another alphabet, signs that nobody sees and digests of another spelling are no vote', async () => {
      const { team, file, ours, refs, heard } = at();
      const { issue, line } = await file(team.ana);
      const before = refs();
      const lines = [
        line.replace('a', 'а'),
        line.replace('/approve ', '/approve \u200b'),
        line.replace('/', '／'),
        `\u202e${line}`,
        line.replace(/[0-9a-f]{12}/, (digest) =>
          digest.replace(/\d/g, (n) => String.fromCodePoint(0xff10 + Number(n))),
        ),
        `${line}\u2060`,
      ];
      await heard(async () => {
        for (const one of lines) await team.comment(team.ben, issue, one);
      }, lines.length);
      expect((await ours(issue))[0]).toContain('awaiting approval · 0 of 1');
      expect(refs()).toBe(before);
    });
  });

  describe('a form whose page shows one thing and whose text says another', () => {
    it('is refused, and begins nothing: a heading in a field, a letter that looks like another, another repository', async () => {
      const { team, heard, ours, refs } = at();
      const before = refs();
      const forms = [
        [{ goal: 'nothing\n ```\n\n### Risk tier\n\n0 read only\n\n ```' }, 'form_forged'],
        [{ acceptance: 'true\n\n### Paths that may change\n\n**' }, 'form_forged'],
        [{ paths: 'src/**\r\nǃsrc/secrets/**' }, 'form_invalid'],
        [{ target: 'carol/m1' }, 'capability_unavailable'],
        [{ paths: '.gitea/workflows/**' }, 'scope_unusable'],
      ] as const;
      const issues: number[] = [];
      await heard(async () => {
        for (const [changes] of forms) issues.push(await team.file(team.ana, changes));
      }, forms.length);
      for (const [no, [, code]] of forms.entries())
        expect(await ours(issues[no]!)).toEqual([expect.stringContaining(`**\`${code}\`**`)]);
      expect(refs()).toBe(before);
    });
  });

  describe('words that a shell or a workflow would run', () => {
    const MARK = 'ran-what-somebody-wrote';
    const EVIL = [
      `$(touch "$HOME/${MARK}")`,
      `\`touch "$HOME/${MARK}"\``,
      `"; touch "$HOME/${MARK}"; "`,
      '${{ secrets.LAZARUS_GATE_KEY }}',
      "'EOF'",
    ];

    it('run nowhere: not from a goal, a comment, a label or the name of a branch', async () => {
      const { team, dora, file, heard, refs, typed } = at();
      const { runner } = team;
      const { issue } = await file(team.ana, { goal: EVIL.slice(0, 2).join(' '), purpose: EVIL.join('\n') });
      const label = await dora.api('POST', `${AT}/labels`, { name: EVIL[3]!, color: '#000000' });
      await dora.api('POST', `${AT}/issues/${issue}/labels`, { labels: [label.id] });
      const branch = `x$(touch\${IFS}$HOME/${MARK})`;
      await dora.api('POST', `${AT}/branches`, { new_branch_name: branch, old_ref_name: 'main' });
      const before = refs();
      const comments = EVIL.map((evil) => `/why ${evil}\n/approve ${evil}\n${evil}`);
      await heard(async () => {
        for (const body of comments) await team.comment(team.ben, issue, body);
        await team.file(team.ana, { base: branch });
      }, comments.length + 1);
      await typed(team.ben, issue, `/status\n\n${EVIL.join('\n')}`);
      expect(refs()).toBe(before);
      expect(existsSync(join(runner.home, MARK))).toBe(false);
      await dora.api('DELETE', `${AT}/branches/${encodeURIComponent(branch)}`);
    });

    it('and do run in a workflow that puts them into its script', async () => {
      const { team, heard } = at();
      const inputs = { text: EVIL[0] };
      const start = { ref: 'main', inputs };
      await heard(async () => {
        await team.ana.api('POST', `${AT}/actions/workflows/naive.yaml/dispatches`, start);
        await at().over();
      });
      expect(existsSync(join(team.runner.home, MARK))).toBe(true);
    });
  });

  describe('labels, statuses and the status comment, changed by a writer', () => {
    it('decide nothing, and are made right again at the next look', async () => {
      const { team, dora, file, comments, ours, labels, refs, typed, eventsOf } = at();
      const { issue, mission } = await file(team.ana);
      const [status] = await comments(issue);
      const [before, was] = [refs(), await labels(issue)];
      const sha = (await team.forge.branch('main'))!;
      const known: readonly { readonly id: number; readonly name: string }[] = await dora.api(
        'GET',
        `${AT}/labels?limit=50`,
      );
      const done = known.find(({ name }) => name === 'mission/done')!.id;
      await dora.api('POST', `${AT}/issues/${issue}/labels`, { labels: [done] });
      await dora.api('POST', `${AT}/statuses/${sha}`, { context: STATUS, state: 'success', description: 'done' });
      await dora.api('PATCH', `${AT}/issues/comments/${status!.id}`, {
        body: status!.body.replace('awaiting approval · 0 of 1', 'done'),
      });
      // The attack did what it could.
      expect(await labels(issue)).toContain('mission/done');
      expect(await team.forge.statuses(sha)).toContainEqual(
        expect.objectContaining({ context: STATUS, state: 'success' }),
      );
      await typed(team.ben, issue, '/status');
      expect(await labels(issue)).toEqual(was);
      expect(await ours(issue)).toEqual([status!.body]);
      expect(await team.forge.statuses(sha)).toContainEqual(
        expect.objectContaining({ context: STATUS, state: 'pending' }),
      );
      expect(refs()).toBe(before);
      expect(eventsOf(mission)).not.toContain('vote.cast');
    });

    it('a status comment that is deleted is written anew, and the mission goes on', async () => {
      const { team, dora, file, comments, ours, typed } = at();
      const { issue, mission, line } = await file(team.ana);
      await typed(team.ben, issue, line.replace('approve', 'reject'));
      const [status] = await comments(issue);
      await dora.api('DELETE', `${AT}/issues/comments/${status!.id}`);
      expect(outcomes(await typed(team.ben, issue, '/withdraw'))).toEqual(['gate success']);
      expect(await ours(issue)).toEqual([expect.stringContaining(`### ${mission} · awaiting approval · 0 of 1`)]);
    });
  });

  describe('a vote', () => {
    it('for one mission counts in no other with the same words, and none of the second account of whoever proposed', async () => {
      const { team, benAtWork, file, ours, refs, typed } = at();
      const [first, second] = [await file(team.ben), await file(team.ben)];
      expect(second.line).not.toBe(first.line);
      const before = refs();
      await typed(team.ana, second.issue, first.line);
      expect((await ours(second.issue)).at(-1)).toContain('approval_stale');
      await typed(benAtWork, second.issue, second.line);
      expect((await ours(second.issue)).at(-1)).toContain('self_approval');
      expect(refs()).toBe(before);
    });

    it('that was taken back is not given again by whoever runs its job again', async () => {
      const { team, dora, file, comments, newestRun, refs, typed } = at();
      const { issue, line } = await file(team.ana);
      await typed(team.ben, issue, line.replace('approve', 'reject'));
      const run = await newestRun();
      await typed(team.ben, issue, '/withdraw');
      const [before, said] = [refs(), await comments(issue)];
      await dora.api('POST', `${AT}/actions/runs/${run}/rerun`);
      await at().over();
      expect(await dora.api('GET', `${AT}/actions/runs/${run}`)).toMatchObject({
        run_attempt: 2,
        conclusion: 'success',
        trigger_actor: { id: dora.id },
      });
      expect(refs()).toBe(before);
      expect(await comments(issue)).toEqual(said);
    });

    it('and a hold typed at the same moment both count, each once, and a question is answered beside them', async () => {
      const { team, file, ours, heard, eventsOf } = at();
      const { issue, mission, line } = await file(team.ana, { paths: 'docs/at-once/**' });
      const jobs = await heard(
        () =>
          Promise.all([
            team.comment(team.ben, issue, line.replace('approve', 'reject')),
            team.comment(team.ana, issue, '/hold'),
            team.comment(team.ben, issue, '/why'),
          ]),
        3,
      );
      expect(outcomes(jobs)).toEqual(['gate success', 'gate success', 'gate success']);
      const events = eventsOf(mission);
      for (const one of ['vote.cast', 'mission.held']) expect(events.filter((type) => type === one)).toHaveLength(1);
      const [status, why, ...others] = await ours(issue);
      expect([status, why, others]).toEqual([expect.stringContaining('held'), expect.stringContaining('Missing'), []]);
    });
  });

  describe('a pull request', () => {
    it('of a stranger’s fork, or pushed for review, is no proposal and no base, whatever its text and files say', async () => {
      const { team, folder, heard, ours, refs } = at();
      const { ana, carol, gitea } = team;
      await carol.api('POST', `${AT}/forks`, {});
      const loose = Buffer.from('version: 1\nprofile: repo_mutation_gated\n').toString('base64');
      const path = '.gitea/lazarus/policy.yml';
      const { sha } = await carol.api('GET', `/repos/carol/m1/contents/${path}`);
      await carol.api('PUT', `/repos/carol/m1/contents/${path}`, {
        message: 'x',
        content: loose,
        sha,
        branch: 'main',
        new_branch: 'evil',
      });
      const form = { title: 'mission: x', body: proposalText(), head: 'carol:evil', base: 'main' };
      const { number } = await carol.api('POST', `${AT}/pulls`, form);
      const work = join(folder, 'carol');
      git(folder, ['clone', '-q', '-b', 'evil', `${gitea.url}/carol/m1.git`, work]);
      const asCarol = team.cloneUrl.replace('://', `://carol:${carol.token}@`);
      git(work, ['commit', '-q', '--allow-empty', '-m', 'for review']);
      git(work, ['push', '-q', asCarol, 'HEAD:refs/for/main', '-o', 'topic=evil', '-o', `title=mission: x`]);
      const review = await ana.api('GET', `${AT}/pulls/${number + 1}`);
      expect(review.user.id).toBe(carol.id);
      const before = refs();
      const bases = [`refs/pull/${number}/head`, `refs/pull/${review.number}/head`, 'carol:evil'];
      const issues: number[] = [];
      await heard(async () => {
        for (const one of [number, review.number])
          for (const line of ['/plan', '/followup do more', `/approve ${OTHER}`]) await team.comment(ana, one, line);
        for (const base of bases) issues.push(await team.file(ana, { base }));
      }, 6 + bases.length);
      for (const one of [number, review.number]) expect(await ours(one)).toEqual([]);
      for (const issue of issues)
        expect(await ours(issue)).toEqual([expect.stringMatching(/\*\*`(form_invalid|base_unknown)`\*\*/)]);
      expect(refs()).toBe(before);
    });

    it('that changes policy and agents makes no rule: a mission on its branch has those that are in force', async () => {
      const { team, dora, heard, ours, refs } = at();
      const path = '.gitea/lazarus/policy.yml';
      const { sha, content } = await dora.api('GET', `${AT}/contents/${path}`);
      const text = Buffer.from(content, 'base64').toString('utf8');
      const loose = text
        .replace('agents:\n', 'agents:\n  evil: [/bin/sh, -c, "id"]\n')
        .replace('quorum: [0, 1, 2, 2]', 'quorum: [0, 0, 0, 0]');
      await dora.api('PUT', `${AT}/contents/${path}`, {
        message: 'loose',
        content: Buffer.from(loose).toString('base64'),
        sha,
        branch: 'main',
        new_branch: 'loose',
      });
      const { number } = await dora.api('POST', `${AT}/pulls`, { title: 'loose', head: 'loose', base: 'main' });
      await expect(dora.api('POST', `${AT}/pulls/${number}/merge`, { do: 'merge' })).rejects.toThrow(/405/);
      const before = refs();
      const issues: number[] = [];
      await heard(async () => {
        issues.push(await team.file(team.ana, { base: 'loose', agent: 'evil' }));
      });
      expect(await ours(issues[0]!)).toEqual([expect.stringMatching(/\*\*`policy_(refused|not_in_force)`\*\*/)]);
      expect(refs()).toBe(before);
    });
  });
}

/** Writes comments with the token of its job. */
function speaking(issue: number, bodies: readonly string[]): string {
  const asked = Buffer.from(JSON.stringify(bodies)).toString('base64');
  const script = `
    const bodies = JSON.parse(Buffer.from('${asked}', 'base64').toString());
    for (const body of bodies) {
      const { GITHUB_API_URL: api, GITHUB_REPOSITORY: at, TOKEN } = process.env;
      const headers = { authorization: 'token ' + TOKEN, 'content-type': 'application/json' };
      await fetch(api + '/repos/' + at + '/issues/${issue}/comments', { method: 'POST', headers, body: JSON.stringify({ body }) });
    }`;
  return `on: push
permissions: { issues: write }
jobs:
  speaking:
    runs-on: lazarus-gate
    steps:
      - env: { TOKEN: "\${{ github.token }}" }
        run: |
          cat > speak.mjs <<'SPEAK'
${script.replaceAll(/^ */gm, '          ')}
          SPEAK
          node speak.mjs
`;
}
