// A long ledger verified with a second core: the same report, pin and snapshots as with one, and however it ends, the core
// is let go.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { verifyLedger, type Verify } from '../../../src/app/verify/verify-ledger.ts';
import type { SecondCore } from '../../../src/ports/second-core.ts';
import type { Repository } from '../../../src/ports/repository.ts';
import { buildLedger, type BuiltLedger } from '../../bench/inputs/ledger.ts';
import { git } from '../../support/repos.ts';
import { readySecondCore } from '../../support/second-core.ts';

const COMMITS = 700;
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-two-cores-')));
let ledger: BuiltLedger;
let repository: Repository;

beforeAll(async () => {
  ledger = await buildLedger(join(folder, 'ledger'), { commits: COMMITS, eventsEach: 1 });
  repository = await openRepository(ledger.path);
});

afterAll(async () => {
  await repository.close();
  rmSync(folder, { recursive: true, force: true });
});

type Watched = { links: number; asked: number; isOpen: boolean; readonly open: Verify['secondCore'] };

/** A real one, and what was asked of it. `lostAfter`: runs that it still answers. */
function watched(lostAfter = Infinity): Watched {
  const seen: Watched = {
    links: 0,
    asked: 0,
    isOpen: false,
    open: async (links) => {
      const core = await readySecondCore();
      Object.assign(seen, { links, isOpen: true });
      const verify: SecondCore['verify'] = async (signatures) => {
        seen.asked += signatures.length;
        lostAfter -= 1;
        if (lostAfter < 0) await core.close();
        return core.verify(signatures);
      };
      const close = async (): Promise<void> => {
        seen.isOpen = false;
        await core.close();
      };
      return {
        get isReady() {
          return core.isReady;
        },
        verify,
        close,
      };
    },
  };
  return seen;
}

function verify(more: Partial<Verify>) {
  return verifyLedger({ crypto: nodeCrypto, reader: repository, ref: ledger.ref, mode: 'full', ...more });
}

/** The newest commit with the signature of the one before it: by the right key, over something else. */
function forgedHead(): string {
  const read = (commit: string): string => git(ledger.path, ['cat-file', 'commit', commit]) + '\n';
  const signature = /gpgsig (?:.*\n )*.*\n/;
  const body = read(ledger.ref).replace(signature, () => signature.exec(read(`${ledger.ref}^`))![0]);
  return git(ledger.path, ['hash-object', '-t', 'commit', '-w', '--stdin'], body);
}

it('comes to the same, and is asked about every signature that can be expected', async () => {
  const core = watched();
  const both = await verify({ secondCore: core.open });
  expect(both).toEqual(await verify({}));
  expect(both.report.transactions).toBe(COMMITS);
  // The project's first commit, whose roster says which signatures to expect, is nobody's to check ahead.
  expect(core).toMatchObject({ links: COMMITS + 1, asked: COMMITS, isOpen: false });
});

it('finds the same flaw', async () => {
  const head = forgedHead();
  const core = watched();
  const { report } = await verify({ head, secondCore: core.open });
  expect(report.integrity).toMatchObject({ is: 'refused', code: 'signature_invalid', index: COMMITS - 1, oid: head });
  expect(report).toEqual((await verify({ head })).report);
  expect(core.isOpen).toBe(false);
});

it('comes to the same where the core is lost on the way', async () => {
  const core = watched(2);
  expect(await verify({ secondCore: core.open })).toEqual(await verify({}));
  expect(core.asked).toBeLessThan(COMMITS);
});

it('lets the core go where it is interrupted', async () => {
  const interrupt = new AbortController();
  const core = watched();
  let seen = 0;
  const walking = verify({
    secondCore: core.open,
    signal: interrupt.signal,
    onCommit: () => (seen += 1) === 300 && interrupt.abort(),
  });
  await expect(walking).rejects.toThrow();
  expect([seen, core.isOpen]).toEqual([300, false]);
});

it('lets the core go where whoever watches fails', async () => {
  const core = watched();
  const walking = verify({
    secondCore: core.open,
    onCommit: () => {
      throw new Error('no room to note it');
    },
  });
  await expect(walking).rejects.toThrow('no room to note it');
  expect(core.isOpen).toBe(false);
});
