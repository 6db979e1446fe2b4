// First messages of TLS: one as this runtime's own TLS says it, and others put together by hand.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';

/** What a client of this machine sends first. */
export async function spokenHello(options: ConnectionOptions): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', ...options });
  client.on('error', () => undefined);
  const [socket] = await once(server, 'connection');
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

/** `lists`: the bodies of its extensions of type server_name. */
export function writtenHello(...lists: readonly Buffer[]): Buffer {
  const extensions = lists.flatMap((list) => [Buffer.from([0, 0]), sized(2, sized(2, list))]);
  return message(sized(2, Buffer.concat(extensions)));
}

export function withoutExtensions(): Buffer {
  return message(Buffer.alloc(0));
}

export function serverName(name: string, type = 0): Buffer {
  return Buffer.concat([Buffer.from([type]), sized(2, Buffer.from(name, 'latin1'))]);
}

/** The same message in records of so many bytes each. */
export function inRecords(hello: Buffer, bytes: number): Buffer {
  const body = hello.subarray(5);
  const parts = Array.from({ length: Math.ceil(body.length / bytes) }, (_, i) =>
    body.subarray(i * bytes, (i + 1) * bytes),
  );
  return Buffer.concat(parts.map((part) => record(part)));
}

export function record(body: Buffer, type = 22): Buffer {
  return Buffer.concat([Buffer.from([type, 3, 1]), sized(2, body)]);
}

function message(rest: Buffer): Buffer {
  const random = Buffer.concat([Buffer.from([3, 3]), Buffer.alloc(32, 7)]);
  const body = Buffer.concat([
    random,
    sized(1, Buffer.alloc(0)),
    sized(2, Buffer.from([0x13, 1])),
    sized(1, Buffer.alloc(1)),
    rest,
  ]);
  return record(Buffer.concat([Buffer.from([1]), sized(3, body)]));
}

function sized(lengthBytes: number, body: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes);
  length.writeUIntBE(body.length, 0, lengthBytes);
  return Buffer.concat([length, body]);
}
