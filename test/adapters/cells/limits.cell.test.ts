// Cells that never end, never stop printing, eat memory, processes and disk, or try to stay: each is ended for a named
// reason, and nothing of it is left.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { passableScratch, project, runIn, spawnIn, testCells } from '../../support/cells.ts';

const MB = 1 << 20;

test('a cell that ignores every signal and forks away ends when its time is up, with all it started', async () => {
  const cells = await testCells();
  const { cell, exit } = await runIn(
    cells,
    `trap '' TERM INT HUP; (setsid sh -c 'sleep 300' &) ; (setsid sh -c '(sleep 301 &) ; sleep 302' &); echo up; kill -STOP $$; sleep 303`,
    { limits: { wallMs: 1500 } },
  );
  expect(exit.reason).toBe('timeout');
  expect(exit.usage.wallMs).toBeGreaterThanOrEqual(1500);
  expect(await cell.close()).toMatchObject({ processes: 0, folders: 0 });
});

test('a daemon that outlives the participant does not outlive the cell', async () => {
  const { cell, exit } = await runIn(await testCells(), '(setsid sleep 304 >/dev/null 2>&1 &); exit 0');
  expect(exit).toMatchObject({ reason: 'exited', code: 0 });
  expect(await cell.close()).toMatchObject({ processes: 0 });
});

test('ten megabytes of output end the cell; what is passed on stays below the limit', async () => {
  const { cell, out, exit } = await runIn(await testCells(), 'yes | head -c 10000000; echo never; sleep 60');
  expect(exit.reason).toBe('output_limit');
  expect(out.length).toBeLessThanOrEqual(8 * MB);
  expect(out).not.toContain('never');
  await cell.close();
});

test('a line without end and bytes that are no text are taken as they come', async () => {
  const { cell, out } = await runIn(
    await testCells(),
    String.raw`printf '\033[2Jabc\377\376'; head -c 300000 /dev/zero | tr '\0' x`,
  );
  expect(out.startsWith('\u001b[2Jabc\ufffd\ufffdxxx')).toBe(true);
  expect(out).toHaveLength(300_009);
  await cell.close();
});

test('memory: the cell is ended, the machine is not', async () => {
  const eat = `perl -e 'my @a; push @a, "x" x 1048576 for 1..400; print "ate\\n"'`;
  const { cell, out, exit } = await runIn(await testCells(), eat, { limits: { memoryBytes: 64 * MB } });
  expect(out).toBe('');
  // Without control groups the allocation itself fails, and the participant says so.
  expect(exit.reason).toBe(cell.facts.limits.memory === 'hard' ? 'memory_limit' : 'exited');
  expect(exit.code).not.toBe(0);
  await cell.close();
});

test('processes: a fork bomb runs into its limit', async () => {
  const bomb = `perl -e '$| = 1; my $n = 0; while ($n < 200) { my $p = fork; last unless defined $p; if (!$p) { sleep 30; exit } $n++ } print "$n\\n"; kill 9, -1'`;
  const { cell, out } = await runIn(await testCells(), bomb, { limits: { pids: 30 } });
  expect(Number(out)).toBeGreaterThan(5);
  expect(Number(out)).toBeLessThan(31);
  await cell.close();
});

test('temporary places and single files are bounded', async () => {
  const { cell, out } = await runIn(
    await testCells(),
    `dd if=/dev/zero of=/tmp/x bs=1M count=20 2>&1 | grep -o 'No space left' ; dd if=/dev/zero of=/dev/shm/x bs=1M count=80 2>&1 | grep -o 'No space left'
     dd if=/dev/zero of=/run/lazarus/x bs=1M count=3 2>&1 | grep -o 'No space left'
     (dd if=/dev/zero of=/cell/project/x bs=1M count=75 2>/dev/null; true); stat -c %s /cell/project/x; ulimit -c`,
    { limits: { temporaryBytes: 8 * MB, fileBytes: 70 * MB, memoryBytes: 512 * MB } },
  );
  expect(out).toBe(`No space left\nNo space left\nNo space left\n${70 * MB}\n0\n`);
  await cell.close();
});

test('the disk: a cell that takes more than its share is ended', async () => {
  const fill = 'i=0; while :; do head -c 8000000 /dev/urandom > f$i; i=$((i+1)); sleep 0.02; done';
  const { cell, exit } = await runIn(await testCells(), fill, { limits: { diskBytes: 64 * MB, wallMs: 60_000 } });
  expect(exit.reason).toBe('disk_limit');
  expect(await cell.close()).toMatchObject({ folders: 0 });
});

test('what the cell leaves on its disk is removed, however it is left', async () => {
  const folder = passableScratch();
  const cells = await testCells(folder);
  const { cell, err, exit } = await runIn(
    cells,
    String.raw`mkdir -p locked/in; touch locked/in/f; chmod 000 locked/in locked
     touch "$(printf 'bad\377name')" "$(printf 'new\nline')" -- -rf; ln -s / root; mkfifo pipe
     perl -e 'for (1..4000) { mkdir "d" or die; chdir "d" or die }'
     touch /tmp/x /dev/shm/x`,
    { project: project({ 'a.txt': 'x\n' }) },
  );
  expect({ err, code: exit.code }).toEqual({ err: '', code: 0 });
  const residue = await cell.close();
  expect(Object.values(residue)).toEqual(Array(8).fill(0));
  expect(readdirSync(join(folder, 'cells'))).toEqual([]);
});

test('closing ends what still runs; closing twice is closing once', async () => {
  const cells = await testCells();
  const cell = await spawnIn(cells, { command: { argv: ['sleep', '300'] } });
  const residue = await cell.close();
  expect((await cell.exit).reason).toBe('killed');
  expect(Object.values(residue)).toEqual(Array(8).fill(0));
  expect(await cell.close()).toBe(residue);
});

test('whoever makes cells stays in the control groups it was put into, and can still be held to them', async () => {
  const groups = (): string => readFileSync('/proc/self/cgroup', 'utf8');
  const before = groups();
  const cells = await testCells();
  const cell = await spawnIn(cells, { command: { argv: ['sleep', '300'] } });
  expect(groups()).toBe(before);
  const { cgroups } = await cell.close();
  expect({ cgroups, groups: groups() }).toEqual({ cgroups: 0, groups: before });
});

test('many cells at once: each is held to its own limits, says what is its own, and learns of no other', async () => {
  const cells = await testCells();
  const say = (i: number): string => `echo cell ${i}; ulimit -n; readlink /proc/self/fd/1 /proc/self/fd/2 >&2`;
  const ran = await Promise.all(
    Array.from({ length: 6 }, (_, i) => runIn(cells, say(i), { limits: { openFiles: 100 + i } })),
  );
  expect(ran.map(({ out }) => out)).toEqual(Array.from({ length: 6 }, (_, i) => `cell ${i}\n${100 + i}\n`));
  // Its pipes may have been made while others were: their names are the one thing it sees of that time.
  const ids = ran.map(({ cell }) => cell.id);
  expect(ran.filter(({ err }) => err === '' || ids.some((id) => err.includes(id)))).toEqual([]);
  for (const { cell } of ran) expect(Object.values(await cell.close())).toEqual(Array(8).fill(0));
});
