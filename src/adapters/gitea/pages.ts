// Lists that come in pages. octokit's own pager stops after one page where Gitea sends no Link header, and a server
// that allows fewer items per page than we ask for would look as if the list had ended.
import { z, type ZodType } from 'zod';
import { Failure } from '../../failure.ts';
import type { Ask, Method, Params, ParamsOf, Which } from './ask.ts';

export type Pages = {
  <P, T>(method: Method<P>, params: ParamsOf<P>, item: ZodType<T>): Promise<T[]>;
  <T>(route: string, params: Params, item: ZodType<T>): Promise<T[]>;
};

/** What every part of this adapter works with: how to ask, and about which repository. */
export type AtRepository = {
  readonly ask: Ask;
  readonly pages: Pages;
  readonly at: { readonly owner: string; readonly repo: string };
};

const ITEMS_PER_PAGE = 50;
/** Ten thousand items: nobody labels, protects or proposes that much. */
const PAGES_MAX = 200;

const settingsSchema = z.object({ max_response_items: z.number().int().positive() });

export function createPages(ask: Ask): Pages {
  let perPage: Promise<number> | undefined;

  async function askPerPage(): Promise<number> {
    const settings = await ask('GET /settings/api', {}, settingsSchema);
    return Math.min(ITEMS_PER_PAGE, settings.max_response_items);
  }

  return async <T>(which: Which, params: Params, item: ZodType<T>): Promise<T[]> => {
    perPage ??= askPerPage();
    const limit = await perPage.catch((error: unknown) => {
      perPage = undefined;
      throw error;
    });
    const all: T[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      // An empty list is null in some answers.
      const items = (await ask(which as string, { ...params, page, limit }, z.array(item).nullable())) ?? [];
      all.push(...items);
      if (items.length < limit) return all;
    }
    throw new Failure('forge_answer_unexpected', { why: `a list of more than ${PAGES_MAX} pages` });
  };
}
