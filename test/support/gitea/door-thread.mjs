// A thread of its own for a door, so that it goes on passing bytes while its test waits for a program that comes through it.
// Started by door.ts, told by messages what to do; knows no protocol: a cut falls where it falls.
import { connect, createServer } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { address } = workerData;
const passing = new Set();
let target = 0;
/** While it is shut: how many more are turned away before somebody hears of it. */
let untilHeard;

const server = createServer((outer) => {
  outer.on('error', () => outer.destroy());
  if (untilHeard !== undefined) {
    outer.destroy();
    if (--untilHeard === 0) parentPort.postMessage({ is: 'turned away' });
    return;
  }
  const inner = connect(target, address);
  join(outer, inner);
  join(inner, outer);
});

function join(from, to) {
  passing.add(from);
  from.on('error', () => from.destroy());
  from.on('end', () => to.end());
  from.on('close', () => {
    passing.delete(from);
    to.destroy();
  });
  from.pipe(to, { end: false });
}

function slam() {
  for (const socket of passing) socket.destroy();
}

parentPort.on('message', (told) => {
  switch (told.is) {
    case 'lead to':
      target = told.port;
      break;
    case 'shut':
      untilHeard = told.until;
      slam();
      break;
    case 'open':
      untilHeard = undefined;
      break;
    case 'slam':
      slam();
      break;
  }
});

server.listen(0, address, () => parentPort.postMessage({ is: 'ready', port: server.address().port }));
