// Pages of a past in memory: written as they would be kept, and read back as text brings them.
import { createHash } from 'node:crypto';
import type { KnownProject, ProjectView } from '../../src/app/adoption.ts';
import type { ReadPage, WritePage } from '../../src/app/verify/pages.ts';
import { jcs } from '../../src/format/jcs.ts';

export type MemoryPages = {
  readonly kept: Map<string, string>;
  readonly writePage: WritePage;
  readonly readPage: ReadPage;
  /** How many were read. */
  readonly read: string[];
};

export function memoryPages(): MemoryPages {
  const kept = new Map<string, string>();
  const read: string[] = [];
  const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;
  return {
    kept,
    read,
    writePage: (name, page) => {
      const text = jcs(page);
      kept.set(name, text);
      return Promise.resolve(digestOf(text));
    },
    readPage: (name, digest) => {
      read.push(name);
      const text = kept.get(name);
      return Promise.resolve(text === undefined || digestOf(text) !== digest ? undefined : JSON.parse(text));
    },
  };
}

/** What is kept of a view, with its pages as their digests. */
export async function knownIn(view: ProjectView): Promise<KnownProject> {
  await view.history.bringAll();
  return view.known(memoryPages().writePage);
}
