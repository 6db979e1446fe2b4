// What whoever keeps a machine does on it: users, groups, folders and files of the system, and programs with their arguments
// as a list. Decides nothing, and asks nobody.

export type Account = { readonly uid: number; readonly gid: number; readonly home: string };
export type Group = { readonly gid: number; readonly members: readonly string[] };
export type Owner = Pick<Account, 'uid' | 'gid'>;

export type Keeper = {
  readonly isRoot: boolean;
  /** Whether services are kept by systemd here. */
  readonly hasSystemd: boolean;
  account(name: string): Promise<Account | undefined>;
  group(name: string): Promise<Group | undefined>;
  /** By its path as it is, links not followed. */
  folder(path: string): Promise<(Owner & { readonly mode: number }) | undefined>;
  makeFolder(path: string, owner: Owner, mode: number): Promise<void>;
  /** Undefined where there is none, or none that we may read. */
  text(path: string): Promise<string | undefined>;
  writeText(path: string, text: string): Promise<void>;
  /** Answers with what it printed. Throws `setup_step_failed`. */
  run(argv: readonly string[]): Promise<string>;
  /** This program, as that user, with nothing of our environment. */
  runOwn(as: Account, args: readonly string[]): Promise<string>;
  /** The first place from which others could put something else where the path leads. */
  othersCanChange(path: string): Promise<string | undefined>;
};
