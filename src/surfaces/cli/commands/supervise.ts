// `lazarus supervise`: runs missions for the jobs of a runner, as a user that no job runs as, until it is told to leave.
import { supervise } from '../../../compose/supervise.ts';
import type { Context } from '../command.ts';
import type { Values } from '../values.ts';

export async function run(ctx: Context, _args: Values, options: Values): Promise<void> {
  const socket = options.need('socket');
  await supervise({
    env: ctx.env,
    file: options.need('config'),
    socket,
    programs: [process.execPath, process.argv[1] ?? ''],
    log: (line) => ctx.out.warn(line),
    onOpen: ({ projects }) =>
      ctx.out.warn(
        `supervises at ${socket}: ${projects.map(({ forge, repository }) => `${forge}/${repository}`).join(', ')}`,
      ),
    closing: ctx.signal,
  });
  ctx.out.emit('left', { left: true });
}
