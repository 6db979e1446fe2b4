// .gitea/lazarus/sacred.yml: the paths a project adds to those that no mission touches. It can add, never take away.
// Cannot be read means that nothing may change.
import { z } from 'zod';
import { SacredEntry, SHIPPED_SACRED } from '../kernel/scope/sacred.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { readYaml } from './yaml.ts';

const ENTRIES_MAX = 64;

const SacredFile = z.strictObject({
  version: z.literal(1),
  sacred: z.array(SacredEntry).max(ENTRIES_MAX),
});

/** The shipped entries and the project's. `undefined`: there is no such file. */
export function readSacredFile(text: string | undefined, file: string): Verdict<readonly SacredEntry[]> {
  if (text === undefined) return refuse('sacred_unreadable', { file, why: 'is not there' });
  const added = readYaml(text, SacredFile, { code: 'sacred_unreadable', file });
  return added.is === 'refused' ? added : accept([...SHIPPED_SACRED, ...added.value.sacred]);
}
