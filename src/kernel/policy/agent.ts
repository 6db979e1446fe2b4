// An agent as policy knows it: its command, how it is told what to do, what it may reach, and what configures it. A list of
// arguments alone is an agent that reads files and reaches nothing.
import { z } from 'zod';
import { AllowedHost, HOSTS_MAX, RouteName } from '../network/hosts.ts';
import { Argv } from '../proposal/proposal.ts';
import { Glob } from '../scope/globs.ts';
import { Environment, TreePath } from './environment.ts';

const ROUTES_MAX = 8;
const HOME_FILES_MAX = 16;
const HOME_FILE_CHARACTERS_MAX = 16 * 1024;
const CONFIGURING_MAX = 32;

const Configuring = Glob.refine((glob) => !glob.startsWith('!'), 'takes away; say which files configure it');
const VariableName = z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/);

export const AgentDefinition = z.strictObject({
  command: Argv,
  /** `file`: at /cell/.lazarus/brief.md, as for every agent; or on its input as well, or as its last argument. */
  brief: z.enum(['file', 'input', 'argument']).default('file'),
  /** The agent's own program, prepared like dependencies and mounted at /cell/agent. */
  install: Environment.optional(),
  routes: z.array(RouteName).max(ROUTES_MAX).default([]),
  hosts: z.array(AllowedHost).max(HOSTS_MAX).default([]),
  env: z.record(VariableName, z.string().max(1000)).default({}),
  /** Placed in its home before it starts; it may change them, and they are gone with the cell. */
  home: z
    .record(TreePath, z.string().max(HOME_FILE_CHARACTERS_MAX))
    .refine((files) => Object.keys(files).length <= HOME_FILES_MAX, 'has too many files')
    .default({}),
  /** Files of the tree that tell this agent what to do. Sacred, and not there for it unless the base's are trusted. */
  configured_by: z.array(Configuring).max(CONFIGURING_MAX).default([]),
  trusts_base: z.boolean().default(false),
  /** The version that this was written for and tried with. */
  version: z.string().max(64).optional(),
});
export type AgentDefinition = z.infer<typeof AgentDefinition>;

export const Agent = z.union([Argv.transform((command) => AgentDefinition.parse({ command })), AgentDefinition]);
export type Agent = AgentDefinition;
