// The host end of the kernel port: whatever a participant writes there, messages come out or are counted as refused.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { openPort, readPort } from '../../../src/adapters/cells/port.ts';
import type { PortMessage } from '../../../src/ports/cells.ts';

async function heard(chunks: readonly (string | Buffer)[], canaries: readonly string[] = []) {
  const stream = new PassThrough();
  const port = openPort({ canaries });
  readPort(stream, port);
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  await new Promise((resolve) => stream.once('close', resolve));
  port.events.end();
  const messages: PortMessage[] = [];
  for await (const message of port.events) messages.push(message);
  return { messages, refused: port.count.refused };
}

test('a message may come in pieces, several in one, the last without an end is none', async () => {
  const line = Buffer.from('{"kind":"blocked","body":{"text":"ü"}}\n');
  const pieces = [...line].map((byte) => Buffer.from([byte]));
  expect(
    await heard([
      ...pieces,
      '{"kind":"heartbeat","body":{"seq":1}}\n{"kind":"heartbeat","body":{"seq":2}}\n{"kind":"done"',
    ]),
  ).toEqual({
    messages: [
      { kind: 'blocked', body: { text: 'ü' } },
      { kind: 'heartbeat', body: { seq: 1 } },
      { kind: 'heartbeat', body: { seq: 2 } },
    ],
    refused: 0,
  });
});

test('what is no message is counted, and the next one is heard', async () => {
  const bad = [
    'garbage',
    '{"kind":"approve","body":{}}',
    '{"kind":"done","body":1,"more":2}',
    '{"kind":"done","base64":"###"}',
    `{"kind":"done","base64":"${Buffer.from('no json').toString('base64')}"}`,
    '[]',
    '',
    'null',
    '['.repeat(100_000),
    `{"kind":"done","body":${nested(5000)}}`,
    `{"kind":"done","base64":"${Buffer.from(nested(5000)).toString('base64')}"}`,
  ];
  const { messages, refused } = await heard([...bad.map((line) => `${line}\n`), '{"kind":"done","body":{}}\n']);
  expect({ messages, refused }).toEqual({ messages: [{ kind: 'done', body: {} }], refused: bad.length });
});

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

test('a line without end fills no memory, and is one refusal', async () => {
  const chunk = 'x'.repeat(100_000);
  const { messages, refused } = await heard([...Array(20).fill(chunk), '\n', '{"kind":"done","body":1}\n']);
  expect({ messages, refused }).toEqual({ messages: [{ kind: 'done', body: 1 }], refused: 1 });
});

test('ten thousand messages are enough', async () => {
  const { messages, refused } = await heard(Array(11).fill('{"kind":"heartbeat","body":1}\n'.repeat(1000)));
  expect(messages).toHaveLength(10_000);
  expect(refused).toBeGreaterThan(0);
});

test('secrets are taken out of what is said, also inside base64', async () => {
  const secret = 'TOPSECRETVALUE';
  const hidden = Buffer.from(JSON.stringify({ said: secret })).toString('base64');
  const { messages } = await heard(
    [`{"kind":"done","body":"${secret}"}\n{"kind":"done","base64":"${hidden}"}\n`],
    [secret],
  );
  expect(JSON.stringify(messages)).not.toContain(secret);
});

test('who asks and never reads is heard to the end, and answered only as far as a socket holds', async () => {
  const { ours, theirs } = await socketPair();
  const port = openPort({ brief: { 'brief.md': Buffer.alloc(50_000, 'x') } });
  readPort(ours, port);
  theirs.write('{"kind":"brief"}\n'.repeat(5000) + '{"kind":"done","body":{}}\n');
  await expect.poll(() => port.count.messages).toBe(5001);
  await new Promise(setImmediate);
  // Each of them on its own would be a quarter of a gigabyte.
  expect(ours.writableLength).toBeLessThan(200_000);
});

test('who asks is answered, in order, and nobody else is', async () => {
  const { ours, theirs } = await socketPair();
  readPort(ours, openPort({ effects: ['push_branch'] }));
  theirs.write(
    ['heartbeat', 'request push_branch', 'note', 'request post_comment']
      .map((words) => {
        const [kind, what] = words.split(' ');
        return JSON.stringify({ kind, body: kind === 'request' ? { what } : { text: 'x' } });
      })
      .join('\n') + '\n',
  );
  let text = '';
  for await (const chunk of theirs) {
    text += String(chunk);
    if (text.split('\n').length > 2) break;
  }
  expect(text.match(/"is":"\w+"/g)).toEqual(['"is":"granted"', '"is":"refused"']);
});

async function socketPair(): Promise<{ readonly ours: Socket; readonly theirs: Socket }> {
  const server = createServer();
  const arriving = new Promise<Socket>((resolve) => server.once('connection', resolve));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const theirs = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const ours = await arriving;
  onTestFinished(() => {
    ours.destroy();
    theirs.destroy();
    server.close();
  });
  return { ours, theirs };
}
