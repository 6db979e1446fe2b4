// What every part of the Gitea adapter works with: how to ask, and about which repository.
import type { Ask } from './ask.ts';
import type { Pages } from './pages.ts';

export type Place = {
  readonly ask: Ask;
  readonly pages: Pages;
  readonly at: { readonly owner: string; readonly repo: string };
};
