// A long ledger verified with a second core: the same report, pin and snapshots as with one, and however it ends, the core
// is let go.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { startSecondCore } from '../../../src/adapters/system/second-core.ts';
import { verifyLedger, type Verify } from '../../../src/app/verify/verify-ledger.ts';
import type { SecondCore, SpareCore } from '../../../src/ports/second-core.ts';
import type { Repository } from '../../../src/ports/repository.ts';
import { buildLedger, type BuiltLedger } from '../../bench/inputs/ledger.ts';
import { git } from '../../support/repos.ts';
import { patientSecondCore, THREAD } from '../../support/second-core.ts';

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

type Watched = { asked: number; taken: number; isOpen: boolean; readonly spare: SpareCore };

/** A real one, and what was asked of it and taken from it. */
function watched(open: () => Promise<SecondCore> = patientSecondCore, signaturesMin = 1): Watched {
  const seen: Watched = {
    asked: 0,
    taken: 0,
    isOpen: false,
    spare: {
      signaturesMin,
      open: async () => {
        const core = await open();
        seen.isOpen = true;
        return {
          check: (run) => {
            seen.asked += run.length;
            const answers = core.check(run);
            return {
              take: (i) => {
                const answer = answers.take(i);
                if (answer !== undefined) seen.taken += 1;
                return answer;
              },
            };
          },
          close: async () => {
            seen.isOpen = false;
            await core.close();
          },
        };
      },
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
  const both = await verify({ spareCore: core.spare });
  expect(both).toEqual(await verify({}));
  expect(both.report.transactions).toBe(COMMITS);
  // The project's first commit, whose roster says which signatures to expect, is nobody's to check ahead.
  expect(core).toMatchObject({ asked: COMMITS, taken: COMMITS, isOpen: false });
});

it('finds the same flaw', async () => {
  const head = forgedHead();
  const core = watched();
  const { report } = await verify({ head, spareCore: core.spare });
  expect(report.integrity).toMatchObject({ is: 'refused', code: 'signature_invalid', index: COMMITS - 1, oid: head });
  expect(report).toEqual((await verify({ head })).report);
  expect(core.isOpen).toBe(false);
});

it('comes to the same where both check what the other has not come to, and where the core is lost on the way', async () => {
  const beside = watched(() => startSecondCore(THREAD));
  expect(await verify({ spareCore: beside.spare })).toEqual(await verify({}));
  const lost = watched(async () => {
    const core = await patientSecondCore();
    let runs = 0;
    const check: SecondCore['check'] = (run) => {
      runs += 1;
      return runs > 2 ? { take: () => undefined } : core.check(run);
    };
    return { ...core, check };
  });
  expect(await verify({ spareCore: lost.spare })).toEqual(await verify({}));
  expect(lost.taken).toBeGreaterThan(0);
  expect(lost.taken).toBeLessThan(COMMITS);
});

it('opens one for a ledger that is long enough, before all of it is found, and none for a shorter one', async () => {
  const short = watched(patientSecondCore, COMMITS + 2);
  await verify({ spareCore: short.spare });
  expect(short.asked).toBe(0);
  let isStarted = false;
  let openedBefore: boolean | undefined;
  const long = watched(() => {
    openedBefore = !isStarted;
    return patientSecondCore();
  }, COMMITS);
  await verify({ spareCore: long.spare, onStart: () => (isStarted = true) });
  expect([openedBefore, long.asked]).toEqual([true, COMMITS]);
});

it('lets the core go where the commits cannot be found', async () => {
  const core = watched();
  const reader = await openRepository(ledger.path);
  const history = reader.history.bind(reader);
  reader.history = async function* (head) {
    for await (const commit of history(head)) {
      if (core.isOpen) throw new Error('no disk any more');
      yield commit;
    }
  };
  await expect(verify({ reader, spareCore: core.spare })).rejects.toThrow('no disk any more');
  await reader.close();
  expect(core.isOpen).toBe(false);
});

it('lets the core go where it is interrupted', async () => {
  const interrupt = new AbortController();
  const core = watched();
  let seen = 0;
  const walking = verify({
    spareCore: core.spare,
    signal: interrupt.signal,
    onCommit: () => (seen += 1) === 300 && interrupt.abort(),
  });
  await expect(walking).rejects.toThrow();
  expect([seen, core.isOpen]).toEqual([300, false]);
});

it('lets the core go where whoever watches fails', async () => {
  const core = watched();
  const walking = verify({
    spareCore: core.spare,
    onCommit: () => {
      throw new Error('no room to note it');
    },
  });
  await expect(walking).rejects.toThrow('no room to note it');
  expect(core.isOpen).toBe(false);
});
