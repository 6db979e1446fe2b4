// The repository half of a forge without a server: issues, comments, labels, statuses, pull requests, rules and files
// as records, with the promises of the port and nothing more.
import { equalBytes } from '../../../src/format/bytes.ts';
import { matcher } from '../../../src/kernel/scope/globs.ts';
import { pathFault } from '../../../src/kernel/scope/paths.ts';
import { Failure } from '../../../src/failure.ts';
import type {
  BranchRule,
  ForgeRepository,
  ForgeUser,
  Issue,
  Label,
  PullRequest,
  RepositoryName,
} from '../../../src/ports/forge.ts';
import type { Book } from './open-book.ts';
import { fullName, type BookGit, type IssueRecord, type RepositoryBook } from './records.ts';

const DEFAULT_BRANCH = 'main';

export type BookPlace = {
  readonly name: RepositoryName;
  readonly book: Book<RepositoryBook>;
  readonly git: BookGit;
  readonly me: () => Promise<ForgeUser>;
};

export function bookRepository({ name, book, git, me }: BookPlace): ForgeRepository {
  const look = async (): Promise<RepositoryBook> => (await book.look()) ?? missing({ repository: fullName(name) });
  const pullFrom = async (record: IssueRecord): Promise<PullRequest> => pullRequest(record, git, name);

  return {
    facts: async () => {
      const found = await book.look();
      if (found === undefined) return undefined;
      const isEmpty = (await git.head(DEFAULT_BRANCH)) === undefined;
      const { id, isPrivate } = found;
      return { ...name, id, defaultBranch: DEFAULT_BRANCH, isPrivate, isEmpty, cloneUrl: git.cloneUrl };
    },

    issue: async (number) => {
      const found = (await look()).issues.find((one) => one.number === number);
      return found && issueFrom(found);
    },
    newestIssues: async (max) =>
      (await look()).issues
        .filter((one) => one.isOpen && one.pull === null)
        .sort((a, b) => b.number - a.number)
        .slice(0, max)
        .map(issueFrom),
    issuesSince: async (_instant, max) =>
      (await look()).issues
        .filter(({ pull }) => pull === null)
        .toReversed()
        .slice(0, max)
        .map(issueFrom),
    createIssue: async ({ title, body }) => {
      const author = await me();
      return book.write((copy) => issueFrom(addIssue(copy, { author, title, body, pull: null })));
    },
    editIssue: async (number, change) =>
      book.write((copy) => {
        const record = recordOf(copy, number);
        const isEdited = change.body !== undefined;
        Object.assign(record, change, isEdited ? { isAsFiled: false, edits: record.edits + 1 } : {});
      }),
    comment: async (id) => {
      const found = (await look()).comments.find((one) => one.id === id);
      return found && { id, author: found.author, body: found.body };
    },
    comments: async (number) =>
      (await look()).comments
        .filter((one) => one.issue === number)
        .map(({ id, author, body }) => ({ id, author, body })),
    createComment: async (number, body) => {
      const author = await me();
      return book.write((copy) => {
        recordOf(copy, number);
        const id = ++copy.lastCommentId;
        copy.comments.push({ id, issue: number, author, body });
        return { id, author, body };
      });
    },
    editComment: async (id, body) =>
      book.write((copy) => {
        const found = copy.comments.find((one) => one.id === id) ?? missing({ comment: id });
        found.body = body;
      }),

    lackingLabels: async (labels) => {
      const known = (await look()).labels;
      const isThere = ({ name: label, isExclusive }: Label): boolean =>
        known.some((one) => one.name === label && one.isExclusive === isExclusive);
      return labels.filter((one) => !isThere(one)).map((one) => one.name);
    },
    ensureLabels: async (labels) =>
      book.write((copy) => {
        for (const label of labels) {
          const known = copy.labels.find((one) => one.name === label.name);
          if (known === undefined) copy.labels.push({ ...label });
          else known.isExclusive = label.isExclusive;
        }
      }),
    addLabels: async (number, names) =>
      book.write((copy) => {
        const record = recordOf(copy, number);
        for (const label of names) {
          const known = copy.labels.find((one) => one.name === label) ?? missing({ label });
          const rivals = known.isExclusive ? rivalsOf(known, copy.labels) : [];
          record.labels = [...new Set([...record.labels.filter((one) => !rivals.includes(one)), label])].sort();
        }
      }),
    removeLabel: async (number, label) =>
      book.write((copy) => {
        const record = recordOf(copy, number);
        record.labels = record.labels.filter((one) => one !== label);
      }),

    setStatus: async (commit, status) =>
      book.write((copy) => {
        const others = copy.statuses.filter((one) => one.commit !== commit || one.context !== status.context);
        copy.statuses = [...others, { ...status, commit }];
      }),
    statuses: async (commit) =>
      (await look()).statuses
        .filter((one) => one.commit === commit)
        .map(({ commit: _commit, ...status }) => status)
        .sort((a, b) => (a.context < b.context ? -1 : 1)),

    branch: async (branch) => git.head(branch),
    findPullRequest: async (head, base) => {
      const found = (await look()).issues.filter((one) => one.pull?.head === head && one.pull.base === base);
      const best = found.find((one) => one.isOpen) ?? found.at(-1);
      return best && pullFrom(best);
    },
    openPullRequest: async ({ title, body, head, base }) => {
      const headOid = await git.head(head);
      if (headOid === undefined || (await git.head(base)) === undefined) throw missing({ head, base });
      const author = await me();
      const record = await book.write((copy) => {
        if (copy.issues.some((one) => one.isOpen && one.pull?.head === head && one.pull.base === base))
          throw new Failure('forge_exists', { head, base });
        return addIssue(copy, {
          author,
          title,
          body,
          pull: { head, headOid, base, isMerged: false, mergedBy: null, reviews: [] },
        });
      });
      return pullFrom(record);
    },
    pullRequest: async (number) => {
      const found = (await look()).issues.find((one) => one.number === number && one.pull !== null);
      return found && pullFrom(found);
    },

    recentPullRequests: async (max) => {
      const all = (await look()).issues.filter((one) => one.pull !== null);
      return Promise.all(all.toReversed().slice(0, max).map(pullFrom));
    },
    reviews: async (number) => {
      const { reviews } = (await look()).issues.find((one) => one.number === number)?.pull ?? missing({ pull: number });
      const last = new Map(reviews.map((one) => [one.by.id, one]));
      return [...last.values()].map(({ by, says }) => ({ by, says, isOfficial: by.login === name.owner }));
    },

    writers: async () => [name.owner],
    rules: async () => (await look()).rules,
    ensureRule: async (rule, earlier = []) =>
      book.write((copy) => {
        const at = copy.rules.findIndex((one) => one.pattern === rule.pattern);
        const made = structuredClone(rule) as (typeof copy.rules)[number];
        const known = copy.rules[at];
        if (known === undefined) {
          copy.rules.push(made);
          return 'created' as const;
        }
        const differs = faultsOf(rule, known);
        if (differs.length === 0) return 'present' as const;
        if (!earlier.some((one) => changesOf(one, known).length === 0))
          throw new Failure('forge_rule_differs', { rule: rule.pattern, differs });
        copy.rules[at] = made;
        return 'changed' as const;
      }),
    faultsOfRule: async (rule) => {
      const known = (await look()).rules.find((one) => one.pattern === rule.pattern);
      return known && faultsOf(rule, known);
    },

    changesOfRule: async (rule) => {
      const known = (await look()).rules.find((one) => one.pattern === rule.pattern);
      return known && changesOf(rule, known);
    },
    removeRule: async (pattern) =>
      book.write((copy) => {
        if (!copy.rules.some((one) => one.pattern === pattern)) missing({ rule: pattern });
        copy.rules = copy.rules.filter((one) => one.pattern !== pattern);
      }),

    startWorkflow: async (name) => {
      const tip = await git.head(DEFAULT_BRANCH);
      return tip !== undefined && (await git.file(tip, `.gitea/workflows/${name}`)) !== undefined;
    },
    // Nothing here runs jobs.
    latestJobs: async () => [],
    filesIn: async (folder) => {
      const tip = await git.head(DEFAULT_BRANCH);
      return tip === undefined ? [] : git.filesIn(tip, folder);
    },
    readFile: async (path) => {
      const tip = await git.head(DEFAULT_BRANCH);
      return tip === undefined ? undefined : git.file(tip, path);
    },
    commitFiles: async ({ branch, from, message, files }) => {
      const [tip, { id, login }, { rules }] = await Promise.all([git.head(branch), me(), look()]);
      const parent = tip ?? (from === undefined ? undefined : ((await git.head(from)) ?? missing({ branch: from })));
      const changed = [];
      for (const file of files) {
        requirePath(file.path);
        const there = parent === undefined ? undefined : await git.file(parent, file.path);
        if (file.content === undefined ? there !== undefined : isOther(there, file.content)) changed.push(file);
      }
      if (changed.length === 0 && tip !== undefined) return tip;
      const rule = rules.find((one) => matcher(one.pattern)(branch));
      const guarded = changed.find(({ path }) => rule?.protectedFiles.some((glob) => matcher(glob)(path)));
      if (guarded !== undefined) throw new Failure('forge_refused', { branch, path: guarded.path, why: 'protected' });
      const author = { name: login, email: `${id}+${login}@lazarus.invalid` };
      return git.commit({ branch, parent, author, message, files: changed });
    },
    secretNames: async () => [...((await book.look())?.secrets ?? [])],
    ownersSecretNames: async () => [],
    setSecret: async (secret, value) => {
      await value();
      await book.write((copy) => {
        copy.secrets = [...new Set([...copy.secrets, secret])];
      });
    },
    removeSecret: async (secret) =>
      book.write((copy) => {
        if (!copy.secrets.includes(secret)) missing({ secret });
        copy.secrets = copy.secrets.filter((one) => one !== secret);
      }),
  };
}

