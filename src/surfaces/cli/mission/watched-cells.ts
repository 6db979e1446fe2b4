// Cells as a person follows them: when one starts, what it prints, how a check ended, and what Ctrl-C does to it. Isolates
// nothing itself.
import { endWords } from '../../../app/mission/cell-end-words.ts';
import { untilInterrupted } from '../../../app/mission/interrupted.ts';
import { cellWords } from '../../../kernel/cell/words.ts';
import type { Cells, OutputChunk } from '../../../ports/cells.ts';
import type { Line } from '../output.ts';

type Tell = (line: Line) => void;

/** What an agent prints stands whole in the ledger's artifacts; here it may not drown what lazarus says. */
const LINES_MAX = 500;
const LINE_CHARACTERS_MAX = 400;

export function watchedCells(cells: Cells, tell: Tell, signal: AbortSignal): Cells {
  const ended = untilInterrupted(cells, signal, () =>
    tell('interrupted: the cell is being ended, and what was begun handed over'),
  );
  return {
    ...ended,
    async spawn(spec) {
      const cell = await ended.spawn(spec);
      tell(`the agent works in its cell: ${cell.facts.backend}, ${cellWords(cell.facts)}`);
      return cell;
    },
    async runCheck(spec) {
      const run = await ended.runCheck(spec);
      const how = endWords(run.reason, run.exitCode);
      tell([{ text: how, style: run.exitCode === 0 ? 'green' : 'red' }, `  in a fresh cell: ${spec.shellText}`]);
      return run;
    },
  };
}

/** Whole lines, told as they come; whatever in them a terminal would obey is shown instead. */
export function toldOutput(tell: Tell): { readonly take: (chunk: OutputChunk) => void; readonly end: () => void } {
  const rests = { stdout: '', stderr: '' };
  let lines = 0;
  const line = (text: string): void => {
    lines++;
    if (lines <= LINES_MAX) tell([{ text: '  agent | ', style: 'dim' }, cut(text.replaceAll('\t', '    '))]);
    if (lines === LINES_MAX + 1) tell('  agent | … more lines; the ledger keeps them as an artifact');
  };
  return {
    take({ stream, text }) {
      const [rest = '', ...whole] = (rests[stream] + text).split('\n').reverse();
      whole.reverse().forEach(line);
      // Without a line break it is shown in pieces: nobody's memory has to hold what an agent prints.
      if (rest.length > LINE_CHARACTERS_MAX) line(rest);
      rests[stream] = rest.length > LINE_CHARACTERS_MAX ? '' : rest;
    },
    end() {
      for (const rest of Object.values(rests)) if (rest !== '') line(rest);
    },
  };
}

function cut(text: string): string {
  return text.length <= LINE_CHARACTERS_MAX ? text : `${text.slice(0, LINE_CHARACTERS_MAX)}…`;
}
