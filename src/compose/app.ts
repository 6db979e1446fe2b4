// Builds everything from what a surface knows: the one place where ports meet their adapters. Loads a technology only
// when it is asked for, because a person waits for every import.
import { resolve } from 'node:path';
import type { StoredKey, KeyStore, GpgKeyring, Signer } from '../ports/keys.ts';
import type { Roster } from '../kernel/roster/roster.ts';
import { nodeCrypto } from '../adapters/system/node-crypto.ts';
import { backOffUntil, systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { spareCore } from '../adapters/system/second-core.ts';
import type { ProgramPlace } from '../documents/detect-environment.ts';
import type { Cells } from '../ports/cells.ts';
import type { CloneHome } from '../ports/clone-home.ts';
import type { EnvironmentCache } from '../ports/environments.ts';
import type { WorkRepositories } from '../ports/work.ts';
import type { Hook, HookFolder } from '../ports/hook-folder.ts';
import type { ArtifactKit } from '../ports/artifacts.ts';
import type { Repository } from '../ports/repository.ts';
import type { Vault } from '../ports/secrets.ts';
import type { Scratch } from '../ports/scratch.ts';
import type { Forge } from '../ports/forge.ts';
import type { Remote } from '../ports/remote.ts';
import type { CommitFile, WorkTree } from '../ports/work-tree.ts';
import type { Workbench } from '../app/workbench.ts';
import type { Patience } from '../app/patience.ts';
import type { Recent } from '../app/recent-heads.ts';
import type { ColdWorld } from '../app/cold/cold-world.ts';

export type Circumstances = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly input: { readonly interactive: boolean };
};

type KeyChoice = {
  readonly key?: string | undefined;
  readonly passphraseFd?: number | undefined;
  readonly roster?: Roster | undefined;
};

export type App = {
  readonly crypto: typeof nodeCrypto;
  readonly clock: typeof systemClock;
  readonly ids: typeof systemIds;
  /** Undefined where there is no git. */
  gitVersion(): Promise<string | undefined>;
  keys(): Promise<{ readonly store: KeyStore; readonly gpg: GpgKeyring; readonly path: string }>;
  /** A passphrase from the descriptor, the environment or a prompt: never from an argument. */
  passphrase(choice: {
    readonly fd?: number | undefined;
    readonly prompt: string;
    readonly isNew?: boolean;
  }): Promise<string>;
  /** The value of a key for the vault: one line of standard input, or asked for without echo. */
  secretValue(source: { readonly isPiped: boolean; readonly prompt: string }): Promise<string>;
  vault(): Promise<{ readonly vault: Vault; readonly folder: string }>;
  signer(choice: KeyChoice): Promise<Signer & { readonly stored: StoredKey }>;
  artifacts(): Promise<ArtifactKit>;
  /** A throwaway folder for the quickstart; a new one under the system's temporary folder unless named. */
  scratch(folder?: string): Promise<Scratch>;
  /**
   * The ledgers of the repository around `cwd`; through a remote when one is named. The caller closes it. `recent`: for a
   * job that lives for seconds. `patience`: for a remote that is away. `isOwn`: this process made the repository, bare, and nobody else has touched it.
   */
  workbench(
    remote?: { readonly name: string } | { readonly url: string },
    options?: { readonly recent?: Recent; readonly patience?: Patience; readonly isOwn?: boolean },
  ): Promise<Workbench>;
  /** Where the ledgers of the clone live, if not in it. */
  home(bench: Workbench): Promise<CloneHome>;
  /** Remotes that git knows here, without their credentials. */
  remotes(): Promise<readonly { readonly name: string; readonly is: 'http' | 'ssh' | 'file'; readonly url: string }[]>;
  /** The files around `cwd`. */
  workTree(): Promise<WorkTree>;
  /** Where git looks for the hooks of the clone around `cwd`, and those that ship with lazarus. */
  hooks(): Promise<{ readonly folder: HookFolder; readonly hooks: readonly Hook[] }>;
  /** The hook for a server, as text. */
  serverHook(): Promise<string>;
  /** A file that ships with lazarus. */
  template(name: string): Promise<Uint8Array>;
  /** The action as it was built: what a runner executes, and nothing else. */
  builtAction(): Promise<readonly CommitFile[]>;
  /** A forge, and this program with the token of the environment tied to that forge alone. */
  forge(url: string): Promise<{ readonly forge: Forge; readonly app: App }>;
  /** Keys in a folder of their own, apart from the person's. */
  keysIn(folder: string): Promise<KeyStore>;
  /** Another repository, for objects of this one. The caller closes it. */
  remote(repository: Repository, url: string): Promise<Remote>;
  /** What appending to a remote without a clone needs. The caller closes it. */
  cold(url: string): Promise<ColdWorld & { readonly close: () => Promise<void> }>;
  /** What isolates participants, and the repositories around it. `allowLevel0`: where nothing can, nothing does. */
  cells(options?: {
    readonly folder?: string;
    readonly allowLevel0?: boolean;
  }): Promise<{ readonly cells: Cells; readonly repositories: WorkRepositories; readonly folder: string }>;
  /** What was prepared for cells on this machine. */
  environmentCache(): Promise<EnvironmentCache>;
  /** Where programs lie that cells have to be given; undefined: every cell has it. Null: not here. */
  programs<Name extends string>(names: readonly Name[]): Promise<Readonly<Partial<Record<Name, ProgramPlace | null>>>>;
};

