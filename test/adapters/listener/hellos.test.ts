// The beginning of a tunnel, byte by byte: what may go on, and when nobody has to look any more.
import { expect, test } from 'vitest';
import { readHellos } from '../../../src/adapters/listener/hellos.ts';
import { readClientHello } from '../../../src/format/tls/client-hello.ts';
import { inRecords, record, serverName, writtenHello } from '../../support/client-hello.ts';

const TARGET = { host: 'kit.example', port: 443 };
const GOOD = writtenHello(serverName('kit.example'));
const EVIL = writtenHello(serverName('evil.test'));
const CHANGE = record(Buffer.from([1]), 20);
const CANCELLED = record(Buffer.from([1, 90]), 21);
const ENCRYPTED = record(Buffer.from('whatever'), 23);

test('a second ClientHello, which a server may ask for, names the same host or ends the tunnel', () => {
  // Whoever reads the first alone lets it through, and servers take the name of the second.
  expect(readClientHello(Buffer.concat([GOOD, CHANGE, EVIL]))).toMatchObject({ serverName: 'kit.example' });
  for (const between of [[], [CHANGE], [CANCELLED], [CHANGE, CANCELLED]]) {
    const read = readHellos(TARGET);
    expect(read(GOOD)).toEqual({ is: 'more', pass: GOOD });
    for (const bytes of between) expect(read(bytes)).toEqual({ is: 'more', pass: bytes });
    expect(read(EVIL)).toEqual({ is: 'refused', because: 'other_server_name' });
    expect(readHellos(TARGET)(Buffer.concat([GOOD, ...between, EVIL]))).toMatchObject({ is: 'refused' });
  }
  const read = readHellos(TARGET);
  expect([read(GOOD), read(Buffer.concat([CHANGE, GOOD, ENCRYPTED]))]).toMatchObject([
    { is: 'more' },
    { is: 'through' },
  ]);
});

test.each([
  ['what is encrypted', ENCRYPTED],
  ['keys of TLS 1.2', record(Buffer.from([16, 0, 0, 1, 0]))],
])('behind %s nothing is looked at any more', (_, bytes) => {
  const read = readHellos(TARGET);
  read(GOOD);
  expect(read(bytes)).toEqual({ is: 'through', pass: bytes });
});

test('it takes the same bytes in any pieces, and passes none on before the name is known', () => {
  const whole = Buffer.concat([inRecords(GOOD, 9), CHANGE, inRecords(GOOD, 30), ENCRYPTED]);
  const read = readHellos(TARGET);
  const passed: Buffer[] = [];
  let at = 0;
  for (let is = 'more'; is === 'more'; at++) {
    const heard = read(whole.subarray(at, at + 1));
    if (heard.is === 'refused') throw new Error(heard.because);
    passed.push(heard.pass);
    if (at < inRecords(GOOD, 9).length - 1) expect(heard.pass.length).toBe(0);
    ({ is } = heard);
  }
  expect(Buffer.concat([...passed, whole.subarray(at)]).equals(whole)).toBe(true);
});

test.each([
  ['the name of somebody else', EVIL, 'other_server_name'],
  ['a look-alike', writtenHello(serverName('kit.example.')), 'other_server_name'],
  ['a name with more behind its end', writtenHello(serverName('kit.example\0.evil.test')), 'other_server_name'],
  ['no name', writtenHello(), 'server_name_missing'],
  ['two names', writtenHello(serverName('kit.example'), serverName('evil.test')), 'tunnel_not_tls'],
  ['something else than TLS', Buffer.from('GET / HTTP/1.1\r\n'), 'tunnel_not_tls'],
] as const)('%s ends it', (_, bytes, because) => {
  expect(readHellos(TARGET)(bytes)).toEqual({ is: 'refused', because });
});

test('a host that is an address is asked for by no name, and by no other', () => {
  const target = { host: '10.1.2.3', port: 443 };
  expect(readHellos(target)(writtenHello())).toMatchObject({ is: 'more' });
  expect(readHellos(target)(EVIL)).toEqual({ is: 'refused', because: 'other_server_name' });
});

test('records that carry nothing do not go on for ever', () => {
  const read = readHellos(TARGET);
  read(GOOD);
  expect(read(Buffer.concat(Array.from({ length: 9 }, () => CANCELLED)))).toMatchObject({ is: 'refused' });
  expect(readHellos(TARGET)(Buffer.concat([GOOD, record(Buffer.alloc(0)), EVIL]))).toMatchObject({ is: 'refused' });
});
