// How much later the first byte of an answer comes through a credential route than from the provider itself, both over
// connections that are open already, as they are from an agent's second question on.
import { Agent, createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openRoutes } from '../../../src/adapters/listener/route.ts';
import { Route } from '../../../src/kernel/policy/route.ts';
import type { Bench } from '../bench.ts';
import { inRounds, median, quantile } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const credentialRoute: Row = { name: 'credential route', run };

const CALLS_PER_ROUND = 60;
const QUESTION = JSON.stringify({ model: 'bench', stream: true, input: 'word '.repeat(2_000) });
/** As much as a model says before it pauses. */
const ANSWER =
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"word"}\n\n'.repeat(5);

async function run(bench: Bench): Promise<readonly Line[]> {
  bench.say('asking through a credential route, and directly');
  const provider = await listening(
    bench,
    createServer((request, response) => {
      request.resume().once('end', () => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(ANSWER));
    }),
  );
  const route = Route.parse({
    origin: `http://127.0.0.1:${provider}`,
    range: '127.0.0.0/8',
    key: 'env:BENCH_KEY',
    allow: ['POST /v1/responses'],
    usage: 'openai',
    max_calls: 100_000,
  });
  const routes = openRoutes({
    routes: [{ ...route, name: 'bench', secret: 'sk-bench-0123456789abcdef' }],
    onCut: () => {},
  });
  bench.atEnd(routes.close);
  const door = await listening(
    bench,
    createServer((request, response) => void routes.answer(request, response)),
  );

  const all: Record<'direct' | 'routed', number[]> = { direct: [], routed: [] };
  const calls = (name: keyof typeof all, port: number, path: string) => {
    const agent = new Agent({ keepAlive: true });
    bench.atEnd(() => agent.destroy());
    return async (): Promise<number> => {
      const each: number[] = [];
      for (let i = 0; i < CALLS_PER_ROUND; i++) each.push(await firstByteMs(agent, port, path));
      all[name].push(...each);
      return median(each);
    };
  };
  const took = await inRounds(bench.sizes.rounds, {
    direct: calls('direct', provider, '/v1/responses'),
    routed: calls('routed', door, '/_route/bench/v1/responses'),
  });
  return [
    {
      what: 'first byte through a route, over a direct connection, p50',
      unit: 'ms',
      values: took.routed.map((ms, i) => ms - took.direct[i]!),
      budget: { atMost: 2 },
      beside: `direct ${median(took.direct).toFixed(2)} ms, routed ${median(took.routed).toFixed(2)} ms, p95 ${quantile(all.routed, 0.95).toFixed(2)} ms, n = ${all.routed.length}`,
    },
  ];
}

async function firstByteMs(agent: Agent, port: number, path: string): Promise<number> {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const request = ask({ agent, host: '127.0.0.1', port, path, method: 'POST' }, (response) => {
      let firstMs = 0;
      response.once('data', () => (firstMs = performance.now() - from));
      response.resume().once('end', () => resolve(firstMs));
    });
    request.once('error', reject);
    request.end(QUESTION);
  });
}

async function listening(bench: Bench, server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  bench.atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
