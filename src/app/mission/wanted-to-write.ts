// Which folders of its read-only tree a failed check seems to have wanted to write, read out of what it printed: a hint for
// people, who then change policy or the check. The words are a stranger's; no verdict is made of them.
import { TreePath } from '../../kernel/policy/environment.ts';

const FOLDERS_MAX = 8;
const LINES_MAX = 10_000;
const LINE_CHARACTERS_MAX = 1000;
/** Some name the file first and the reason in a line of its own. */
const LINES_BEFORE = 3;

const SAYS = /read-only file system|\bEROFS\b/i;
/** Whoever only warns has gone on without, as pytest does without its cache. */
const WARNS = /\b\w*Warning\b/;
const PROJECT = '/cell/project/';
const PLAIN = /^[A-Za-z0-9._@+-]{1,64}(?:\/[A-Za-z0-9._@+-]{1,64}){0,7}$/;

/** Undefined where nothing speaks of a read-only file system. */
export function wantedToWrite(output: string): readonly string[] | undefined {
  const lines = output.split('\n', LINES_MAX).map((line) => line.slice(0, LINE_CHARACTERS_MAX));
  const found = new Set<string>();
  let isSaid = false;
  for (const [n, line] of lines.entries()) {
    if (!SAYS.test(line) || WARNS.test(line)) continue;
    isSaid = true;
    const from = Math.max(0, n - LINES_BEFORE);
    const folder = lines
      .slice(from, n + 1)
      .reverse()
      .map(folderIn)
      .find((one) => one !== undefined);
    if (folder !== undefined && found.size < FOLDERS_MAX) found.add(folder);
  }
  return isSaid ? [...found].sort() : undefined;
}

/** What was to be made, or the folder of the file that was. */
function folderIn(line: string): string | undefined {
  const path = pathsIn(line)
    .map(inTree)
    .find((one) => one !== undefined);
  if (path === undefined) return undefined;
  const folder = MAKES_FOLDER.test(line) ? path : path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return folder === '' ? undefined : folder;
}

const MAKES_FOLDER = /\bmkdir|\b(?:create|creating|make|making) (?:the )?director/i;

function pathsIn(line: string): readonly string[] {
  const quoted = [...line.matchAll(/['"`‘]([^'"`’‘]{1,500})['"`’]/g)].map(([, path = '']) => path);
  // Shells and Go: `cannot create dist/x: Read-only …`, `open dist/x: read-only …`
  const bare = /(?:^|[\s:])(?<path>[^\s:'"]+): read-only file system/i.exec(line)?.groups?.['path'];
  return bare === undefined ? quoted : [...quoted, bare];
}

function inTree(path: string): string | undefined {
  const below = path.startsWith(PROJECT) ? path.slice(PROJECT.length) : path.replace(/^\.\//, '');
  const plain = below.replace(/\/+$/, '');
  return PLAIN.test(plain) && TreePath.safeParse(plain).success ? plain : undefined;
}
