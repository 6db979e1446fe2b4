// The order of a whole run: files that take minutes come first, so that none of them is alone at the end while a core idles.
// Which those are is told by where they lie and what they need, as a fresh clone has no times of earlier runs.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  }
}

function lengthOf({ moduleId }: TestSpecification): number {
  if (/\/test\/(?:e2e|transcripts|week)\//.test(moduleId)) return 2;
  return /\.(?:cell|gitea)\./.test(moduleId) ? 1 : 0;
}
