// What a gate works with: its key, the forge where people read its answers, and what it may set.
import type { Member } from '../../kernel/roster/roster.ts';
import type { ForgeRepository } from '../../ports/forge.ts';
import type { Signer } from '../../ports/keys.ts';
import type { Setting } from '../mission/planning.ts';
import { projectState, type MissionWorld } from '../mission/world.ts';
import type { Shown } from '../mission/status-view.ts';
import type { PageAhead } from './ahead.ts';

export type GateDesk = {
  readonly world: MissionWorld;
  readonly signer: Signer;
  readonly forge: ForgeRepository;
  /** The forge's id of whoever writes the answers: ours are those of this author only. */
  readonly ownId: number;
  readonly shown: Shown;
  /** Without the secrets that this job knows, before it is shown to people. */
  readonly redacted: (text: string) => string;
  /** The mission of an issue, its ledger brought here; undefined where there is none. Looked up once in a turn. */
  readonly missionOf: (issue: number) => Promise<string | undefined>;
  /** An id for the next mission to be opened, which is known to be nowhere yet. */
  readonly fresh?: string;
  /** The page of the issue that this is about, for as long as this job has changed nothing. */
  readonly page?: () => PageAhead | undefined;
  readonly owner: string;
  readonly repository: string;
};

/** Keys in a forge's CI are good for tiers 0 and 1. */
const TIER_MAX_IN_CI = 1;

export function settingOf(issue: number): Setting {
  return { forge: { issue }, tierMax: TIER_MAX_IN_CI };
}

/** Whoever the roster has for an account, people or not. */
export function memberOf({ world }: GateDesk, userId: number): Member | undefined {
  return projectState(world).roster.members.find((one) => one.forge_user_id === userId);
}

/** By numeric id: a login may belong to somebody else tomorrow. Agents and services never count as people. */
export function personOf({ world }: GateDesk, userId: number): Member | undefined {
  return projectState(world).roster.members.find(
    (one) => one.forge_user_id === userId && one.roles.includes('person') && one.principal_type === 'user',
  );
}
