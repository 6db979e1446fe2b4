// The file in which the keeper of a runner's machine says for which projects its supervisor runs missions, and who may ask.
import { z } from 'zod';
import { refuse, type Verdict } from '../kernel/verdict.ts';
import { readYaml } from './yaml.ts';

const NAME = /^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/;

const Supervised = z.strictObject({
  forge: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .transform((url) => url.replace(/\/+$/, '')),
  repository: z.string().regex(NAME, 'owner/name'),
  genesis: z.string().regex(/^sha256:[0-9a-f]{64}$/, 'the fingerprint that `lazarus init --forge` printed'),
});

const SupervisorFile = z.strictObject({
  /** The number of the group whose members may ask; without it the supervisor's own user alone. */
  jobs_group: z.int().min(0).optional(),
  /** Missions that run side by side. */
  at_once: z.int().min(1).max(64).default(4),
  projects: z.array(Supervised).min(1).max(1000),
});
export type SupervisorFile = z.infer<typeof SupervisorFile>;

/** `undefined`: there is no such file. */
export function readSupervisorFile(text: string | undefined, file: string): Verdict<SupervisorFile> {
  if (text === undefined) return refuse('supervisor_file_unreadable', { file, why: 'is not there' });
  return readYaml(text, SupervisorFile, { code: 'supervisor_file_unreadable', file });
}
