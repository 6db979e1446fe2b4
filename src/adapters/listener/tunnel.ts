// A CONNECT request: dialled when the host is allowed, and a pipe in both directions once its ClientHello asked for the same
// host. Sees no more of what is said than that.
import type { Socket } from 'node:net';
import type { Refusal } from '../../kernel/network/decide.ts';
import { readTunnelTarget, type Target } from '../../kernel/network/target.ts';
import type { Egress } from './egress.ts';
import { readHellos } from './hellos.ts';
import type { Passed } from './record.ts';

export async function tunnel(egress: Egress, named: string, client: Socket, head: Buffer): Promise<void> {
  const target = readTunnelTarget(named);
  const opened = await egress.open(target);
  if (opened.is === 'denied') {
    client.end(refusalText(opened.status, opened.because));
    return;
  }
  const server = opened.socket;
  if (client.destroyed) return void server.destroy();
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  if (head.length > 0) client.unshift(head);
  join(egress, target!, client, server);
}

/** The answer to a request that no ServerResponse stands for. */
export function refusalText(status: number, because: string): string {
  return `HTTP/1.1 ${status} Refused\r\nx-lazarus-denied: ${because}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`;
}

function join(egress: Egress, target: Target, client: Socket, server: Socket): void {
  const read = readHellos(target);
  let isRefused = false;
  let moved: ((passed: Passed) => void) | undefined;
  const both = [client, server];
  const end = (): void => both.forEach((socket) => socket.destroy());
  const refuse = (because: Refusal): void => {
    isRefused = true;
    egress.refused(target, because);
    end();
  };
  const late = setTimeout(() => refuse('tunnel_not_tls'), egress.limits.helloMs);
  client.setTimeout(egress.limits.idleMs, end);
  for (const socket of both) {
    socket.on('data', ({ length }: Buffer) => {
      if (!isRefused && !egress.mayMove(length)) refuse('too_many_bytes');
    });
    socket.on('error', end);
    // A side that has said everything closes properly; one that broke takes the other with it.
    socket.once('close', (isBroken) => (isBroken ? end() : undefined));
  }
  const listen = (chunk: Buffer): void => {
    const heard = read(chunk);
    if (heard.is === 'refused') return refuse(heard.because);
    if (heard.pass.length > 0) {
      clearTimeout(late);
      moved ??= egress.allowed(target);
      server.write(heard.pass);
    }
    if (heard.is === 'more') return;
    client.off('data', listen);
    client.pipe(server);
  };
  client.on('data', listen);
  client.once('end', () => server.end());
  server.pipe(client);
  client.once('close', () => {
    clearTimeout(late);
    server.destroy();
    // A connection that was opened and said nothing was opened.
    if (!isRefused) moved ??= egress.allowed(target);
    moved?.({ bytesIn: server.bytesRead, bytesOut: server.bytesWritten });
  });
}