export function compose(at: Circumstances): App {
  const app: App = {
    crypto: nodeCrypto,
    clock: systemClock,
    ids: systemIds,
    async gitVersion() {
      const { gitVersion } = await import('../adapters/git/version.ts');
      return gitVersion(at.cwd, at.signal);
    },
    async keys() {
      const [{ fileKeys, keyPath }, { gpgKeyring }] = await Promise.all([
        import('../adapters/keys/file-keys.ts'),
        import('../adapters/keys/gpg-keyring.ts'),
      ]);
      const gpg = gpgKeyring(at.env, nodeCrypto);
      const path = keyPath(at.env);
      return { store: fileKeys(path, { gpg, crypto: nodeCrypto }), gpg, path };
    },
    async passphrase({ fd, prompt, isNew }) {
      const { passphraseFrom } = await import('../adapters/keys/passphrase.ts');
      return passphraseFrom({
        env: at.env,
        ...(fd === undefined ? {} : { fd }),
        ...(at.input.interactive ? { prompt } : {}),
        ...(isNew === undefined ? {} : { isNew }),
      });
    },
    async secretValue({ isPiped, prompt }) {
      const { secretFrom } = await import('../adapters/keys/passphrase.ts');
      return secretFrom({ isPiped, prompt: at.input.interactive ? prompt : undefined });
    },
    async vault() {
      const { openVault } = await import('./secrets.ts');
      return openVault(at.env);
    },
    async signer({ key, passphraseFd, roster }) {
      const [{ store }, { chooseKey }] = await Promise.all([app.keys(), import('../app/choose-key.ts')]);
      const stored = chooseKey(await store.list(), key ?? at.env['LAZARUS_KEY'], roster);
      const ask = (): Promise<string> => app.passphrase({ fd: passphraseFd, prompt: `Passphrase of ${stored.userId}` });
      const signer = await store.open(stored.fingerprint, ask);
      return {
        fingerprint: signer.fingerprint,
        publicKey: signer.publicKey,
        sign: (bytes, atSeconds) => signer.sign(bytes, atSeconds),
        stored,
      };
    },
    async artifacts() {
      const [{ aesCipher }, { artifactKeyPath, keyFiles }] = await Promise.all([
        import('../adapters/artifacts/aes-cipher.ts'),
        import('../adapters/artifacts/key-files.ts'),
      ]);
      return { cipher: aesCipher, keys: keyFiles(artifactKeyPath(at.env)) };
    },
    async scratch(folder) {
      const { scratchFolder } = await import('../adapters/git/scratch-folder.ts');
      return scratchFolder(at.env, folder === undefined ? undefined : resolve(at.cwd, folder));
    },
    async workbench(where, { recent, patience, isOwn } = {}) {
      // The rest is read while git says where the repository is.
      const opening = import('../adapters/git/repository.ts').then(({ openRepository }) =>
        openRepository(at.cwd, { signal: at.signal }),
      );
      const [repository, { filePins }, { fileFolds }, { Workbench }] = await Promise.all([
        opening,
        import('../adapters/state/file-pins.ts'),
        import('../adapters/state/file-folds.ts'),
        import('../app/workbench.ts'),
      ]);
      const opened = where === undefined ? undefined : await openRemoteAt(at, repository, where, isOwn);
      const patient =
        opened !== undefined && patience !== undefined
          ? (await import('../app/patience.ts')).withPatience(opened, patience)
          : opened;
      const remote =
        patient !== undefined && recent !== undefined
          ? (await import('../app/recent-heads.ts')).withRecentHeads(patient, recent)
          : patient;
      return new Workbench({
        crypto: nodeCrypto,
        repository,
        remote,
        pins: filePins(repository.stateDir),
        folds: fileFolds(repository.stateDir),
        spareCore,
        clock: systemClock,
        ids: systemIds,
        nowMs: () => performance.now(),
        backOff: backOffUntil(at.signal),
      });
    },
    async home({ parts }) {
      const { cloneHome } = await import('../adapters/state/clone-home.ts');
      return cloneHome(parts.repository.stateDir);
    },
    async remotes() {
      const { remotesOf } = await import('../adapters/git-remote/remotes.ts');
      return remotesOf(at.cwd, at.env);
    },
    async workTree() {
      const { openWorkTree } = await import('../adapters/git/work-tree.ts');
      return openWorkTree(at.cwd, at.signal);
    },
    async hooks() {
      const [{ openHookFolder }, { readClientHooks }] = await Promise.all([
        import('../adapters/git/hook-folder.ts'),
        import('../adapters/shipped/hooks.ts'),
      ]);
      return { folder: await openHookFolder(at.cwd, at.signal), hooks: await readClientHooks() };
    },
    async serverHook() {
      const { readServerHook } = await import('../adapters/shipped/hooks.ts');
      return readServerHook();
    },
    async template(name) {
      const { readTemplate } = await import('../adapters/shipped/templates.ts');
      return readTemplate(name);
    },
    async builtAction() {
      const { readBuiltAction } = await import('../adapters/shipped/built-action.ts');
      return readBuiltAction();
    },
    async forge(url) {
      const { openForge } = await import('./forge.ts');
      const { forge, env } = openForge(at.env, url);
      return { forge, app: compose({ ...at, env }) };
    },
    async keysIn(folder) {
      const { fileKeys } = await import('../adapters/keys/file-keys.ts');
      const { gpg } = await app.keys();
      return fileKeys(folder, { gpg, crypto: nodeCrypto });
    },
    async remote(repository, url) {
      return openRemoteAt(at, repository, { url });
    },
    async cold(url) {
      const { openCold } = await import('./cold.ts');
      return openCold(at, url);
    },
    async cells(options = {}) {
      const [{ openCells, cellsFolder }, { workRepositories: repositories }] = await Promise.all([
        import('../adapters/cells/open-cells.ts'),
        import('../adapters/git/work.ts'),
      ]);
      const folder = options.folder ?? cellsFolder(at.env);
      const cells = await openCells({ folder, repositories, allowLevel0: options.allowLevel0 ?? false });
      return { cells, repositories, folder };
    },
    async environmentCache() {
      const [{ openEnvironments, cellsFolder }, { workRepositories: repositories }] = await Promise.all([
        import('../adapters/cells/open-cells.ts'),
        import('../adapters/git/work.ts'),
      ]);
      return openEnvironments({ folder: cellsFolder(at.env), repositories });
    },
    async programs<Name extends string>(names: readonly Name[]) {
      const { programPlace } = await import('../adapters/system/program-places.ts');
      const places = names.map((name) => [name, programPlace(name, at.env['PATH'] ?? '')] as const);
      return Object.fromEntries(places.filter(([, place]) => place !== undefined)) as Partial<
        Record<Name, ProgramPlace | null>
      >;
    },
  };
  return app;
}

async function openRemoteAt(
  { cwd, env }: Circumstances,
  repository: Repository,
  where: { readonly name: string } | { readonly url: string },
  isOwn = false,
) {
  const { openRemote } = await import('../adapters/git-remote/open-remote.ts');
  return openRemote({ repository, cwd, where, env, isOwn });
}
