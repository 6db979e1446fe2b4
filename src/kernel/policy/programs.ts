// What a command starts, as far as its words say: a file of the tree, a place that cells have, or a name that is searched
// for. Knows no tree and no machine: what these have, others look up.
import type { z } from 'zod';
import type { Backend } from '../values.ts';
import type { Environment } from './environment.ts';

export type Started =
  /** `reads`: an interpreter reads it, so that it need not be executable, and may be a folder or lack its ending. */
  | { readonly is: 'of_tree'; readonly path: string; readonly how: 'starts' | 'reads' }
  /** An absolute path that no cell has. */
  | { readonly is: 'nowhere'; readonly path: string }
  /** Only where the cell is made is it known whether it is there. */
  | { readonly is: 'unknown' };

export type Around = {
  readonly backend: z.infer<typeof Backend>;
  /** All that the cell finds beside the tree. */
  readonly environments: readonly Environment[];
  /** What brings the agent's own program along. */
  readonly install?: Environment | undefined;
};

export function startedBy([program = '', ...rest]: readonly string[], around: Around): Started {
  const itself: Started = program.includes('/') ? placeOf(program, 'starts', around) : UNKNOWN;
  if (itself.is !== 'unknown') return itself;
  const [name = ''] = program.split('/').slice(-1);
  // `/usr/bin/env node agent.mjs` starts what stands behind it.
  if (name === 'env') return rest.length === 0 ? UNKNOWN : startedBy(rest, around);
  const [script] = rest;
  // Behind an option anything may stand: `sh -c` has its program right there.
  if (!INTERPRETER.test(name) || script === undefined || script.startsWith('-')) return UNKNOWN;
  return placeOf(script, 'reads', around);
}

/** The same of a text for a shell: its first command, as far as its words are plain ones. */
export function startedByText(shellText: string, around: Around): Started {
  const words: string[] = [];
  for (const [, word = ''] of shellText.matchAll(PLAIN_WORD)) words.push(word);
  return startedBy(words, around);
}

const UNKNOWN: Started = { is: 'unknown' };
const INTERPRETER = /^(?:sh|ash|bash|dash|ksh|zsh|node|bun|php|perl|ruby|python[0-9.]*)$/;
/** One behind the other from the start. A quote or a variable could make it anything. */
const PLAIN_WORD = /[ \t]*([\w%+,./:@-]+)(?=[\s;&|<>)]|$)/gy;

/** What every cell has of its host; the rest comes from policy. */
const SYSTEM = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/usr', '/etc/alternatives', '/cell'];
const OWN_PROGRAM = '/cell/agent';
const PROJECT = '/cell/project/';

function placeOf(path: string, how: 'starts' | 'reads', around: Around): Started {
  const { backend, environments, install } = around;
  if (!path.startsWith('/')) return inTree(path, how, around);
  // Other backends have places of their own.
  if (backend !== 'process') return UNKNOWN;
  if (path.startsWith(PROJECT)) return inTree(path.slice(PROJECT.length), how, around);
  const all = install === undefined ? environments : [...environments, install];
  if (isBelow(path, OWN_PROGRAM)) return install === undefined ? { is: 'nowhere', path } : UNKNOWN;
  const places = [...SYSTEM, ...all.flatMap(({ tools }) => tools)];
  return places.some((place) => isBelow(path, place)) ? UNKNOWN : { is: 'nowhere', path };
}

function inTree(written: string, how: 'starts' | 'reads', { environments }: Around): Started {
  const steps = written.split('/').filter((step) => step !== '' && step !== '.');
  // Out of the tree, or the tree itself.
  if (steps.length === 0 || steps.includes('..')) return UNKNOWN;
  const path = steps.join('/');
  const isMade = environments.flatMap(({ makes }) => makes).some((made) => isBelow(path, made));
  return isMade ? UNKNOWN : { is: 'of_tree', path, how };
}

function isBelow(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}
