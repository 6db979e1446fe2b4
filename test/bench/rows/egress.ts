// How fast a cell's traffic passes its listener, beside a connection that goes straight there. Who sends, who passes on and
// who receives share this process, so that neither way has a core of its own.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { openListener } from '../../../src/adapters/listener/listener.ts';
import { record, serverName, writtenHello } from '../../support/client-hello.ts';
import type { Bench } from '../bench.ts';
import { inRounds, median } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const egress: Row = { name: 'egress', run };

const MEGABYTES = 256;
const CHUNK = Buffer.alloc(1 << 20);
const NAME = 'host.example';
/** What a tunnel has to begin with, and a first word behind it. */
const FIRST_WORDS = Buffer.concat([writtenHello(serverName(NAME)), record(Buffer.from('go'), 23)]);

async function run(bench: Bench): Promise<readonly Line[]> {
  const source = createServer((socket) => void pour(socket.on('error', () => undefined)));
  const port = await listening(source);
  const inside = createServer();
  const through = await listening(inside);
  const hosts = [{ host: NAME, port, range: '127.0.0.0/8' }];
  const listener = openListener(
    { hosts },
    { resolve: () => Promise.resolve(['127.0.0.1']), limits: { bytes: Infinity } },
  );
  listener.serve(inside);
  try {
    bench.say('passing bytes through a listener');
    const took = await inRounds(bench.sizes.rounds, {
      tunnel: async () => {
        const socket = connect(through, '127.0.0.1');
        socket.write(`CONNECT ${NAME}:${port} HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`);
        await once(socket, 'data');
        return rate(socket);
      },
      direct: () => rate(connect(port, '127.0.0.1')),
    });
    const beside = `direct ${median(took.direct).toFixed(0)} MB/s, ${MEGABYTES} MB each`;
    return [{ what: 'through a listener', unit: 'MB/s', budget: { atLeast: 200 }, values: took.tunnel, beside }];
  } finally {
    source.close();
    await listener.close();
  }
}

async function rate(socket: Socket): Promise<number> {
  const from = performance.now();
  socket.write(FIRST_WORDS);
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(socket, 'end');
  socket.end();
  return bytes / 1000 / (performance.now() - from);
}

async function pour(socket: Socket): Promise<void> {
  await once(socket, 'data');
  for (let i = 0; i < MEGABYTES; i++) if (!socket.write(CHUNK)) await once(socket, 'drain');
  socket.end();
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
