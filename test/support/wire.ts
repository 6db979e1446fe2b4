// Counts what goes over the wire to a server, in both directions, headers and all: a relay that looks at nothing.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Wire = {
  /** The server's address as seen through the relay. */
  readonly origin: string;
  /** Bytes since the last time this was asked. */
  take(): number;
  close(): Promise<void>;
};

export async function wireTo(origin: string): Promise<Wire> {
  const target = Number(new URL(origin).port);
  const open = new Set<Socket>();
  let bytes = 0;
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('data', (chunk: Buffer) => (bytes += chunk.length));
      from.on('error', () => to.destroy());
      from.on('close', () => open.delete(from));
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = bytes;
      bytes = 0;
      return taken;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
