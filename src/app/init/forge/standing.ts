// What a file of a set-up is that stands on the default branch: as this version writes it, as another one did, or changed by
// people. The one place that judges this, for whoever sets up, takes back or only looks.
import { equalBytes } from '../../../format/bytes.ts';
import type { Crypto } from '../../../format/crypto.ts';
import { isNewer, markOf, unmarked } from '../../../forge-text/mark.ts';
import { lineDifference } from '../../../forge-text/line-difference.ts';
import { workflowDrift } from '../../../forge-text/workflow-lint.ts';
import type { ForgeRepository } from '../../../ports/forge.ts';
import { VERSION } from '../../../version.ts';
import type { BranchFile } from './set-up-files.ts';

type Standing =
  | { readonly is: 'absent' | 'same' }
  /** Of another version, or another build of this one. `by` undefined: from before files named it. */
  | { readonly is: 'earlier'; readonly by: string | undefined }
  | { readonly is: 'newer'; readonly by: string }
  /** With people's words in it. */
  | { readonly is: 'changed' };

export type StandingFile = BranchFile & { readonly there: Uint8Array | undefined; readonly standing: Standing };

export async function standingFiles(
  crypto: Crypto,
  repository: Pick<ForgeRepository, 'readFile'>,
  files: readonly BranchFile[],
): Promise<readonly StandingFile[]> {
  const found: StandingFile[] = [];
  for (const file of files) {
    const there = await repository.readFile(file.path);
    found.push({ ...file, there, standing: standingOf(crypto, file, there) });
  }
  return found;
}

function standingOf(crypto: Crypto, { is, content }: BranchFile, there: Uint8Array | undefined): Standing {
  if (there === undefined) return { is: 'absent' };
  if (equalBytes(there, content)) return { is: 'same' };
  if (is === 'copy') return { is: 'earlier', by: undefined };
  const mark = is === 'marked' ? markOf(crypto, lenient.decode(there)) : undefined;
  if (mark === undefined || !mark.isIntact) return { is: 'changed' };
  const { version } = mark;
  return version !== undefined && isNewer(version, VERSION)
    ? { is: 'newer', by: version }
    : { is: 'earlier', by: version };
}

/** Of a file that people changed, against what this version writes. The marks are none of theirs. */
export function differenceOf({ there, content }: Pick<StandingFile, 'there' | 'content'>): readonly string[] {
  return lineDifference(unmarked(lenient.decode(there)), unmarked(lenient.decode(content)));
}

/** The first line of it, as it stands there, that is not what this version writes. */
export function lineOfChange({ there, content }: Pick<StandingFile, 'there' | 'content'>): number {
  const text = lenient.decode(there);
  const drift = workflowDrift(unmarked(lenient.decode(content)), unmarked(text));
  return (drift?.line ?? 0) + (unmarked(text) === text ? 0 : 1);
}

/** What is no UTF-8 is changed, or differs, all the same. */
const lenient = new TextDecoder();
