// What a job asks for before it has read what it will need it with: the mission of its issue, and that issue's page. Believes
// and judges nothing of it: whoever needs the mission asks for it all the same, and finds it here.
import type { Oid } from '../../format/git/object.ts';
import { missionName } from '../../kernel/values.ts';
import type { Comment, ForgeRepository, Issue } from '../../ports/forge.ts';
import { bringTogether } from '../recent-heads.ts';
import type { WorkbenchParts } from '../workbench.ts';
import { indexRef, refsOfName } from './before.ts';
import { missionPointedAt } from './pointers.ts';

type Near = Pick<WorkbenchParts, 'remote' | 'repository'> & { readonly brought: Promise<ReadonlyMap<string, Oid>> };

/** What goes wrong with it is told to whoever asks for it. */
export async function bringAhead(near: Near, issue: number): Promise<void> {
  try {
    const head = (await near.brought).get(indexRef(issue));
    if (head !== undefined) await bringTogether(near, refsOfName(missionName(await missionPointedAt(near, head))));
  } catch {
    return;
  }
}

/** An issue's page as it was when a job began, which is at least as old as any ledger that this job has seen. */
export type PageAhead = {
  readonly number: number;
  readonly issue: Promise<Issue | undefined>;
  readonly comments: Promise<readonly Comment[]>;
};

export function pageAhead(forge: Pick<ForgeRepository, 'issue' | 'comments'>, number: number): PageAhead {
  const page = { number, issue: forge.issue(number), comments: forge.comments(number) };
  // Told where it is needed.
  for (const asked of [page.issue, page.comments]) asked.catch(() => undefined);
  return page;
}
