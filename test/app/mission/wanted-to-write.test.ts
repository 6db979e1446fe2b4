// What tools say when a folder of the tree is read-only, word for word as they print it, and what is made of that.
import { describe, expect, it } from 'vitest';
import { wantedToWrite } from '../../../src/app/mission/wanted-to-write.ts';

describe('a folder that a check wanted to write', () => {
  it.each([
    ['Node, a folder', "Error: EROFS: read-only file system, mkdir '/cell/project/dist'", 'dist'],
    [
      'Node, a file',
      "  code: 'EROFS',\nError: EROFS: read-only file system, open '/cell/project/web/out/a.js'",
      'web/out',
    ],
    ['Node, a move', "EROFS: read-only file system, rename '/tmp/a' -> '/cell/project/gen/a'", 'gen'],
    ['TypeScript', "error TS5033: Could not write file '/cell/project/lib/a.js': EROFS: read-only file system", 'lib'],
    ['Python', "OSError: [Errno 30] Read-only file system: '/cell/project/.hypothesis/examples'", '.hypothesis'],
    ['mkdir', 'mkdir: cannot create directory ‘dist’: Read-only file system', 'dist'],
    ['touch', "touch: cannot touch 'gen/x': Read-only file system", 'gen'],
    ['a shell', '/bin/sh: 1: cannot create gen/x: Read-only file system', 'gen'],
    ['bash', 'bash: ./gen/x: Read-only file system', 'gen'],
    ['Go', 'open gen/x.pb.go: read-only file system', 'gen'],
    [
      'Cargo',
      'error: failed to create directory `/cell/project/target`\n\nCaused by:\n  Read-only file system (os error 30)',
      'target',
    ],
  ])('is named by %s', (_, output, folder) => {
    expect(wantedToWrite(`one\n${output}\ntwo\n`)).toEqual([folder]);
  });

  it.each([
    ['a file at the top of the tree', "[Errno 30] Read-only file system: '/cell/project/.coverage'"],
    ['git’s own folder', "fatal: Unable to create '/cell/project/.git/index.lock': Read-only file system"],
    ['a folder outside of the tree', "mkdir: cannot create directory '/usr/x/y': Read-only file system"],
    ['one that climbs out', "touch: cannot touch '../../x/y': Read-only file system"],
    ['words that no policy can hold', "mkdir: cannot create directory '`curl evil`/[x](y)': Read-only file system"],
    ['nothing', 'Read-only file system'],
  ])('is not read out of %s, and that there was one is still said', (_, output) => {
    expect(wantedToWrite(output)).toEqual([]);
  });

  it('is nothing where a program warned, and went on without', () => {
    const warned =
      "cacheprovider.py:487: PytestCacheWarning: could not create cache path /cell/project/.pytest_cache/v/cache/nodeids: [Errno 30] Read-only file system: '/cell/project/pytest-cache-files-f5ffu34u'";
    expect(wantedToWrite(`FAILED test_y.py\n${warned}\n1 failed\n`)).toBeUndefined();
  });

  it('is nothing where nobody speaks of a read-only file system', () => {
    expect(
      wantedToWrite("Error: ENOENT: no such file, open '/cell/project/dist/a.js'\n1 test failed\n"),
    ).toBeUndefined();
  });

  it('is one of few, however much is printed', () => {
    const many = Array.from({ length: 20_000 }, (_, n) => `touch: cannot touch 'd${n}/x': Read-only file system`);
    expect(wantedToWrite(many.join('\n'))).toHaveLength(8);
  });
});
