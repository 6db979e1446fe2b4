// Whoever is told by a webhook, on loopback: what it was sent, and what it answers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Received = { readonly path: string; readonly body: Readonly<Record<string, unknown>> };

/** `hang` says nothing, ever. */
type Answer = 'hang' | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  answer: Answer;
  readonly close: () => Promise<void>;
};

export async function startReceiver(path = '/hook/s3cret-path'): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
      const { answer } = receiver;
      if (answer === 'hang') return;
      response.writeHead(answer.status, answer.headers ?? {}).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    received,
    answer: { status: 200 },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return receiver;
}
