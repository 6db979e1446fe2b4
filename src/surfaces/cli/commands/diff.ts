// `lazarus diff`: what the agent of an attempt changed, delivered or not, as a patch against the base. On a terminal everything
// in it is shown and nothing obeyed, through a pipe it is what git prints.
import { diffOf } from '../../../app/mission/diff.ts';
import type { Context } from '../command.ts';
import { atMission, seen } from '../mission/site.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';

export const diff = {
  run: (ctx: Context, args: Values, options: Values): Promise<void> =>
    atMission(ctx, { typed: args.need('mission'), options }, async (site) => {
      const how = options.flag('stat') ? 'stat' : 'patch';
      const wanted = { no: options.whole('attempt'), how } as const;
      const { bytes, ...found } = await diffOf({ ...site, ...(await seen(site)) }, wanted);
      if (found.by !== null)
        ctx.out.note(
          `it came too late to be judged: that this was the work of the attempt is the word of ${found.by} alone`,
        );
      if (!ctx.out.json && how === 'patch' && !process.stdout.isTTY) return void process.stdout.write(bytes);
      const text = Buffer.from(bytes).toString('utf8');
      const lines = text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined);
      ctx.out.emit(how === 'stat' ? lines : lines.map(painted), { mission: site.name, ...found, [how]: text });
    }),
};

const TAB = '    ';

function painted(line: string): Line {
  const text = line.replaceAll('\t', TAB);
  if (/^(?:diff |index |---|\+\+\+)/.test(text)) return { text, style: 'bold' };
  if (text.startsWith('@@')) return { text, style: 'dim' };
  if (text.startsWith('+')) return { text, style: 'green' };
  return text.startsWith('-') ? { text, style: 'red' } : text;
}
