// The name in a ClientHello, read as this runtime's own TLS writes it, and every way of writing it that could be read twice.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { HELLO_BYTES_MAX, readClientHello } from '../../../src/format/tls/client-hello.ts';
import {
  inRecords,
  record,
  serverName,
  spokenHello,
  withoutExtensions,
  writtenHello,
} from '../../support/client-hello.ts';

/** Looks for the name where it usually stands, as a filter that reads one packet does. */
const isSeen = (hello: Buffer, name: string): boolean => hello.includes(name, 0, 'latin1');

test.each([
  ['TLS 1.3', {}],
  ['TLS 1.2', { maxVersion: 'TLSv1.2' as const }],
  ['many protocols', { ALPNProtocols: Array.from({ length: 200 }, (_, i) => `protocol-${i}`) }],
])('the name that a client of this machine asks for, %s', async (_, options) => {
  const hello = await spokenHello({ servername: 'kit.example', ...options });
  expect(readClientHello(hello)).toEqual({ is: 'hello', serverName: 'kit.example', bytes: hello.length });
});

test('no name is not an empty one', async () => {
  const hello = await spokenHello({});
  expect(readClientHello(hello)).toEqual({ is: 'hello', serverName: undefined, bytes: hello.length });
  expect(readClientHello(withoutExtensions())).toMatchObject({ is: 'hello', serverName: undefined });
});

test('what follows the message is not part of it', async () => {
  const hello = await spokenHello({ servername: 'kit.example' });
  const early = Buffer.concat([hello, record(Buffer.from('early data'), 23)]);
  expect(readClientHello(early)).toEqual({ is: 'hello', serverName: 'kit.example', bytes: hello.length });
});

test.each([1, 2, 50, 70])('a name that is cut into records of %i bytes is read all the same', async (bytes) => {
  const hello = inRecords(await spokenHello({ servername: 'evil.test' }), bytes);
  expect(isSeen(hello.subarray(0, 5 + bytes), 'evil.test'), 'whoever reads one record sees no name').toBe(false);
  expect(readClientHello(hello)).toEqual({ is: 'hello', serverName: 'evil.test', bytes: hello.length });
});

test('every beginning of a message asks for more, and none gives a name', async () => {
  const hello = await spokenHello({ servername: 'kit.example' });
  for (const whole of [hello, inRecords(hello, 7)])
    for (let length = 0; length < whole.length; length++)
      expect(readClientHello(whole.subarray(0, length)), `${length}`).toEqual({ is: 'incomplete' });
});

test.each<[what: string, bytes: Buffer]>([
  ['two names in one list', writtenHello(Buffer.concat([serverName('kit.example'), serverName('evil.test')]))],
  ['two lists', writtenHello(serverName('kit.example'), serverName('evil.test'))],
  [
    'a name of an unknown kind first',
    writtenHello(Buffer.concat([serverName('kit.example', 1), serverName('evil.test')])),
  ],
  ['bytes behind the name', writtenHello(Buffer.concat([serverName('kit.example'), Buffer.from('evil.test')]))],
  ['an empty name', writtenHello(serverName(''))],
  ['an empty list', writtenHello(Buffer.alloc(0))],
])('%s: a server may take either, so it is no name at all', (_, bytes) => {
  expect(readClientHello(bytes)).toEqual({ is: 'other' });
});

test.each<[what: string, bytes: Buffer]>([
  ['plain HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: kit.example\r\n\r\n')],
  ['SSH', Buffer.from('SSH-2.0-OpenSSH_9.2\r\n')],
  ['SSL 2', Buffer.from([0x80, 0x2e, 0x01, 0x03, 0x01])],
  ['another message', record(Buffer.from([2, 0, 0, 2, 3, 3]))],
  ['an alert', record(Buffer.from([1, 0]), 21)],
  ['an empty record', Buffer.concat([record(Buffer.alloc(0)), writtenHello(serverName('kit.example'))])],
  ['a record that is too long', Buffer.from([22, 3, 1, 0xff, 0xff, 1])],
  ['a message that is too long', record(Buffer.from([1, 0, HELLO_BYTES_MAX >> 8, 1, 3, 3]))],
  [
    'a message with something behind it',
    record(Buffer.concat([writtenHello(serverName('kit.example')).subarray(5), Buffer.from([0])])),
  ],
])('%s is no ClientHello', (_, bytes) => {
  expect(readClientHello(bytes)).toEqual({ is: 'other' });
});

test('no bytes at all break it, nor does any byte of a real one that is changed', async () => {
  const hello = await spokenHello({ servername: 'kit.example' });
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void readClientHello(bytes)));
  fc.assert(
    fc.property(fc.nat(hello.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
      const changed = Buffer.from(hello);
      changed[at] = value;
      const read = readClientHello(changed);
      // A name that is read stands there.
      if (read.is === 'hello' && read.serverName !== undefined) expect(isSeen(changed, read.serverName)).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
