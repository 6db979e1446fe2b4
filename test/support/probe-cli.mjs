// The real frame of the command line around commands that misbehave on purpose: they crash, wait, flood or refuse.
import { Failure } from '../../dist/failure.js';
import { start } from '../../dist/surfaces/cli/start.js';

const wait = (signal) =>
  new Promise((_, reject) => {
    const alive = setInterval(() => {}, 1000);
    signal.addEventListener('abort', () => {
      clearInterval(alive);
      reject(new Error('git was killed by a signal'));
    });
  });

const runs = {
  'probe print': async (ctx, args) => ctx.out.emit(args.need('text'), { text: args.need('text') }),
  'probe fail': async () => {
    throw new Failure('head_moved', { ledger: 'lazarus/m-1', attempts: 5 }, { cause: new Error('the cause') });
  },
  'probe crash': async () => {
    throw new TypeError('a bug with an \u001b[31mescape');
  },
  'probe late': async (ctx) => {
    ctx.out.emit('the result', { ok: true });
    throw new Failure('remote_unreachable');
  },
  'probe code': async () => 8,
  'probe where': async (ctx) =>
    ctx.out.emit(ctx.cwd, { cwd: ctx.cwd, interactive: ctx.input.interactive, yes: ctx.input.yes }),
  'probe whole': async (ctx, args, options) => ctx.out.emit(String(options.whole('count', 1)), {}),
  'probe talk': async (ctx) => {
    ctx.out.note('a note');
    ctx.out.warn('a warning');
    ctx.out.detail('a detail');
    ctx.out.emit('data', { data: true });
  },
  'probe wait': async (ctx) => {
    ctx.out.note('waiting');
    await wait(ctx.signal);
  },
  'probe deaf': async (ctx) => {
    ctx.out.note('waiting');
    await new Promise(() => setInterval(() => {}, 1000));
  },
  'probe flood': async (ctx) => {
    ctx.out.emit(
      Array.from({ length: 200_000 }, (_, i) => `line ${i}`),
      {},
    );
    await wait(ctx.signal);
  },
};

const specs = Object.entries(runs).map(([path, run]) => ({
  path,
  summary: `misbehaves: ${path}`,
  args: path === 'probe print' ? [{ name: '<text>', summary: 'what to print' }] : [],
  options: path === 'probe whole' ? [{ flags: '--count <n>', summary: 'a number' }] : [],
  load: async () => ({ run }),
}));

await start(process.argv.slice(2), specs);
