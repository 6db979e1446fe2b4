// What every forge must do alike: the real one, and the one in a plain folder that tests use instead.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { utf8 } from '../../src/format/bytes.ts';
import { armor } from '../../src/format/openpgp/armor.ts';
import type { BranchRule, Forge, ForgeRepository, Label, RepositoryName, Review } from '../../src/ports/forge.ts';
import { KEYS_MADE_AT_SECONDS, testKey, type TestKey } from '../support/people.ts';

/** One forge with two accounts, and what people do on its pages. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export type ForgeHost = {
  /** May do everything in what it creates. */
  readonly ana: Forge;
  /** May read what is public, and write comments. */
  readonly ben: Forge;
  fileIssue(by: 'ana' | 'ben', repository: RepositoryName, title: string, body: string): Promise<number>;
  /** Ana does, whoever filed it. */
  editIssue(repository: RepositoryName, number: number, body: string): Promise<void>;
  closeIssue(repository: RepositoryName, number: number): Promise<void>;
  deleteComment(repository: RepositoryName, id: number): Promise<void>;
  /** Ana does. */
  pinIssue(repository: RepositoryName, number: number): Promise<void>;
  /** Ben reviews what ana opened; what he said last ana takes back. */
  review(repository: RepositoryName, number: number, says: Review['says']): Promise<void>;
  mergePullRequest(repository: RepositoryName, number: number): Promise<void>;
  close(): Promise<void>;
};

const AWAITING: Label = {
  name: 'mission/awaiting',
  color: 'fbca04',
  description: 'Waits for votes',
  isExclusive: true,
};
const DONE: Label = { name: 'mission/done', color: '0e8a16', description: 'Is done', isExclusive: true };
const TIER: Label = { name: 'tier/1', color: 'c5def5', description: 'Tier 1', isExclusive: true };
const LEDGER_RULE: BranchRule = {
  pattern: 'lazarus/**',
  pushers: [],
  mergers: 'writers',
  requiresSignatures: true,
  protectedFiles: ['.gitea/**'],
  unprotectedFiles: ['**'],
};
const WORK = 'lazarus-work/m-0123456789ab/1';
const BINARY = new Uint8Array([0, 255, 10, 13, 0, 200]);

let names = 0;

