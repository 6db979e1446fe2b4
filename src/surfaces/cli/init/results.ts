// How the items of a set-up read, and how a person is asked before a policy takes the place of another.
import type { PolicyRevision } from '../../../app/init/policy.ts';
import type { ItemResult } from '../../../app/init/items.ts';
import { agree } from '../ask.ts';
import type { Context } from '../command.ts';
import type { Line } from '../output.ts';

const STYLES = { 'already there': 'dim', done: 'green', differs: 'yellow', would: 'bold' } as const;
const FILE_ITEMS: ReadonlySet<string> = new Set(['policy_file', 'sacred_file', 'roster_file']);
const EXIT_WAITING = 8;
const OUTCOME_WIDTH = 'already there'.length;

export function itemLine({ title, is, says }: ItemResult): Line {
  return [{ text: is.padEnd(OUTCOME_WIDTH), style: STYLES[is] }, `  ${title}: ${says}`];
}

/** The item, and below it what is otherwise than lazarus would make it. */
export function itemLines(result: ItemResult): readonly Line[] {
  const { difference = [] } = result;
  return [itemLine(result), ...difference.map((line) => diffLine(line, ' '.repeat(OUTCOME_WIDTH + 2)))];
}

/** The exit code of a set-up: files that people are still writing are their own business, everything else is left to do. */
export function exitOf(items: readonly ItemResult[]): number {
  const open = items.filter(({ item, is }) => is === 'differs' && !FILE_ITEMS.has(item));
  return open.length === 0 ? 0 : EXIT_WAITING;
}

export async function agreeToPolicy(ctx: Context, { revision, changes }: PolicyRevision): Promise<void> {
  const lines = changes.flatMap(({ path, lines }): Line[] => [
    { text: path, style: 'bold' },
    ...lines.map((line) => diffLine(line)),
  ]);
  await agree(ctx, lines, `Adopt this as revision ${revision} of the policy?`);
}

function diffLine(line: string, indent = ''): Line {
  const text = `${indent}${line}`;
  if (line.startsWith('+')) return { text, style: 'green' };
  return line.startsWith('-') ? { text, style: 'red' } : text;
}
