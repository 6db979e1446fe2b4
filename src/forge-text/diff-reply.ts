// `/diff`: what an agent changed, inside one block that nothing in it can end. Every line of it is somebody else's: no mention
// in it notifies, no mark of ours in it counts, nothing hidden stays hidden, and what is too long is left for a clone.
import { utf8 } from '../format/bytes.ts';
import { replyMark, type Answered } from './replies.ts';
import { block, code, missionWord } from './shown.ts';

export type ShownDiff = {
  readonly mission: string;
  readonly attempt: number;
  readonly base: string;
  readonly commit: string;
  /** Whose word alone it is that this was the work; null where the ledger has it. */
  readonly by: string | null;
  readonly patch: string;
};

const LINES_MAX = 400;
const BYTES_MAX = 40_000;
const TAB = '    ';

export function diffReply(answered: Answered, { mission, attempt, base, commit, by, patch }: ShownDiff): string {
  const lines = patch === '' ? [] : patch.replace(/\n$/, '').split('\n');
  const shown = fitting(lines);
  const rest = lines.length - shown.length;
  const line = `lazarus diff ${missionWord(mission)} --attempt ${attempt}`;
  return [
    `${replyMark(answered)}\nAttempt ${attempt} of **${missionWord(mission)}**: ${code(commit.slice(0, 12))} on ${code(base.slice(0, 12))}. An agent wrote this, and nothing follows from it.${by === null ? '' : ` It came too late to be judged: that this was its work is the word of ${code(by)} alone.`}`,
    shown.length === 0 ? 'It changed nothing that can be shown here.' : block(shown, 'diff'),
    `${rest > 0 ? `… and ${rest} more lines. ` : ''}All of it, in a clone: ${code(line)}`,
  ].join('\n\n');
}

/** From the beginning, whole lines; each is cut by the block it stands in. */
function fitting(lines: readonly string[]): readonly string[] {
  const shown: string[] = [];
  let bytes = 0;
  for (const line of lines.slice(0, LINES_MAX)) {
    const text = line.replaceAll('\t', TAB);
    bytes += utf8(block([text])).length;
    if (bytes > BYTES_MAX) break;
    shown.push(text);
  }
  return shown;
}
