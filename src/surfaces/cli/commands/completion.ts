// `lazarus completion`: a script generated from the table, so that it cannot fall behind it.
import type { Context } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import { completionScript, type Shell } from '../completion.ts';
import type { Values } from '../values.ts';

export async function run(ctx: Context, args: Values): Promise<void> {
  const shell = args.need('shell') as Shell;
  const script = completionScript(shell, COMMANDS);
  ctx.out.emit(script.trimEnd().split('\n'), { shell, script });
}