/** Who is named is not compared, only that somebody is. */
function faultsOf(rule: BranchRule, known: BranchRule): string[] {
  const told = (value: unknown): string => (Array.isArray(value) && value.length > 0 ? 'named' : JSON.stringify(value));
  return changesOf(rule, known).filter(
    (field) => !['pushers', 'mergers'].includes(field) || told(known[field]) !== told(rule[field]),
  );
}

function changesOf(rule: BranchRule, known: BranchRule): (keyof BranchRule)[] {
  const fields = Object.keys(known) as (keyof BranchRule)[];
  return fields.filter((field) => JSON.stringify(known[field]) !== JSON.stringify(rule[field]));
}

function isOther(there: Uint8Array | undefined, content: Uint8Array): boolean {
  return there === undefined || !equalBytes(there, content);
}

/** Nothing that leads elsewhere, or that a stream of commands would read as one. */
function requirePath(path: string): void {
  const fault = path.includes('"') ? 'quote' : pathFault(path);
  if (fault !== undefined) throw new Failure('forge_refused', { why: fault });
}

export function addIssue(
  copy: RepositoryBook,
  given: Pick<IssueRecord, 'author' | 'title' | 'body' | 'pull'>,
): IssueRecord {
  const record = {
    ...given,
    number: ++copy.lastNumber,
    isAsFiled: true,
    edits: 0,
    isOpen: true,
    isPinned: false,
    labels: [],
  };
  copy.issues.push(record);
  return record;
}

