// What went through one listener, as one line per host, port and decision. Keeps no URL, no header and no byte of a body, and
// of a name that was refused as malformed not even the name: it is a stranger's text.
import type { Target } from '../../kernel/network/target.ts';
import type { Reached } from '../../ports/network.ts';

type Decided = Pick<Reached, 'decision' | 'because'>;
type Line = { times: number; bytesIn: number; bytesOut: number };
export type Passed = { readonly bytesIn: number; readonly bytesOut: number };

export type Record = {
  /** Once per request; what is returned is told, once, what it moved. */
  readonly note: (target: Target | undefined, decided: Decided) => (passed: Passed) => void;
  readonly lines: () => readonly Reached[];
};

/** An agent may ask for as many names as it can think of. */
const LINES_MAX = 200;
const NOBODY: Target = { host: '', port: 0 };

export function newRecord(): Record {
  const lines = new Map<string, Reached & Line>();
  return {
    // By field: what names a target may know more of it, such as a path.
    note({ host, port } = NOBODY, { decision, because }) {
      const line = lineOf(lines, { host, port, decision, because });
      line.times += 1;
      return ({ bytesIn, bytesOut }) => {
        line.bytesIn += bytesIn;
        line.bytesOut += bytesOut;
      };
    },
    lines: () => [...lines.values()].map((line) => ({ ...line })),
  };
}

/** Beyond the limit requests of one decision share a line that names no host. */
function lineOf(lines: Map<string, Reached & Line>, about: Target & Decided): Reached & Line {
  const key = ({ host, port, decision, because }: typeof about): string => `${host}:${port} ${decision} ${because}`;
  const found = lines.get(key(about));
  if (found !== undefined) return found;
  const named = lines.size < LINES_MAX ? about : { ...about, ...NOBODY };
  const line = lines.get(key(named)) ?? { ...named, times: 0, bytesIn: 0, bytesOut: 0 };
  lines.set(key(named), line);
  return line;
}
