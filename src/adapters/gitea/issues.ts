// Issues, comments and labels of one Gitea repository.
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import type { ForgeRepository, Label } from '../../ports/forge.ts';
import type { AtRepository } from './pages.ts';
import { commentSchema, ignoredSchema, issueSchema, labelSchema } from './schemas.ts';

type Part = Pick<
  ForgeRepository,
  | 'issue'
  | 'newestIssues'
  | 'issuesSince'
  | 'createIssue'
  | 'editIssue'
  | 'comment'
  | 'comments'
  | 'createComment'
  | 'editComment'
  | 'lackingLabels'
  | 'ensureLabels'
  | 'addLabels'
  | 'removeLabel'
>;

const REPO = '/repos/{owner}/{repo}';
/** Gitea lists by when they were filed: of more than these, only the newest are looked at. */
const SINCE_PER_PAGE = 50;

export function issuesOf({ ask, pages, at }: AtRepository): Part {
  const labels = async (): Promise<z.infer<typeof labelSchema>[]> =>
    pages((rest) => rest.issues.listLabelsForRepo, at, labelSchema);

  return {
    issue: async (number) => ask.maybe((rest) => rest.issues.get, { ...at, issue_number: number }, issueSchema),
    newestIssues: async (max) => {
      // One page, which begins with the newest: a server that allows fewer items per page is asked for no more.
      const query = { ...at, state: 'open', type: 'issues', page: 1, limit: max } as const;
      const found = (await ask((rest) => rest.issues.listForRepo, query, z.array(issueSchema).nullable())) ?? [];
      return found.filter(({ isPullRequest }) => !isPullRequest).sort((a, b) => b.number - a.number);
    },
    issuesSince: async (instant, max) => {
      const query = { ...at, state: 'all', type: 'issues', since: instant, page: 1, limit: SINCE_PER_PAGE } as const;
      const found = (await ask((rest) => rest.issues.listForRepo, query, z.array(issueSchema).nullable())) ?? [];
      return found
        .filter(({ isPullRequest }) => !isPullRequest)
        .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
        .slice(0, max);
    },
    createIssue: async ({ title, body }) => ask((rest) => rest.issues.create, { ...at, title, body }, issueSchema),
    editIssue: async (number, { title, body, isOpen }) => {
      const state = isOpen === undefined ? {} : { state: isOpen ? ('open' as const) : ('closed' as const) };
      const change = { ...(title === undefined ? {} : { title }), ...(body === undefined ? {} : { body }), ...state };
      await ask((rest) => rest.issues.update, { ...at, issue_number: number, ...change }, ignoredSchema);
    },
    comment: async (id) => ask.maybe((rest) => rest.issues.getComment, { ...at, comment_id: id }, commentSchema),
    // The one list that Gitea never splits into pages.
    comments: async (number) =>
      (await ask((rest) => rest.issues.listComments, { ...at, issue_number: number }, z.array(commentSchema))).sort(
        (a, b) => a.id - b.id,
      ),
    createComment: async (number, body) =>
      ask((rest) => rest.issues.createComment, { ...at, issue_number: number, body }, commentSchema),
    editComment: async (id, body) => {
      await ask((rest) => rest.issues.updateComment, { ...at, comment_id: id, body }, ignoredSchema);
    },

    lackingLabels: async (wanted) => {
      const known = await labels();
      const isThere = ({ name, isExclusive }: Label): boolean =>
        known.some((one) => one.name === name && one.exclusive === isExclusive);
      return wanted.filter((label) => !isThere(label)).map(({ name }) => name);
    },
    ensureLabels: async (wanted) => {
      const known = await labels();
      for (const label of wanted) {
        const found = known.find(({ name }) => name === label.name);
        if (found === undefined)
          await ask((rest) => rest.issues.createLabel, { ...at, ...fieldsOf(label) }, ignoredSchema);
        else if (found.exclusive !== label.isExclusive) {
          const change = { ...at, id: found.id, exclusive: label.isExclusive };
          // By its id; GitHub's method says which one by name.
          await ask(`PATCH ${REPO}/labels/{id}`, change, ignoredSchema);
        }
      }
    },
    addLabels: async (number, names) => {
      if (names.length === 0) return;
      // Gitea drops unknown names in silence, and tells which ones the issue carries now.
      const carried = await ask(
        (rest) => rest.issues.addLabels,
        { ...at, issue_number: number, labels: [...names] },
        z.array(labelSchema).nullable(),
      );
      const unknown = names.find((name) => (carried ?? []).every((label) => label.name !== name));
      if (unknown !== undefined) throw new Failure('forge_not_found', { label: unknown });
    },
    removeLabel: async (number, name) => {
      const issue = { ...at, issue_number: number };
      const carried = await ask((rest) => rest.issues.listLabelsOnIssue, issue, z.array(labelSchema).nullable());
      for (const { id } of (carried ?? []).filter((label) => label.name === name)) {
        await ask(`DELETE ${REPO}/issues/{issue_number}/labels/{id}`, { ...issue, id }, ignoredSchema);
      }
    },
  };
}

function fieldsOf({ name, color, description, isExclusive }: Label) {
  return { name, color: `#${color}`, description, exclusive: isExclusive };
}
