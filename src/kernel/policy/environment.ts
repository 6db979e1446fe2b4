// What a project's commands need and its tree does not hold: toolchains of the host, and what is prepared once from named
// files. Says what may be done; who does it, where, and what is kept of it is somebody else's.
import { z } from 'zod';
import { AllowedHost, HOSTS_MAX } from '../network/hosts.ts';
import { Argv, Minutes } from '../proposal/proposal.ts';
import { PathGlob } from '../values.ts';

const COMMANDS_MAX = 16;
const FILES_MAX = 64;
const PLACES_MAX = 16;
const GIVEN_CHARACTERS_MAX = 64 * 1024;
const MEGABYTES_MAX = 64 * 1024;

/** A path of the tree, spelled out: it is mounted on, looked for and digested, never matched. */
export const TreePath = PathGlob.refine((path) => !/[*?!]/.test(path), 'is a plain path').refine(
  (path) => path.split('/')[0] !== '.git',
  'lies in .git',
);
/** A folder of the host, read-only inside at the same place. */
export const ToolFolder = z
  .string()
  .regex(/^(?:\/[A-Za-z0-9._+-]+){2,}$/, 'is written as an absolute path below a folder');

export const Environment = z
  .strictObject({
    tools: z.array(ToolFolder).max(PLACES_MAX).default([]),
    /** All that the commands see of the tree. */
    files: z.array(TreePath).max(FILES_MAX).default([]),
    /** Files that stand in the policy itself, such as the lock file of an agent's own package. */
    given: z.record(TreePath, z.string().max(GIVEN_CHARACTERS_MAX)).default({}),
    /** Run in this order, with these hosts and no others. Install scripts stay off. */
    prepare: z.array(Argv).max(COMMANDS_MAX).default([]),
    hosts: z.array(AllowedHost).max(HOSTS_MAX).default([]),
    /** Run after that without any network: where install scripts of packages that are named here belong. */
    offline: z.array(Argv).max(COMMANDS_MAX).default([]),
    /** What they make, and where cells find it again. */
    makes: z.array(TreePath).max(PLACES_MAX).default([]),
    /** Folders below it that commands must write into: empty and thrown away in every cell. */
    writable: z.array(TreePath).max(PLACES_MAX).default([]),
    /** In front of the search path: folders of the tree (`node_modules/.bin`) or of the tools. */
    path: z
      .array(z.union([TreePath, ToolFolder]))
      .max(PLACES_MAX)
      .default([]),
    minutes: Minutes.default(10),
    megabytes: z.int().min(1).max(MEGABYTES_MAX).default(2048),
  })
  .refine(({ prepare, offline, makes }) => makes.length > 0 || prepare.length + offline.length === 0, {
    path: ['makes'],
    message: 'is empty: nothing that these commands make would be kept',
  })
  .refine(({ writable, makes }) => writable.every((path) => makes.some((made) => path.startsWith(`${made}/`))), {
    path: ['writable'],
    message: 'lies outside of what is made',
  });
export type Environment = z.infer<typeof Environment>;