export function recordOf(copy: RepositoryBook, number: number): IssueRecord {
  return copy.issues.find((one) => one.number === number) ?? missing({ issue: number });
}

function issueFrom({ pull, edits, ...issue }: IssueRecord): Issue {
  return { ...issue, updatedAt: new Date(edits * 1000).toISOString(), isPullRequest: pull !== null };
}

async function pullRequest(record: IssueRecord, git: BookGit, name: RepositoryName): Promise<PullRequest> {
  const { pull, number, author, title, body } = record;
  if (pull === null) return missing({ pull: number });
  const state = record.isOpen ? 'open' : pull.isMerged ? 'merged' : 'closed';
  const headOid = (await git.head(pull.head)) ?? pull.headOid;
  const { head, base, mergedBy } = pull;
  return { number, author, title, body, head, headOid, base, state, mergedBy, url: `${fullName(name)}#${number}` };
}

/** Those of the same scope: what stands before the last slash. */
function rivalsOf({ name }: Label, labels: readonly Label[]): string[] {
  const scope = name.slice(0, name.lastIndexOf('/') + 1);
  if (scope === '') return [];
  return labels.filter((one) => one.isExclusive && one.name.startsWith(scope)).map((one) => one.name);
}

function missing(facts: Readonly<Record<string, string | number>>): never {
  throw new Failure('forge_not_found', facts);
}
