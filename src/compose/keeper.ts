// Builds what setting up a runner's machine works with: the system, and this program by paths that no link changes later.
import { realpath } from 'node:fs/promises';
import { keeperHere } from '../adapters/system/keeper.ts';
import type { Keeper } from '../ports/keeper.ts';

type AtKeeper = { readonly keeper: Keeper; readonly program: { readonly node: string; readonly script: string } };

export async function keeperOf(script: string): Promise<AtKeeper> {
  const program = { node: await realpath(process.execPath), script: await realpath(script) };
  return { keeper: await keeperHere([program.node, program.script]), program };
}
