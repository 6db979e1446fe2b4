// Folding packs: hundreds of appends leave a handful of packs, every object stays byte for byte, and git's own
// upkeep may run at the same time.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { collect } from '../../contract/repository.ts';
import { blob, chain } from '../../support/objects.ts';
import { git, scratchRepository } from '../../support/repos.ts';

const MAIN = 'refs/heads/lazarus/main';

async function appended(
  commits: number,
  between: (path: string, i: number) => void = () => undefined,
  blobsEach = 0,
): Promise<string> {
  const path = scratchRepository();
  const links = chain(commits).map(({ objects, commit }, i) => {
    const more = Array.from({ length: blobsEach }, (_, at) => blob(`${i} ${at}\n`));
    return { objects: [...objects, ...more], commit };
  });
  const repository = await openRepository(path);
  for (const [i, { objects, commit }] of links.entries()) {
    await repository.commit({ objects, updates: [{ ref: MAIN, old: links[i - 1]?.commit.oid, next: commit.oid }] });
    between(path, i);
  }
  // Before and after: what was folded away under a reader's feet is still found.
  const objects = links.flatMap((link) => link.objects);
  const found = await collect(repository.read(objects.map((object) => object.oid)));
  found.forEach((object, i) => expect(Buffer.compare(object.body, objects[i]!.body)).toBe(0));
  await repository.close();
  expect(git(path, ['rev-list', '--count', MAIN])).toBe(String(commits));
  expect(git(path, ['fsck', '--full', '--strict', '--no-dangling'])).toBe('');
  return path;
}

function packsIn(path: string): string[] {
  return readdirSync(join(path, '.git', 'objects', 'pack')).filter((name) => name.endsWith('.pack'));
}

describe('folding packs', () => {
  it('keeps their number small and every object', async () => {
    const path = await appended(200);
    expect(packsIn(path).length).toBeLessThan(64 + 3);
    expect(readdirSync(join(path, '.git', 'objects', 'pack')).filter((name) => /tmp/.test(name))).toEqual([]);
  });

  it('does so too where they hold more than git is told one by one', async () => {
    const path = await appended(70, undefined, 200);
    expect(packsIn(path).length).toBeLessThan(64);
  });

  it('gets along with git gc and a multi-pack-index made in between', async () => {
    await appended(140, (path, i) => {
      if (i === 30) git(path, ['multi-pack-index', 'write']);
      if (i === 90) git(path, ['repack', '-adq']);
      if (i === 110) git(path, ['gc', '-q']);
    });
  });

  it('leaves alone what somebody marked to be kept, even when the list names it', async () => {
    let kept = '';
    const path = await appended(90, (path, i) => {
      if (i !== 20) return;
      kept = packsIn(path)[0]!;
      writeFileSync(join(path, '.git', 'objects', 'pack', kept.replace(/pack$/, 'keep')), '');
    });
    expect(packsIn(path)).toContain(kept);
    expect(packsIn(path).length).toBeLessThan(64);
  });

  it('shrugs off a list that is damaged, and folds what it can find in it', async () => {
    const path = await appended(90, (path, i) => {
      const damage = `0 pack-${'0'.repeat(40)}\n../../x\n9 pack-zz\n\0\n`;
      if (i === 20) writeFileSync(join(path, '.git', 'lazarus', 'packs'), damage);
    });
    expect(packsIn(path).length).toBeLessThan(64);
  });
});
