// Refuses what a cell must not be asked for: names become paths, so they are checked before one is made of them.
import { Failure } from '../../failure.ts';
import { Slug, Uuid } from '../../kernel/values.ts';
import type { CellCommand } from '../../ports/cells.ts';

const BRIEF_FILES_MAX = 64;
const BRIEF_FILE = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const OURS = new Set(['port', 'ca.pem']);

export function refuseUnusable(spec: {
  readonly cellId: string;
  readonly participant: string;
  readonly epoch: number;
  readonly command: CellCommand;
  readonly brief?: Readonly<Record<string, Uint8Array>>;
  readonly tools?: readonly string[];
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
