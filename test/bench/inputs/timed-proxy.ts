// Stands between a client and a server on loopback, passes everything on as it is, and tells how long pushes took, and how
// long the client had any other question open.
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';

export type TimedProxy = {
  readonly origin: string;
  /** What was pushed since this was asked the last time. */
  readonly pushed: () => { readonly count: number; readonly ms: number };
  readonly requests: () => number;
  /** For how long at least one request that was no push was unanswered, since this was asked the last time. */
  readonly askedMs: () => number;
  readonly close: () => Promise<void>;
};

export async function timedProxy(target: string): Promise<TimedProxy> {
  const { hostname, port } = new URL(target);
  let pushes: number[] = [];
  let requests = 0;
  let asked = 0;
  let askedSince = 0;
  let askedMs = 0;
  const server = createServer((incoming, outgoing) => {
    requests += 1;
    const from = performance.now();
    const { method, url: path, headers } = incoming;
    const isPush = method === 'POST' && path?.endsWith('/git-receive-pack') === true;
    if (!isPush && asked++ === 0) askedSince = from;
    outgoing.once('close', () => {
      if (!isPush && --asked === 0) askedMs += performance.now() - askedSince;
    });
    const passed = ask({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.once('end', () => {
        if (isPush) pushes.push(performance.now() - from);
      });
    });
    passed.once('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pushed: () => {
      const since = pushes;
      pushes = [];
      return { count: since.length, ms: since.reduce((sum, ms) => sum + ms, 0) };
    },
    requests: () => requests,
    askedMs: () => {
      const since = askedMs;
      askedMs = 0;
      return since;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
