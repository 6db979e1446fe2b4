// Keeps one program running for as long as somebody holds our standard input, then ends it and all that it started:
// a test that dies, however it dies, leaves nothing behind. Started by kept.ts; understands no program in particular.
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

const GRACE_MS = 3_000;
const { program, args, cwd, uid, gid, mark } = JSON.parse(process.argv[1]);

const child = spawn(program, args, {
  cwd,
  env: { ...process.env, LAZARUS_KEPT: mark },
  stdio: ['ignore', 'inherit', 'inherit'],
  ...(uid === undefined ? {} : { uid, gid }),
});
child.once('error', () => process.exit(127));
child.once('exit', (code) => {
  sweep();
  process.exit(code ?? 1);
});

// Any word at all means: at once, as when a machine loses its power, and nobody is told.
process.stdin.on('data', () => child.kill('SIGKILL'));
process.stdin.once('end', end);
process.stdin.once('error', end);
// Whoever interrupts the tests interrupts them, not us: we end when they do.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

function end() {
  child.kill('SIGTERM');
  setTimeout(() => {
    sweep();
    process.kill(-process.pid, 'SIGKILL');
  }, GRACE_MS);
}

/** Jobs leave the process group, but what they run inherits the mark in its environment. */
function sweep() {
  for (let found = true; found;) {
    found = false;
    for (const pid of marked()) {
      try {
        process.kill(pid, 'SIGKILL');
        found = true;
      } catch {
        // It ended by itself.
      }
    }
  }
}

function marked() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => environment(pid).split('\0').includes(`LAZARUS_KEPT=${mark}`))
      .map(Number);
  } catch {
    return []; // no /proc on this system
  }
}

function environment(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}
