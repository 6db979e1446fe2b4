// What git's configuration says, told apart by whose it is: the person's own counts wherever git talks to a remote, the
// repository's names remotes and nothing else. Reads settings and starts nothing that they name.
import { failureFromGit } from './git-errors.ts';
import { runGitIn, type Environment } from './git-run.ts';

export type Setting = readonly [key: string, value: string];

export type Configuration = {
  /** Of the system, of the person and of the environment: of nobody who prepared a repository. */
  readonly person: readonly Setting[];
  /** Of `.git/config`, of what it includes and of its work trees: of whoever made or touched the repository. */
  readonly repository: readonly Setting[];
};

const OF_THE_PERSON = new Set(['system', 'global', 'command']);

/** As it holds in `cwd`: a person may have other settings for some folders (`includeIf`). */
export async function readConfiguration(cwd: string, env: Environment, timeoutMs: number): Promise<Configuration> {
  const listed = await runGitIn({ cwd, env }, ['config', '--list', '--show-scope', '--includes', '-z'], { timeoutMs });
  if (listed.status !== 0) throw failureFromGit(listed.stderr, cwd);
  const words = listed.stdout.split('\0');
  const person: Setting[] = [];
  const repository: Setting[] = [];
  for (let at = 0; at + 1 < words.length; at += 2)
    (OF_THE_PERSON.has(words[at]!) ? person : repository).push(settingOf(words[at + 1]!));
  return { person, repository };
}

/** Settings that `there` has and `here` lacks, in their order, as often as they are missing. */
export function missingHere(there: readonly Setting[], here: readonly Setting[]): readonly Setting[] {
  const left = new Map<string, number>();
  for (const setting of here) left.set(setting.join('\n'), (left.get(setting.join('\n')) ?? 0) + 1);
  return there.filter((setting) => {
    const count = left.get(setting.join('\n')) ?? 0;
    left.set(setting.join('\n'), count - 1);
    return count <= 0;
  });
}

/** Every value of a setting in order; as in git, an empty one forgets those before it. */
export function valuesOf(settings: readonly Setting[], key: string): readonly string[] {
  const values = settings.flatMap(([name, value]) => (name === key ? [value] : []));
  return values.slice(values.lastIndexOf('') + 1);
}

/** `key LF value`; a key alone stands for true. */
function settingOf(text: string): Setting {
  const end = text.indexOf('\n');
  return end < 0 ? [text, 'true'] : [text.slice(0, end), text.slice(end + 1)];
}
