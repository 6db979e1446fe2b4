// What lazarus asks of a forge, in its own words: people, issues, comments, labels, statuses, pull requests, branch rules.
// Nothing that a forge says is authority: callers compare, and decide on the ledger. Times are asked for to look at them:
// nothing that happened may be concluded from one.
import type { Oid } from '../format/git/object.ts';

/** The id counts, never the login: logins are renamed and taken over. */
export type ForgeUser = { readonly id: number; readonly login: string };

/** `owner/name`, each without a slash. */
export type RepositoryName = { readonly owner: string; readonly name: string };

export type ForgeKind = { readonly software: 'gitea' | 'forgejo' | 'directory' | 'memory'; readonly version: string };

export type RepositoryFacts = RepositoryName & {
  readonly id: number;
  readonly defaultBranch: string;
  readonly isPrivate: boolean;
  /** Without any commit. */
  readonly isEmpty: boolean;
  /** Where git fetches and pushes; without a credential. */
  readonly cloneUrl: string;
};

export type Issue = {
  readonly number: number;
  readonly author: ForgeUser;
  readonly title: string;
  readonly body: string;
  /** Nobody has changed the body since; false also where the forge cannot tell. */
  readonly isAsFiled: boolean;
  /** When anything about it was changed last, by the forge’s clock: no text of it is newer. */
  readonly updatedAt: string;
  readonly isOpen: boolean;
  /** Pull requests are issues to most forges: commands on them reach lazarus too. */
  readonly isPullRequest: boolean;
  /** Kept above the others by somebody who administers the repository. */
  readonly isPinned: boolean;
  readonly labels: readonly string[];
};

export type Comment = { readonly id: number; readonly author: ForgeUser; readonly body: string };

/** Of labels whose names share all before the last slash, an issue carries one at most if they are exclusive. */
export type Label = {
  readonly name: string;
  /** Six lower-case hex digits. */
  readonly color: string;
  readonly description: string;
  readonly isExclusive: boolean;
};

export type CommitStatus = {
  readonly context: string;
  readonly state: 'pending' | 'success' | 'failure' | 'error' | 'warning' | 'skipped';
  readonly description: string;
  readonly url?: string | undefined;
};

export type PullRequest = {
  readonly number: number;
  readonly author: ForgeUser;
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly headOid: Oid;
  readonly base: string;
  readonly state: 'open' | 'merged' | 'closed';
  /** Null where it is not merged, or by nobody whom the forge still knows. */
  readonly mergedBy: ForgeUser | null;
  /** The page a person opens. */
  readonly url: string;
};

export type BranchRule = {
  /** Branches it is about: `*` stays within one folder, `**` does not. */
  readonly pattern: string;
  /** Who may push besides what `unprotectedFiles` opens: everybody who may write, or these logins only. */
  readonly pushers: 'writers' | readonly string[];
  /** Who may merge a pull request into them: everybody who may write, or these logins only. */
  readonly mergers: 'writers' | readonly string[];
  readonly requiresSignatures: boolean;
  /** Globs of files that no push may touch. */
  readonly protectedFiles: readonly string[];
  /** Globs: a push that touches nothing else is open to every writer. */
  readonly unprotectedFiles: readonly string[];
};

/** One run of a step of CI. That it is over says nothing of what became of it. */
export type Job = {
  readonly labels: readonly string[];
  /** `queued`: no runner has taken it. `blocked`: others come first. */
  readonly is: 'queued' | 'blocked' | 'running' | 'over';
  /** The name of the runner that took it. */
  readonly runner: string | undefined;
  /** When it was taken, or as long as it was not, made; by the forge’s clock. */
  readonly since: string;
};

/** Somebody's last word on a pull request that was a yes or a no; taken back by whoever may, it is none any more. */
export type Review = {
  readonly by: ForgeUser;
  readonly says: 'yes' | 'no' | 'taken_back';
  /** The forge lets their word stand in the way of a merge. */
  readonly isOfficial: boolean;
};

/** Without content the file is gone afterwards. */
type FileChange = { readonly path: string; readonly content: Uint8Array | undefined };

export type PublicKeyRequest = {
  readonly armored: string;
  /** 40 upper-case hex digits. */
  readonly fingerprint: string;
  /** Signs what the forge asks to see signed: an armored binary detached signature. */
  readonly sign: (challenge: Uint8Array) => Promise<string>;
};

export interface Forge {
  /** For messages: never contains a credential. */
  readonly displayUrl: string;
  /** Throws `forge_too_old` when the server cannot do what lazarus needs. */
  probe(): Promise<ForgeKind>;
  /** Whose credential this is. */
  whoami(): Promise<ForgeUser>;
  /** What its maker allowed it to do, in the forge's words; undefined where the forge does not tell. */
  scopes(): Promise<readonly string[] | undefined>;
  /** What time it is there, to the second. Only clocks are held against it, and nothing that happened. */
  nowSeconds(): Promise<number>;
  user(login: string): Promise<ForgeUser | undefined>;
  /** Asks nothing yet. */
  repository(name: RepositoryName): ForgeRepository;
  /** Empty, without any commit. Throws `forge_exists`. */
  createRepository(name: RepositoryName, options: { readonly isPrivate: boolean }): Promise<RepositoryFacts>;
  /** With the account of this credential. Throws `forge_key_refused`, also when another account has the key. */
  registerPublicKey(key: PublicKeyRequest): Promise<'registered' | 'present'>;
  /** With the account of this credential, and proven. */
  hasPublicKey(fingerprint: string): Promise<boolean>;
}

