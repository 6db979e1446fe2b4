// Appending through a remote over loopback HTTP, against the bare request that carries the same pack, git and isomorphic-git.
import type { Bench } from '../bench.ts';
import { ana, landed, notes, openBench, type BuiltLedger } from '../inputs/ledger.ts';
import { RecordedLedger } from '../inputs/recorded.ts';
import { remoteOf, startServer, type Server } from '../inputs/served.ts';
import { inRounds, median, quantile, ratios, timedMs } from '../measure.ts';
import { pushWithGit, pushWithIsomorphicGit, rawPusher, rawRequest, type Push } from '../peers/push.ts';
import type { Line, Row } from '../row.ts';

export const appendWarm: Row = { name: 'remote append, warm', run: warm };

async function warm(bench: Bench): Promise<readonly Line[]> {
  const { rounds } = bench.sizes;
  // A server needs a tenth of a second for each.
  const singles = Math.ceil(bench.sizes.singles / 2);
  const base = await bench.ledger(bench.sizes.commits, 1);
  const server = await startServer(bench, 'warm');
  const ours = await ourAppends(bench, server, base);
  const [raw, git, isomorphic] = [
    await peer(bench, server, base),
    await peer(bench, server, base),
    await peer(bench, server, base),
  ];
  const poster = rawPusher(raw.url);
  const all: number[] = [];
  bench.say('appending through a remote');
  const took = await inRounds(rounds, {
    lazarus: async () => {
      const each: number[] = [];
      for (let i = 0; i < singles; i++) each.push(await timedMs(ours.append));
      all.push(...each);
      return median(each);
    },
    raw: async () => {
      const each: number[] = [];
      for (let i = 0; i < singles; i++) {
        const change = await raw.recorded.append();
        const request = rawRequest(change);
        each.push(await timedMs(() => poster.push(request, base.ref)));
      }
      return median(each);
    },
    git: async () => {
      const each: number[] = [];
      for (let i = 0; i < Math.ceil(singles / 8); i++) {
        const push = pushOf(await git.recorded.append());
        each.push(await timedMs(() => pushWithGit(git.ledger.path, git.url, push)));
      }
      return median(each);
    },
    isomorphic: async () => {
      const push = pushOf(await isomorphic.recorded.append());
      return timedMs(() => pushWithIsomorphicGit(isomorphic.ledger.path, isomorphic.url, push));
    },
  });
  poster.close();
  await Promise.all([ours, raw.recorded, git.recorded, isomorphic.recorded].map((one) => one.close()));
  const ms = (name: keyof typeof took): string => `${median(took[name]).toFixed(1)} ms`;
  return [
    {
      what: 'p50 of one append',
      unit: 'ms',
      values: took.lazarus,
      budget: { atMost: 25 },
      beside: `p95 ${quantile(all, 0.95).toFixed(1)} ms, n = ${all.length}, onto ${base.events} events`,
    },
    {
      what: 'of a bare raw push',
      unit: '×',
      values: ratios(took.lazarus, took.raw),
      beside: `raw ${ms('raw')}: the server's own time`,
    },
    {
      what: 'git push --force-with-lease slower',
      unit: '×',
      values: ratios(took.git, took.lazarus),
      beside: ms('git'),
    },
    {
      what: 'isomorphic-git push slower',
      unit: '×',
      values: ratios(took.isomorphic, took.lazarus),
      budget: { atLeast: 50 },
      beside: `${ms('isomorphic')}, onto ${base.events} events`,
    },
  ];
}

async function ourAppends(
  bench: Bench,
  server: Server,
  base: BuiltLedger,
): Promise<{ append: () => Promise<void>; close: () => Promise<void> }> {
  const { url } = await server.host(base);
  const clone = await bench.copy(base);
  const workbench = await openBench(clone.path, { remote: remoteOf(url, clone.path) });
  const session = await workbench.open(base.ref, ana);
  let appended = 0;
  return { append: () => landed(session, notes(appended++, 1)), close: () => workbench.close() };
}

type Peer = { readonly url: string; readonly ledger: BuiltLedger; readonly recorded: RecordedLedger };

async function peer(bench: Bench, server: Server, base: BuiltLedger): Promise<Peer> {
  const { url } = await server.host(base);
  const ledger = await bench.copy(base);
  return { url, ledger, recorded: await RecordedLedger.open(ledger) };
}

function pushOf({
  updates,
}: {
  readonly updates: readonly { ref: string; old: string | undefined; next: string | undefined }[];
}): Push {
  const { ref, old, next } = updates[0]!;
  return { ref, old: old!, next: next! };
}