export function forgeContract(kind: string, start: () => Promise<ForgeHost>): void {
  describe(`a forge ${kind}`, () => {
    let host: ForgeHost;
    let ana: Forge;
    let owner: string;
    beforeAll(async () => {
      host = await start();
      ana = host.ana;
      owner = (await ana.whoami()).login;
    });
    afterAll(async () => host?.close());

    async function created(): Promise<{ name: RepositoryName; repository: ForgeRepository }> {
      const name = { owner, name: `r${names++}` };
      await ana.createRepository(name, { isPrivate: false });
      return { name, repository: ana.repository(name) };
    }

    async function withMain(): Promise<{ name: RepositoryName; repository: ForgeRepository; main: string }> {
      const made = await created();
      const main = await made.repository.commitFiles({
        branch: 'main',
        message: 'begin',
        files: [file('a.txt', 'one')],
      });
      return { ...made, main };
    }

    async function withWork(): Promise<{ name: RepositoryName; repository: ForgeRepository; work: string }> {
      const made = await withMain();
      const files = [file('src/b.txt', 'two')];
      const work = await made.repository.commitFiles({ branch: WORK, from: 'main', message: 'work', files });
      return { ...made, work };
    }

    describe('people and repositories', () => {
      it('knows what it is and who asks, by number', async () => {
        expect((await ana.probe()).version).not.toBe('');
        const [me, other] = [await ana.whoami(), await host.ben.whoami()];
        expect(me.id).not.toBe(other.id);
        expect(await ana.user(other.login)).toEqual(other);
        expect(await ana.user(other.login.toUpperCase())).toEqual(other);
        expect(await ana.user('nobody-of-this-name')).toBeUndefined();
      });

      it('creates an empty repository once', async () => {
        const { name, repository } = await created();
        const facts = await repository.facts();
        expect(facts).toMatchObject({ ...name, isEmpty: true, isPrivate: false, defaultBranch: 'main' });
        expect(facts?.id).toBeGreaterThan(0);
        await expect(ana.createRepository(name, { isPrivate: false })).rejects.toMatchObject({ code: 'forge_exists' });
        await repository.commitFiles({ branch: 'main', message: 'begin', files: [file('a.txt', 'one')] });
        expect(await repository.facts()).toEqual({ ...facts, isEmpty: false });
      });

      it('says of what does not exist that it does not', async () => {
        expect(await ana.repository({ owner, name: 'never-made' }).facts()).toBeUndefined();
        const { repository } = await withMain();
        expect(await repository.issue(99)).toBeUndefined();
        expect(await repository.comment(99_999)).toBeUndefined();
        expect(await repository.branch('no/such')).toBeUndefined();
        expect(await repository.readFile('no/such.txt')).toBeUndefined();
        expect(await repository.pullRequest(99)).toBeUndefined();
        await expect(repository.createComment(99, 'x')).rejects.toThrow(Failure);
      });
    });

    describe('issues and comments', () => {
      it('gives an issue as it was written, with its author', async () => {
        const { name, repository } = await withMain();
        const body = '### Goal\r\n\r\n`x` \u202e <!-- y -->\n';
        const number = await host.fileIssue('ben', name, 'mission: try', body);
        const author = await host.ben.whoami();
        expect(await repository.issue(number)).toEqual({
          number,
          author,
          title: 'mission: try',
          body,
          isAsFiled: true,
          updatedAt: expect.stringMatching(INSTANT),
          isOpen: true,
          isPullRequest: false,
          isPinned: false,
          labels: [],
        });
        await host.closeIssue(name, number);
        expect((await repository.issue(number))?.isOpen).toBe(false);
      });

      it('lists every comment in order, creates and edits one', async () => {
        const { name, repository } = await withMain();
        const number = await host.fileIssue('ben', name, 't', 'b');
        const status = await repository.createComment(number, '<!-- lazarus:status v1 -->\nwaiting');
        const said = await host.ben.repository(name).createComment(number, '/approve 3f9c1a2b4d5e');
        await repository.editComment(status.id, 'done');
        expect(await repository.comment(status.id)).toEqual({ ...status, body: 'done' });
        expect(await repository.comments(number)).toEqual([{ ...status, body: 'done' }, said]);
        expect(said.author).toEqual(await host.ben.whoami());
      });

      it('edits an issue, closes it and opens it again; one that is not there it refuses', async () => {
        const { repository } = await withMain();
        const { number } = await repository.createIssue({ title: 't', body: 'b' });
        await repository.editIssue(number, { title: 'other', body: 'words' });
        expect(await repository.issue(number)).toMatchObject({ title: 'other', body: 'words', isOpen: true });
        await repository.editIssue(number, { isOpen: false });
        await repository.editIssue(number, { isOpen: false });
        expect(await repository.issue(number)).toMatchObject({ title: 'other', body: 'words', isOpen: false });
        await repository.editIssue(number, { isOpen: true });
        expect((await repository.issue(number))!.isOpen).toBe(true);
        await expect(repository.editIssue(99, { isOpen: true })).rejects.toMatchObject({ code: 'forge_not_found' });
      });

      it('says of an issue that somebody pinned it', async () => {
        const { name, repository } = await withMain();
        const { number } = await repository.createIssue({ title: 't', body: 'b' });
        expect((await repository.issue(number))!.isPinned).toBe(false);
        await host.pinIssue(name, number);
        expect((await repository.issue(number))!.isPinned).toBe(true);
      });

      it('refuses to edit a comment that was deleted', async () => {
        const { name, repository } = await withMain();
        const number = await host.fileIssue('ana', name, 't', 'b');
        const { id } = await repository.createComment(number, 'x');
        await host.deleteComment(name, id);
        await expect(repository.editComment(id, 'y')).rejects.toMatchObject({ code: 'forge_not_found' });
      });
    });

    describe('labels', () => {
      it('puts one exclusive label in the place of another, and leaves other labels alone', async () => {
        const { name, repository } = await withMain();
        const number = await host.fileIssue('ana', name, 't', 'b');
        await repository.ensureLabels([AWAITING, DONE, TIER]);
        await repository.ensureLabels([AWAITING, DONE, TIER]);
        await repository.addLabels(number, ['mission/awaiting', 'tier/1']);
        await repository.addLabels(number, ['mission/done']);
        expect((await repository.issue(number))?.labels).toEqual(['mission/done', 'tier/1']);
        await repository.removeLabel(number, 'tier/1');
        await repository.removeLabel(number, 'tier/1');
        expect((await repository.issue(number))?.labels).toEqual(['mission/done']);
      });

      it('makes a label exclusive that somebody made before', async () => {
        const { name, repository } = await withMain();
        const number = await host.fileIssue('ana', name, 't', 'b');
        await repository.ensureLabels([{ ...AWAITING, isExclusive: false }, DONE]);
        expect(await repository.lackingLabels([AWAITING, DONE, TIER])).toEqual([AWAITING.name, TIER.name]);
        await repository.ensureLabels([AWAITING]);
        expect(await repository.lackingLabels([AWAITING, DONE])).toEqual([]);
        await repository.addLabels(number, ['mission/awaiting']);
        await repository.addLabels(number, ['mission/done']);
        expect((await repository.issue(number))?.labels).toEqual(['mission/done']);
      });

      it('refuses a label that does not exist, and changes nothing', async () => {
        const { name, repository } = await withMain();
        const number = await host.fileIssue('ana', name, 't', 'b');
        await repository.ensureLabels([AWAITING]);
        await repository.addLabels(number, ['mission/awaiting']);
        await expect(repository.addLabels(number, ['mission/awaiting', 'mission/dnoe'])).rejects.toMatchObject({
          code: 'forge_not_found',
        });
        expect((await repository.issue(number))?.labels).toEqual(['mission/awaiting']);
      });

      it('lists the newest open issues, no more than asked for, and no pull request', async () => {
        const { name, repository } = await withWork();
        expect(await repository.newestIssues(2)).toEqual([]);
        const filed: number[] = [];
        for (const title of ['1', '2', '3', '4']) filed.push(await host.fileIssue('ana', name, title, 'x'));
        await repository.openPullRequest({ title: 'p', body: '', head: WORK, base: 'main' });
        await host.closeIssue(name, filed[3]!);
        expect((await repository.newestIssues(2)).map(({ number }) => number)).toEqual([filed[2], filed[1]]);
        const since = await repository.issuesSince('2000-01-01T00:00:00.000Z', 50);
        expect(since.map(({ number }) => number).toSorted((a, b) => a - b)).toEqual(filed);
        expect(await repository.issuesSince('2000-01-01T00:00:00.000Z', 1)).toHaveLength(1);
        expect((await repository.newestIssues(50)).map(({ number }) => number)).toEqual(filed.slice(0, 3).toReversed());
      });

      it('tells words as they were filed from words that somebody changed, be it into the same', async () => {
        const { name, repository } = await withMain();
        const number = await host.fileIssue('ben', name, 't', 'as filed');
        await repository.ensureLabels([AWAITING]);
        await repository.addLabels(number, ['mission/awaiting']);
        expect((await repository.issue(number))?.isAsFiled).toBe(true);
        const before = (await repository.issue(number))!.updatedAt;
        await host.editIssue(name, number, 'as filed');
        const edited = (await repository.issue(number))!;
        expect(edited).toMatchObject({ author: { login: 'ben' }, isAsFiled: false });
        // A second may hold several edits; none makes it earlier.
        expect(edited.updatedAt >= before).toBe(true);
        expect((await repository.newestIssues(1))[0]?.isAsFiled).toBe(false);
      });

      it('finds a label behind more than a page of others', async () => {
        const { name, repository } = await withMain();
        const many = Array.from({ length: 55 }, (_, i) => ({ ...TIER, name: `area-${i}`, isExclusive: false }));
        await repository.ensureLabels([...many, AWAITING]);
        const number = await host.fileIssue('ana', name, 't', 'b');
        await repository.addLabels(number, ['area-54', 'mission/awaiting']);
        expect((await repository.issue(number))?.labels).toEqual(['area-54', 'mission/awaiting']);
      });
    });

    describe('work', () => {
      it('commits files on a new branch and on top of one, and reads them back byte for byte', async () => {
        const { repository, main } = await withMain();
        expect(await repository.branch('main')).toBe(main);
        const files = [file('.gitea/lazarus/policy.yml', 'tiers: {}\n'), { path: 'bin/x', content: BINARY }];
        const next = await repository.commitFiles({ branch: 'main', message: 'second', files });
        expect(await repository.branch('main')).toBe(next);
        expect(await repository.readFile('bin/x')).toEqual(BINARY);
        expect(await repository.readFile('a.txt')).toEqual(utf8('one'));
        const side = await repository.commitFiles({
          branch: 'lazarus-init',
          from: 'main',
          message: 'third',
          files: [file('a.txt', 'changed'), file('new/c.txt', 'three')],
        });
        expect(await repository.branch('lazarus-init')).toBe(side);
        expect(await repository.branch('main')).toBe(next);
        expect(await repository.readFile('a.txt')).toEqual(utf8('one'));
      });

      it('makes an issue of its own account', async () => {
        const { repository } = await withMain();
        const made = await repository.createIssue({ title: 'mission: x', body: '### Goal\n\ny\n' });
        expect(made).toMatchObject({
          title: 'mission: x',
          body: '### Goal\n\ny\n',
          isOpen: true,
          isPullRequest: false,
          isPinned: false,
        });
        expect(made.author).toEqual(await ana.whoami());
        expect(await repository.issue(made.number)).toEqual(made);
      });

      it('starts a workflow of the default branch by hand, and says where there is none', async () => {
        const { repository } = await withMain();
        expect(await repository.startWorkflow('lazarus.yaml')).toBe(false);
        const text = 'on: { workflow_dispatch: {} }\njobs: { a: { runs-on: nobody, steps: [{ run: "true" }] } }\n';
        const files = [file('.gitea/workflows/lazarus.yaml', text)];
        await repository.commitFiles({ branch: 'main', message: 'a workflow', files });
        expect(await repository.startWorkflow('lazarus.yaml')).toBe(true);
      });

      it('commits nothing when nothing would change', async () => {
        const { repository, main } = await withMain();
        const files = [file('a.txt', 'one')];
        expect(await repository.commitFiles({ branch: 'main', message: 'again', files })).toBe(main);
        expect(await repository.branch('main')).toBe(main);
      });

      it.each(['../evil', 'a/../evil', '.git/config', 'a/.GIT/hooks/x', ''])('writes no file at %j', async (path) => {
        const { repository, main } = await withMain();
        const change = { branch: 'main', message: 'x', files: [file(path, 'x')] };
        await expect(repository.commitFiles(change)).rejects.toThrow(Failure);
        expect(await repository.branch('main')).toBe(main);
      });

      it('shows the latest commit status of each context', async () => {
        const { repository, main } = await withMain();
        const status = (context: string, state: 'pending' | 'success', description: string) => ({
          context,
          state,
          description,
        });
        await repository.setStatus(main, status('lazarus/mission', 'pending', 'waits for 1 vote'));
        await repository.setStatus(main, status('lazarus/scope', 'success', 'all files owned'));
        await repository.setStatus(main, {
          ...status('lazarus/mission', 'success', 'done'),
          url: 'https://x.invalid/1',
        });
        expect(await repository.statuses(main)).toEqual([
          { ...status('lazarus/mission', 'success', 'done'), url: 'https://x.invalid/1' },
          status('lazarus/scope', 'success', 'all files owned'),
        ]);
      });

      it('tells whose last word on a pull request was a no, and who merged it; what happened last comes first', async () => {
        const { name, repository } = await withWork();
        const files = [file('src/c.txt', 'three')];
        await repository.commitFiles({ branch: 'lazarus-work/m-0123456789ab/2', from: 'main', message: 'w', files });
        const opened = await repository.openPullRequest({ title: 'p', body: '', head: WORK, base: 'main' });
        const second = { title: 'q', body: '', head: 'lazarus-work/m-0123456789ab/2', base: 'main' };
        const { number: other } = await repository.openPullRequest(second);
        const { number } = opened;
        expect(opened).toMatchObject({ state: 'open', mergedBy: null });
        expect(await repository.reviews(number)).toEqual([]);
        const ben = await host.ben.whoami();
        await host.review(name, number, 'no');
        expect(await repository.reviews(number)).toMatchObject([{ by: ben, says: 'no' }]);
        await host.review(name, number, 'taken_back');
        expect(await repository.reviews(number)).toMatchObject([{ by: ben, says: 'taken_back' }]);
        await host.review(name, number, 'yes');
        expect(await repository.reviews(number)).toMatchObject([{ by: ben, says: 'yes' }]);
        expect(new Set((await repository.recentPullRequests(5)).map((one) => one.number))).toEqual(
          new Set([number, other]),
        );
        await host.mergePullRequest(name, number);
        const merged = { number, state: 'merged', mergedBy: await ana.whoami() };
        expect(await repository.pullRequest(number)).toMatchObject(merged);
        expect((await repository.recentPullRequests(5)).find((one) => one.number === number)).toMatchObject({
          state: 'merged',
        });
        expect(await repository.recentPullRequests(1)).toHaveLength(1);
      });

      it('opens one pull request for a branch and finds it again', async () => {
        const { repository, work } = await withWork();
        expect(await repository.findPullRequest(WORK, 'main')).toBeUndefined();
        const request = { title: 'mission m-0123456789ab', body: 'Text <b>\n', head: WORK, base: 'main' };
        const opened = await repository.openPullRequest(request);
        expect(opened).toMatchObject({ ...request, headOid: work, state: 'open', author: await ana.whoami() });
        expect(await repository.findPullRequest(WORK, 'main')).toEqual(opened);
        expect(await repository.pullRequest(opened.number)).toEqual(opened);
        expect(await repository.issue(opened.number)).toMatchObject({ isPullRequest: true, title: request.title });
        await expect(repository.openPullRequest(request)).rejects.toMatchObject({ code: 'forge_exists' });
      });

      it('finds the open one of two, and a closed one when there is no other', async () => {
        const { name, repository } = await withWork();
        const request = { title: 't', body: '', head: WORK, base: 'main' };
        const first = await repository.openPullRequest(request);
        await host.closeIssue(name, first.number);
        expect(await repository.findPullRequest(WORK, 'main')).toMatchObject({ number: first.number, state: 'closed' });
        const second = await repository.openPullRequest(request);
        expect(await repository.findPullRequest(WORK, 'main')).toMatchObject({ number: second.number, state: 'open' });
      });

      it('refuses a pull request of a branch that is not there', async () => {
        const { repository } = await withMain();
        const request = { title: 't', body: '', head: 'no-such', base: 'main' };
        await expect(repository.openPullRequest(request)).rejects.toMatchObject({ code: 'forge_not_found' });
      });
    });

    describe('rules, keys and secrets', () => {
      it('writes a branch rule once, reads it back, and never changes one', async () => {
        const { repository } = await withMain();
        expect(await repository.ensureRule(LEDGER_RULE)).toBe('created');
        expect(await repository.ensureRule(LEDGER_RULE)).toBe('present');
        expect(await repository.rules()).toEqual([LEDGER_RULE]);
        const weaker = { ...LEDGER_RULE, requiresSignatures: false };
        await expect(repository.ensureRule(weaker)).rejects.toMatchObject({ code: 'forge_rule_differs' });
        expect(await repository.rules()).toEqual([LEDGER_RULE]);
      });

      it('leaves it to people whom a list names, and not whether it names anybody', async () => {
        const { repository } = await withMain();
        const [login] = await repository.writers();
        expect(login).toBe(owner);
        const named = { ...LEDGER_RULE, pattern: 'main', pushers: [login!], mergers: [login!] } as const;
        await repository.ensureRule(named);
        expect(await repository.rules()).toEqual([named]);
        expect(await repository.ensureRule({ ...named, pushers: [login!, 'cleo'] })).toBe('present');
        for (const one of [{ pushers: [] }, { pushers: 'writers' }, { mergers: 'writers' }] as const)
          await expect(repository.ensureRule({ ...named, ...one })).rejects.toMatchObject({
            code: 'forge_rule_differs',
          });
      });

      it('puts a rule in the place of an earlier one that nobody changed, and of no other', async () => {
        const { repository } = await withMain();
        const earlier = { ...LEDGER_RULE, pattern: 'main', pushers: 'writers', requiresSignatures: false } as const;
        const wanted = { ...earlier, pushers: [owner], mergers: [owner], protectedFiles: [] } as const;
        expect(await repository.faultsOfRule(wanted)).toBeUndefined();
        await repository.ensureRule(earlier);
        expect(await repository.faultsOfRule(wanted)).not.toEqual([]);
        const otherThanThat = { ...earlier, protectedFiles: ['other/**'] };
        await expect(repository.ensureRule(wanted, [otherThanThat])).rejects.toMatchObject({
          code: 'forge_rule_differs',
        });
        expect(await repository.rules()).toEqual([earlier]);
        expect(await repository.ensureRule(wanted, [otherThanThat, earlier])).toBe('changed');
        expect(await repository.rules()).toEqual([wanted]);
        expect(await repository.faultsOfRule({ ...wanted, pushers: [owner, 'cleo'] })).toEqual([]);
        expect(await repository.ensureRule(wanted, [earlier])).toBe('present');
      });

      it('lets nobody change protected files of a branch', async () => {
        const { repository, main } = await withMain();
        const open = { ...LEDGER_RULE, pattern: 'main', pushers: 'writers', requiresSignatures: false } as const;
        await repository.ensureRule({ ...open, mergers: 'writers', unprotectedFiles: [] });
        const files = [file('.gitea/workflows/x.yaml', 'on: push\n')];
        const change = { branch: 'main', message: 'x', files };
        await expect(repository.commitFiles(change)).rejects.toMatchObject({ code: 'forge_refused' });
        expect(await repository.branch('main')).toBe(main);
        await repository.commitFiles({ branch: 'main', message: 'y', files: [file('b.txt', 'b')] });
        const aside = await repository.commitFiles({ ...change, branch: 'lazarus-init', from: 'main' });
        expect(await repository.branch('lazarus-init')).toBe(aside);
      });

      it('says what of a rule somebody changed, whom it names included, and takes one away', async () => {
        const { repository } = await withMain();
        const named = { ...LEDGER_RULE, pattern: 'main', pushers: [owner], mergers: [owner] };
        expect(await repository.changesOfRule(named)).toBeUndefined();
        await repository.ensureRule(LEDGER_RULE);
        await repository.ensureRule(named);
        expect(await repository.changesOfRule(LEDGER_RULE)).toEqual([]);
        expect(await repository.changesOfRule(named)).toEqual([]);
        expect(await repository.changesOfRule({ ...named, mergers: [owner, 'cleo'] })).toHaveLength(1);
        await repository.removeRule(LEDGER_RULE.pattern);
        expect(await repository.rules()).toEqual([named]);
        await expect(repository.removeRule(LEDGER_RULE.pattern)).rejects.toMatchObject({ code: 'forge_not_found' });
      });

      it('takes files away in the commit that brings others', async () => {
        const { repository } = await withMain();
        await repository.commitFiles({
          branch: 'main',
          message: 'a',
          files: [file('a/b.txt', 'b'), file('c.txt', 'c')],
        });
        const gone = { path: 'a/b.txt', content: undefined };
        const next = await repository.commitFiles({ branch: 'main', message: 'd', files: [gone, file('d.txt', 'd')] });
        expect(await repository.readFile('a/b.txt')).toBeUndefined();
        expect(await repository.readFile('d.txt')).toEqual(utf8('d'));
        expect(await repository.readFile('c.txt')).toEqual(utf8('c'));
        expect(await repository.commitFiles({ branch: 'main', message: 'again', files: [gone] })).toBe(next);
      });

      it('tells which files are in a folder, and not what lies below it', async () => {
        const { repository } = await withMain();
        const files = [file('e/f.txt', 'f'), file('e/g/h.txt', 'h')];
        await repository.commitFiles({ branch: 'main', message: 'e', files });
        expect(await repository.filesIn('e')).toEqual(['e/f.txt']);
        expect(await repository.filesIn('nowhere')).toEqual([]);
      });

      it('registers a public key whose owner signs the challenge, once', async () => {
        const key = testKey(`gate ${kind}`);
        expect(await ana.hasPublicKey(key.fingerprint)).toBe(false);
        expect(await ana.registerPublicKey(request(key))).toBe('registered');
        expect([await ana.hasPublicKey(key.fingerprint), await host.ben.hasPublicKey(key.fingerprint)]).toEqual([
          true,
          false,
        ]);
        expect(await ana.registerPublicKey(request(key))).toBe('present');
        await expect(host.ben.registerPublicKey(request(key))).rejects.toMatchObject({ code: 'forge_key_refused' });
      });

      it('refuses a key whose challenge somebody else signed', async () => {
        const [key, thief] = [testKey(`kim ${kind}`), testKey(`thief ${kind}`)];
        const stolen = { ...request(key), sign: request(thief).sign };
        await expect(ana.registerPublicKey(stolen)).rejects.toMatchObject({ code: 'forge_key_refused' });
      });

      it('asks for the value of a secret once, when it sets it', async () => {
        const { repository } = await withMain();
        let asked = 0;
        const value = async () => `value ${++asked}`;
        await repository.setSecret('LAZARUS_GATE_KEY', value);
        expect(asked).toBe(1);
        expect(await repository.secretNames()).toEqual(['LAZARUS_GATE_KEY']);
        await repository.removeSecret('LAZARUS_GATE_KEY');
        expect(await repository.secretNames()).toEqual([]);
        await expect(repository.removeSecret('LAZARUS_GATE_KEY')).rejects.toMatchObject({ code: 'forge_not_found' });
      });
    });
  });
}

function file(path: string, content: string): { path: string; content: Uint8Array } {
  return { path, content: utf8(content) };
}

function request(key: TestKey) {
  return {
    armored: armor('PUBLIC KEY BLOCK', key.publicKey),
    fingerprint: key.fingerprint,
    sign: async (challenge: Uint8Array) => armor('SIGNATURE', await key.sign(challenge, KEYS_MADE_AT_SECONDS)),
  };
}
