// Cells as a person follows them: when one starts, what it prints, when a check begins and how it ended; and Ctrl-C, which
// ends the cell and lets what was begun be handed over. Isolates nothing itself.
import { Failure } from '../../../failure.ts';
import { cellWords } from '../../../kernel/cell/words.ts';
import type { Cell, Cells, OutputChunk } from '../../../ports/cells.ts';
import type { Line } from '../output.ts';

type Tell = (line: Line) => void;

/** What an agent prints stands whole in the ledger's artifacts; here it may not drown what lazarus says. */
const LINES_MAX = 500;
const LINE_CHARACTERS_MAX = 400;

export function watchedCells(cells: Cells, tell: Tell, signal: AbortSignal): Cells {
  return {
    probe: (...about) => cells.probe(...about),
    probeListener: () => cells.probeListener(),
    discard: (...work) => cells.discard(...work),
    sweep: (...at) => cells.sweep(...at),
    async spawn(spec) {
      refuseInterrupted(signal);
      const cell = await cells.spawn(spec);
      tell(`the agent works in its cell: ${cell.facts.backend}, ${cellWords(cell.facts)}`);
      endOnInterrupt(cell, signal, tell);
      return cell;
    },
    async runCheck(spec) {
      refuseInterrupted(signal);
      const run = await cells.runCheck(spec);
      const how = run.exitCode === null ? run.reason : `exit ${run.exitCode}`;
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

function refuseInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new Failure('interrupted');
}

function endOnInterrupt(cell: Cell, signal: AbortSignal, tell: Tell): void {
  const end = (): void => {
    tell('interrupted: the cell is being ended, and what was begun handed over');
    void cell.kill();
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  void cell.exit.then(() => signal.removeEventListener('abort', end));
}
