// Which folders of the tree the checks of one work may fill: those of the plan, and output folders that the base's ignore
// rules keep out of every work. By the base and not by the work: an agent's own rules open nothing.
import { fromUtf8 } from '../../format/bytes.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import { ignoredOutputFolders, overlap } from '../../kernel/policy/checks.ts';
import type { ProjectBase } from '../../ports/cells.ts';
import type { WorkRepositories } from '../../ports/work.ts';

const IGNORE_FILE = '.gitignore';
const IGNORE_BYTES_MAX = 64 * 1024;

export async function placesToFill(
  repositories: WorkRepositories,
  { checks, environment }: Pick<PlanDocument, 'checks' | 'environment'>,
  { base, work }: { readonly base: ProjectBase; readonly work: ProjectBase },
): Promise<readonly string[]> {
  const made = Object.values(environment).flatMap(({ makes }) => makes);
  const folders = ignoredOutputFolders(await ignoreRules(repositories, base)).filter(
    (folder) => ![...checks.writable, ...made].some((path) => overlap(path, folder)),
  );
  // What the work has at one of these stays as it was handed over.
  const taken = await repositories.filesAt(work.repository, work.commit, folders);
  return [...checks.writable, ...folders.filter((folder) => !taken.some(({ path }) => path === folder))];
}

async function ignoreRules(repositories: WorkRepositories, { repository, commit }: ProjectBase): Promise<string> {
  const [file] = await repositories.filesAt(repository, commit, [IGNORE_FILE]);
  if (file === undefined || file.type !== 'blob' || file.bytes > IGNORE_BYTES_MAX) return '';
  try {
    return fromUtf8(await repositories.blob(repository, file.oid));
  } catch {
    // In no encoding that we read: it names no folder for us.
    return '';
  }
}
