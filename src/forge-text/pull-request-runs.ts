// What a workflow of the team's own hands to code that came with a pull request: the runners its jobs name, and the secrets
// that its text mentions. Reads a file that anybody may have written; where it cannot tell, it says the most there is.
import { workflowEntries, type Entry } from './workflow-entries.ts';

export type PullRequestRuns = {
  readonly runners: readonly string[];
  /** `all`: every secret of the repository, by whatever name. */
  readonly secrets: readonly string[] | 'all';
};

/** Undefined: nothing that happens to a pull request starts it. */
export function pullRequestRuns(text: string): PullRequestRuns | undefined {
  const read = workflowEntries(text);
  if (read.is === 'refused') return { runners: ['any'], secrets: 'all' };
  const entries = read.value;
  if (!entries.some(isEvent)) return undefined;
  const values = entries.flatMap(({ path, value }) => (value === null ? [] : [{ path, value }]));
  const runners = values.flatMap(({ path, value }) =>
    path[0] === 'jobs' && path[2] === 'runs-on' && value !== '' ? [value] : [],
  );
  return { runners: [...new Set(runners)].toSorted(), secrets: secretsIn(values) };
}

/** `on: pull_request`, as a list, or with more about it; those for reviews and the one that starts from the base, too. */
function isEvent({ path, value }: Entry): boolean {
  if (path[0] !== 'on' || path.length > 2) return false;
  return [path[1], value].some((word) => typeof word === 'string' && word.startsWith('pull_request'));
}

function secretsIn(values: readonly { readonly path: readonly string[]; readonly value: string }[]) {
  const named = new Set<string>();
  for (const { path, value } of values) {
    if (path.at(-1) === 'secrets' && value === 'inherit') return 'all';
    if (!value.includes('${{') && path.at(-1) !== 'if') continue;
    const rest = value.replaceAll(/\bsecrets\s*\.\s*([A-Za-z0-9_]+)/gi, (_, name: string) => {
      named.add(name.toUpperCase());
      return '';
    });
    if (/\bsecrets\b/i.test(rest)) return 'all';
  }
  // The token of the job itself, under another name.
  return [...named].filter((name) => name !== 'GITHUB_TOKEN' && name !== 'GITEA_TOKEN').toSorted();
}
