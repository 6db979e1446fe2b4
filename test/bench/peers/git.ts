// The stock tools as a person would script them: git with gpg. Each peer gets what it needs to be fast, one process where
// the tool allows it.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { gpgHome, type GpgHome } from '../../support/gpg-home.ts';
import { git } from '../../support/repos.ts';
import type { Bench } from '../bench.ts';
import type { BuiltLedger } from '../inputs/ledger.ts';

/** A gpg home that knows the ledger's keys, taken from the ledger itself. */
export function auditorsHome(bench: Bench, ledger: BuiltLedger): GpgHome {
  const home = gpgHome();
  bench.atEnd(home.remove);
  home.gpg(['--import'], git(ledger.path, ['cat-file', 'blob', `${ledger.ref}:keys.asc`]));
  return home;
}

export function lastCommits(ledger: BuiltLedger, count: number): readonly string[] {
  return git(ledger.path, ['rev-list', '--first-parent', `--max-count=${count}`, ledger.ref]).split('\n');
}

/** One process for all of them. Throws when git finds one bad. */
export function verifyCommits(ledger: BuiltLedger, home: GpgHome, commits: readonly string[]): void {
  execFileSync('git', ['verify-commit', ...commits], { cwd: ledger.path, env: home.env, stdio: 'ignore' });
}

export function logGoodSignatures(ledger: BuiltLedger, home: GpgHome, count: number): void {
  const args = ['log', '--first-parent', '--format=%G?', `--max-count=${count}`, ledger.ref];
  const said = execFileSync('git', args, { cwd: ledger.path, env: home.env, encoding: 'utf8', stdio: 'pipe' });
  // U: good, by a key whose owner gpg was never told to trust.
  if (!/^([GU]\n)+$/.test(said))
    throw new Error(`git log found something else than good signatures: ${said.slice(0, 80)}`);
}

/** A bare repository in which each append is the usual six plumbing commands, signed through a gpg agent. */
export class PlumbingLedger {
  readonly #path: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #key: string;
  #head = '';
  #size = 0;

  constructor(bench: Bench) {
    const home = gpgHome();
    bench.atEnd(home.remove);
    this.#path = bench.path('plumbing');
    mkdirSync(this.#path);
    git(this.#path, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
    git(this.#path, ['config', 'core.fsync', 'all']);
    this.#key = home.newKey('bench', 'ed25519', 'sign');
    this.#env = { ...home.env, GIT_INDEX_FILE: join(this.#path, 'bench-index') };
  }

  append(event: Uint8Array): void {
    const name = String(this.#size++).padStart(9, '0');
    const blob = this.#git(['hash-object', '-w', '--stdin'], event);
    this.#git(['update-index', '--add', '--cacheinfo', `100644,${blob},events/${name.slice(0, 6)}/${name}.json`]);
    const tree = this.#git(['write-tree']);
    const parent = this.#head === '' ? [] : ['-p', this.#head];
    const commit = this.#git(['commit-tree', `-S${this.#key}`, ...parent, '-m', `ledger ${name}`, tree]);
    this.#git(['update-ref', 'refs/heads/ledger', commit, this.#head]);
    this.#head = commit;
  }

  #git(args: readonly string[], input: Uint8Array = new Uint8Array(0)): string {
    const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid'];
    const options = { cwd: this.#path, env: this.#env, input, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', [...identity, ...args], options).trim();
  }
}
