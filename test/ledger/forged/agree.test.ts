// One answer everywhere: with git and without it, with one core and with two, with one cryptography and another, from
// history and from the newest commit alone. What sees less refuses less, but never what a full verification accepts.
import fs, { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { openReader } from '../../../src/adapters/isomorphic/reader.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { verifyHead } from '../../../src/app/verify/verify-head.ts';
import { checkBundle } from '../../../src/ledger/bundle.ts';
import { nobleCrypto } from '../../../src/portable/noble-crypto.ts';
import { hex } from '../../../src/format/bytes.ts';
import type { Crypto } from '../../../src/format/crypto.ts';
import type { RepositoryReader } from '../../../src/ports/repository.ts';
import type { SecondCore, SpareCore } from '../../../src/ports/second-core.ts';
import type { ReasonCode } from '../../../src/reasons.ts';
import { frozenHeads, ledgerRepository, rebuiltGolden, thaw, type Heads } from '../../support/forge/frozen.ts';
import { LEDGER_REF, type Golden, type MissionWord } from '../../support/forge/golden.ts';
import { proofOf } from '../../support/forge/proof.ts';
import { git } from '../../support/repos.ts';
import { patientSecondCore } from '../../support/second-core.ts';
import { ATTACKS } from './attacks/index.ts';
import { answer, verified, type Answer } from './judge.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-agree-')));
const store = folder();
const LEDGERS = Object.keys(LEDGER_REF) as (MissionWord | 'project')[];
let golden: Golden;
let heads: Heads;
let second: SecondCore;
const answeredBeside: boolean[] = [];

beforeAll(async () => {
  golden = rebuiltGolden();
  heads = frozenHeads();
  thaw(store);
  second = await patientSecondCore();
});

afterAll(async () => {
  await second.close();
  rmSync(root, { recursive: true, force: true });
});

/** What a commit alone does not show, beside the state of its mission: where it stands in history. */
const TAKES_HISTORY: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  // Garbage below a whole head.
  'commit_unsigned',
  // Of which mission a first commit's name is.
  'ledger_genesis_mismatch',
  'prev_size_mismatch',
  'project_halted',
  'project_head_decreased',
  'repair_mismatch',
  'repair_of_valid',
  'transaction_duplicate',
]);

describe('every head that a good ledger ever had', () => {
  it.each(LEDGERS)('is whole alone, in %s', async (ledger) => {
    const repository = folder();
    ledgerRepository(repository, store, heads.golden);
    const reader = await openRepository(repository);
    const oids = await commitsOf(reader, ledger);
    const sampled = oids.filter((_, i) => i % Math.ceil(oids.length / 40) === 0 || i === oids.length - 1);
    for (const head of sampled) expect(await headAnswer(reader, ledger, head)).toEqual({ is: 'accepted', head });
    await reader.close();
  });

  // Rosters change in these two; a clone of depth 1 has nothing but the tree to tell the one before.
  it.each(['project', 'cut', 'repaired', 'sealed'] as const)(
    'is whole in a clone that has nothing else, in %s',
    async (ledger) => {
      const repository = folder();
      ledgerRepository(repository, store, heads.golden);
      const reader = await openRepository(repository);
      const oids = await commitsOf(reader, ledger);
      await reader.close();
      for (const head of oids) {
        const shallow = folder();
        git(shallow, ['init', '-q', '--bare', '.']);
        git(repository, ['update-ref', LEDGER_REF[ledger], head]);
        git(shallow, [
          'fetch',
          '-q',
          '--depth=1',
          `file://${repository}`,
          `+${LEDGER_REF[ledger]}:${LEDGER_REF[ledger]}`,
        ]);
        const alone = await openRepository(shallow);
        expect(await headAnswer(alone, ledger, head)).toEqual({ is: 'accepted', head });
        await alone.close();
      }
    },
  );
});

describe('a forged ledger', () => {
  it.concurrent.each(ATTACKS.map((attack) => [attack.name, attack] as const))('%s', async (_, attack) => {
    const forgery = attack.forge(golden);
    const repository = folder();
    ledgerRepository(repository, store, { project: heads.golden.project, [forgery.ledger]: forgery.head });
    forgery.tamper?.(repository);
    const reader = await openRepository(repository);
    const full = await answer(reader, forgery.ledger, {});
    expect(await answer(reader, forgery.ledger, { spareCore: beside })).toEqual(full);
    const head = await headAnswer(reader, forgery.ledger, forgery.head);
    await reader.close();
    const withoutGit = await answer(await openReader({ fs, gitdir: repository }), forgery.ledger, {});
    expect(promised(withoutGit)).toEqual(promised(full));
    // A repository that cannot have the whole history may still show its newest commit.
    if (full.is !== 'stopped') {
      if (full.is !== 'refused') expect(head.is).toBe('accepted');
      else if (head.is === 'accepted')
        expect(TAKES_HISTORY.has(full.code) || attack.bundle.is === 'not_visible', full.code).toBe(true);
    }
    const proof = proofOf(golden.bench, forgery);
    expect(checkBundle(portable, proof)).toEqual(checkBundle(nodeCrypto, proof));
  });
});

it('was checked beside this core as well, with good signatures and bad ones', () => {
  expect(new Set(answeredBeside)).toEqual(new Set([true, false]));
});

const verifiedBefore = new Map<string, boolean>();
/** Asked once about each signature: hundreds of forgeries end in the same good ones, and it takes thirty times as long as Node’s. */
const portable: Crypto = {
  ...nobleCrypto,
  verifyEd25519: (...asked) => {
    const key = asked.map(hex).join(' ');
    const isValid = verifiedBefore.get(key) ?? nobleCrypto.verifyEd25519(...asked);
    verifiedBefore.set(key, isValid);
    return isValid;
  },
};

/** The one thread for all of them: closed when they are through. */
const beside: SpareCore = {
  signaturesMin: 1,
  open: () =>
    Promise.resolve({
      check: (run) => {
        const answers = second.check(run);
        return {
          take: (i) => {
            const answer = answers.take(i);
            answeredBeside.push(answer!);
            return answer;
          },
        };
      },
      close: () => Promise.resolve(),
    }),
};

/** Where several rules fail at one index, the code is advice. */
function promised(given: Answer): unknown {
  if (given.is !== 'refused') return given;
  const { is, ledger, index } = given;
  return { is, ledger, index };
}

async function headAnswer(reader: RepositoryReader, ledger: (typeof LEDGERS)[number], head: string): Promise<Answer> {
  const { integrity } = await verifyHead({ crypto: nodeCrypto, reader, ref: LEDGER_REF[ledger], head });
  return integrity.is === 'ok' ? { is: 'accepted', head } : integrity;
}

async function commitsOf(reader: RepositoryReader, ledger: (typeof LEDGERS)[number]): Promise<readonly string[]> {
  const oids: string[] = [];
  const kind = ledger === 'project' ? 'project' : 'mission';
  await verified(reader, ledger, { onCommit: (seen) => void (seen.ledger === kind && oids.push(seen.oid)) });
  return oids;
}

function folder(): string {
  return mkdtempSync(join(root, 'repo-'));
}
