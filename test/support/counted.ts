// A command of the built program, run with a count of how often it verified which commit: by the signatures it checked.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRepository } from '../../src/adapters/git/repository.ts';
import { LEDGER_REFS } from '../../src/ledger/names.ts';
import type { Ran } from './cli.ts';
import { messageOf } from './verifications.ts';
import type { Workshop } from './workshop.ts';

const COUNTER = new URL('count-signatures.mjs', import.meta.url).href;

export type Counted = { readonly ran: Ran; readonly times: (ref: string) => readonly number[] };

/** `times`: how often each commit of a ledger was verified, as it stood before the command; its first commit first. */
export async function counted(at: Workshop, args: readonly string[]): Promise<Counted> {
  const before = await messages(at);
  const file = join(at.home, 'checked.txt');
  writeFileSync(file, '');
  const ran = await at.run(args, { nodeArgs: ['--import', COUNTER], env: { CHECKED_MESSAGES: file } });
  const checked = new Map<string, number>();
  for (const line of readFileSync(file, 'utf8').split('\n')) checked.set(line, (checked.get(line) ?? 0) + 1);
  rmSync(file);
  return { ran, times: (ref) => before.get(ref)!.map((message) => checked.get(message) ?? 0) };
}

async function messages(at: Workshop): Promise<ReadonlyMap<string, readonly string[]>> {
  const repository = await openRepository(at.folder);
  const found = new Map<string, readonly string[]>();
  try {
    for (const { ref, oid } of await repository.list(LEDGER_REFS)) {
      const all: string[] = [];
      for await (const commit of repository.history(oid)) all.unshift(messageOf(commit));
      found.set(ref, all);
    }
  } finally {
    await repository.close();
  }
  return found;
}
