// The supervisor's socket and what strangers do to it: say nothing, too much, too often, read nothing, hang up. Whoever
// behaves is answered meanwhile.
import { existsSync, lstatSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDoor } from '../../../src/adapters/door/open-door.ts';
import type { Caller } from '../../../src/ports/door.ts';
import { scratch } from '../../support/repos.ts';

const QUICK = { callersMax: 3, askedWithinMs: 50, readWithinMs: 50 };
const PATIENT = { ...QUICK, askedWithinMs: 60_000, readWithinMs: 60_000 };

async function door(answer: (caller: Caller) => void, limits = PATIENT) {
  const path = join(scratch('door'), 's.sock');
  const open = await openDoor({ path }, answer, limits);
  onTestFinished(open.close);
  return path;
}

async function echo(caller: Caller): Promise<void> {
  const asked = await caller.asked;
  if (asked !== undefined) await caller.end(`heard ${asked}`);
}

function call(path: string, said?: string | Uint8Array): { socket: Socket; heard: Promise<string> } {
  const socket = connect(path);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  if (said !== undefined) socket.write(said);
  onTestFinished(() => void socket.destroy());
  return { socket, heard: new Promise((resolve) => void socket.on('close', () => resolve(text))) };
}

it('hears one line and answers it', async () => {
  const path = await door((caller) => void echo(caller));
  expect(await call(path, 'hello\n').heard).toBe('heard hello\n');
});

it('is nobody else’s to connect to, from its first moment on', async () => {
  const path = await door((caller) => void echo(caller));
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
});

it.each([
  ['never ends its line', 'a'.repeat(9000)],
  ['says a second line', 'one\ntwo\n'],
  ['says a line of nothing but bytes that are no text, without end', new Uint8Array(20_000).fill(0xff)],
])('hangs up on whoever %s', async (_, said) => {
  const path = await door((caller) => void echo(caller));
  expect(await call(path, said).heard).toBe('');
  expect(await call(path, 'hello\n').heard).toBe('heard hello\n');
});

it('hangs up on whoever says nothing for long', async () => {
  const path = await door((caller) => void echo(caller), QUICK);
  expect(await call(path, 'half').heard).toBe('');
});

it('takes no more callers at once than it has room for, and others when they are gone', async () => {
  const told: (() => void)[] = [];
  const path = await door((caller) => void caller.asked.then(() => told.push(() => void caller.end('done'))));
  const inside = Array.from({ length: 3 }, () => call(path, 'wait\n'));
  await until(() => told.length === 3);
  expect(await call(path, 'one too many\n').heard).toBe('');
  told.forEach((end) => end());
  expect(await Promise.all(inside.map(({ heard }) => heard))).toEqual(['done\n', 'done\n', 'done\n']);
  const later = call(path, 'later\n');
  await until(() => told.length === 4);
  told[3]!();
  expect(await later.heard).toBe('done\n');
});

it.each([
  ['hangs up', (socket: Socket) => socket.destroy()],
  ['ends what it says', (socket: Socket) => socket.end()],
  ['goes on talking', (socket: Socket) => socket.write('more\n')],
])('is told that a caller leaves who %s', async (_, leave) => {
  let left: (() => void) | undefined;
  const hasLeft = new Promise<void>((resolve) => (left = resolve));
  const path = await door((caller) => {
    caller.leaving.addEventListener('abort', () => {
      left?.();
      void caller.end('gone');
    });
    void caller.asked.then(() => caller.tell('well?'));
  });
  const { socket } = call(path, 'hello\n');
  socket.once('data', () => leave(socket));
  await hasLeft;
});

it('says goodbye to one that reads nothing, and does not wait for it', async () => {
  const path = await door(() => undefined);
  expect(existsSync(path)).toBe(true);
  let over: (() => void) | undefined;
  const isOver = new Promise<void>((resolve) => (over = resolve));
  const deaf = await door((caller) => {
    void caller.asked.then(async () => {
      // Far more than a socket holds: what nobody reads is dropped, but for the last line.
      for (let i = 0; i < 100_000; i++) caller.tell('x'.repeat(100));
      await caller.end('bye');
      over?.();
    });
  }, QUICK);
  const { socket } = call(deaf);
  socket.pause();
  socket.write('hello\n');
  await isOver;
});

it('takes the place of one that was killed, of nothing else', async () => {
  const folder = scratch('door');
  const path = join(folder, 's.sock');
  const first = await openDoor({ path }, () => undefined, PATIENT);
  await expect(openDoor({ path }, () => undefined, PATIENT)).rejects.toMatchObject({ code: 'supervisor_unfit' });
  await first.close();
  const file = join(folder, 'file');
  writeFileSync(file, 'mine');
  await expect(openDoor({ path: file }, () => undefined, PATIENT)).rejects.toMatchObject({ code: 'supervisor_unfit' });
});

async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((resolve) => setImmediate(resolve));
}
