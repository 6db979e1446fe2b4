// Refuses what a cell must not be asked for: names become paths, so they are checked before one is made of them.
import { Failure } from '../../failure.ts';
import { Slug, Uuid } from '../../kernel/values.ts';
import { checkGlob } from '../../kernel/scope/globs.ts';
import type { CellCommand } from '../../ports/cells.ts';

const BRIEF_FILES_MAX = 64;
const BRIEF_FILE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const OURS = new Set(['port', 'ca.pem']);
const INPUT_BYTES_MAX = 1 << 20;
const HOME_FILES_MAX = 64;
const HOME_PATH = /^[A-Za-z0-9._-]{1,64}(?:\/[A-Za-z0-9._-]{1,64}){0,7}$/;
/** What a participant leaves in its home is believed to be its own word: nobody else puts it there. */
const LEFT_BEHIND = /^(?:done\.json|blocked\.json|Agentik_Runtime)(?:\/|$)/;

export function refuseUnusable(spec: {
  readonly cellId: string;
  readonly participant: string;
  readonly epoch: number;
  readonly command: CellCommand;
  readonly brief?: Readonly<Record<string, Uint8Array>>;
  readonly tools?: readonly string[];
  readonly input?: Uint8Array;
  readonly home?: Readonly<Record<string, string>>;
  readonly masked?: readonly string[];
}): void {
  if (!Uuid.safeParse(spec.cellId).success) throw invalid('cell id');
  if (!Slug.safeParse(spec.participant).success) throw invalid('participant');
  if (!Number.isSafeInteger(spec.epoch) || spec.epoch < 0) throw invalid('epoch');
  const words = 'argv' in spec.command ? spec.command.argv : [spec.command.shellText];
  if (words.length === 0 || words[0] === '' || words.some((word) => word.includes('\0'))) throw invalid('command');
  const files = Object.keys(spec.brief ?? {});
  const badFile = files.find((name) => !BRIEF_FILE.test(name) || OURS.has(name));
  if (badFile !== undefined || files.length > BRIEF_FILES_MAX) throw invalid('brief file');
  if ((spec.tools ?? []).some((path) => !isToolFolder(path))) throw invalid('tool folder');
  if ((spec.input?.length ?? 0) > INPUT_BYTES_MAX) throw invalid('input');
  if (!areHomeFiles(Object.keys(spec.home ?? {}))) throw invalid('home file');
  if ((spec.masked ?? []).some((glob) => glob.startsWith('!') || checkGlob(glob).is === 'refused'))
    throw invalid('masked path');
}

/** No way out of the home, and no path that would have to be both a file and a folder. */
function areHomeFiles(paths: readonly string[]): boolean {
  const isUsable = (path: string): boolean =>
    HOME_PATH.test(path) && !LEFT_BEHIND.test(path) && path.split('/').every((step) => step !== '..' && step !== '.');
  const isBelow = (path: string): boolean => paths.some((other) => path.startsWith(`${other}/`));
  return paths.length <= HOME_FILES_MAX && paths.every((path) => isUsable(path) && !isBelow(path));
}

/** Never a folder that holds people's files or the machine's own state. */
function isToolFolder(path: string): boolean {
  if (!/^(?:\/[A-Za-z0-9._+-]+){2,}$/.test(path) || path.split('/').some((step) => step === '..' || step === '.'))
    return false;
  return !/^\/(?:proc|sys|dev|run|etc|boot|cell|tmp|var\/(?:run|lib|log|spool|tmp))(?:\/|$)|^\/(?:root|home\/[^/]+)$/.test(
    path,
  );
}

function invalid(what: string): Failure {
  return new Failure('cell_spec_invalid', { what });
}