/** Methods that answer `undefined` mean: no such thing, or not visible to us. */
export interface ForgeRepository {
  facts(): Promise<RepositoryFacts | undefined>;

  issue(number: number): Promise<Issue | undefined>;
  /** Open ones, the newest first, `max` at most; pull requests are left out. */
  newestIssues(max: number): Promise<readonly Issue[]>;
  /**
   * Open and closed ones in which anything was changed or said since that instant, the last one first, `max` at most; pull
   * requests are left out. Where the forge does not tell when, all that there are.
   */
  issuesSince(instant: string, max: number): Promise<readonly Issue[]>;
  createIssue(issue: Pick<Issue, 'title' | 'body'>): Promise<Issue>;
  /** Throws `forge_not_found` when it was deleted. */
  editIssue(number: number, change: Partial<Pick<Issue, 'title' | 'body' | 'isOpen'>>): Promise<void>;
  comment(id: number): Promise<Comment | undefined>;
  /** Oldest first. */
  comments(issue: number): Promise<readonly Comment[]>;
  createComment(issue: number, body: string): Promise<Comment>;
  /** Throws `forge_not_found` when it was deleted. */
  editComment(id: number, body: string): Promise<void>;

  /** Those that are missing, or not exclusive where they should be: what `ensureLabels` would change, by name. */
  lackingLabels(labels: readonly Label[]): Promise<readonly string[]>;
  /** Creates what is missing and corrects exclusiveness; colours and descriptions that people chose stay. */
  ensureLabels(labels: readonly Label[]): Promise<void>;
  /** Throws `forge_not_found` for a label that does not exist, and then changes nothing. */
  addLabels(issue: number, names: readonly string[]): Promise<void>;
  removeLabel(issue: number, name: string): Promise<void>;

  setStatus(commit: Oid, status: CommitStatus): Promise<void>;
  /** The latest of each context, sorted by context. */
  statuses(commit: Oid): Promise<readonly CommitStatus[]>;

  branch(name: string): Promise<Oid | undefined>;
  /** Whatever its state; of several the open one. Those from forks are never answered. */
  findPullRequest(head: string, base: string): Promise<PullRequest | undefined>;
  /** Throws `forge_exists` when an open one has the same head and base. */
  openPullRequest(request: Pick<PullRequest, 'title' | 'body' | 'head' | 'base'>): Promise<PullRequest>;
  pullRequest(number: number): Promise<PullRequest | undefined>;
  /** Those that something happened to last, whatever their state, `max` at most. Not every forge says in a list who merged. */
  recentPullRequests(max: number): Promise<readonly Omit<PullRequest, 'mergedBy'>[]>;
  reviews(number: number): Promise<readonly Review[]>;

  /** Logins of everybody who may push to this repository; jobs have none. */
  writers(): Promise<readonly string[]>;
  rules(): Promise<readonly BranchRule[]>;
  /**
   * Never changes a rule that somebody made: throws `forge_rule_differs` unless it is the same one. Where it names people, who
   * is named is theirs to say, and only that somebody has to be named is compared. What stands exactly as one of `earlier`
   * says, as `changesOfRule` compares, becomes this one. Reads the new one back, and throws `forge_rule_dropped` when the
   * forge kept less than it was given.
   */
  ensureRule(rule: BranchRule, earlier?: readonly BranchRule[]): Promise<'created' | 'changed' | 'present'>;
  /** Why `ensureRule` would refuse this rule; nothing where it is the same one, undefined where none stands. */
  faultsOfRule(rule: BranchRule): Promise<readonly string[] | undefined>;
  /**
   * What is otherwise in the rule that stands for the same branches, everybody who is named and everything that only the
   * forge knows included; undefined where none stands.
   */
  changesOfRule(rule: BranchRule): Promise<readonly string[] | undefined>;
  /** Throws `forge_not_found` where none stands for that pattern. */
  removeRule(pattern: string): Promise<void>;

  /** Starts a workflow of the default branch by hand, by the name of its file; false where there is none. */
  startWorkflow(file: string, inputs?: Readonly<Record<string, string>>): Promise<boolean>;
  /** The latest first, fifty at most, of any workflow. */
  latestJobs(): Promise<readonly Job[]>;
  /** Paths of the files in a folder of the default branch, not of those in folders below; none when there is no such folder. */
  filesIn(folder: string): Promise<readonly string[]>;
  /** From the default branch; undefined when there is no such file. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  /** One commit on `branch`, which grows from `from` if it does not exist. Throws `forge_refused` when a rule forbids it. */
  commitFiles(change: {
    readonly branch: string;
    readonly from?: string | undefined;
    readonly message: string;
    readonly files: readonly FileChange[];
  }): Promise<Oid>;
  /** What its jobs may be given, by name: values are told to nobody. */
  secretNames(): Promise<readonly string[]>;
  /** Those that its owner gives to every repository, by name; undefined where the forge does not tell us. */
  ownersSecretNames(): Promise<readonly string[] | undefined>;
  /** The value is asked for at the moment of use and kept nowhere. */
  setSecret(name: string, value: () => Promise<string>): Promise<void>;
  /** Nobody gets its value back. Throws `forge_not_found` where there is none. */
  removeSecret(name: string): Promise<void>;
}
