// A shipped preset and the policy it goes into: what the preset says under each key, comments included, becomes entries of the
// policy's text. What the policy has already is kept, except an agent of that name, which is somebody else's decision. Knows
// no agent.
import type { PolicyProfile } from '../kernel/policy/profile.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { insertEntry, type Entry } from './insert-entry.ts';
import { readPolicyFile } from './policy-file.ts';

export type Placed = {
  readonly text: string;
  readonly added: readonly NamedEntry[];
  /** There already, and left as they are. */
  readonly kept: readonly NamedEntry[];
  readonly routes: readonly string[];
};

/** `as`: what the agent is going to be called, instead of the preset's own name for it. */
export function placePreset(
  policy: string | undefined,
  preset: { readonly text: string; readonly name: string; readonly as: string },
  file: string,
): Verdict<Placed> {
  const before = readPolicyFile(policy, file);
  if (before.is === 'refused') return before;
  let text = policy!;
  const added: NamedEntry[] = [];
  const kept: NamedEntry[] = [];
  for (const entry of entriesIn(preset.text)) {
    const named = entry.name === preset.name && entry.under === 'agents' ? renamed(entry, preset.as) : entry;
    if (named.under !== 'agents' && has(before.value, named)) {
      kept.push(named);
      continue;
    }
    const after = insertEntry(text, named, file);
    if (after.is === 'refused') return after;
    text = after.value;
    added.push(named);
  }
  const after = readPolicyFile(text, file);
  if (after.is === 'refused') return refuse('entry_not_inserted', after.facts);
  return accept({ text, added, kept, routes: after.value.agents[preset.as]?.routes ?? [] });
}

type NamedEntry = Entry & { readonly name: string };

const SECTION = /^(?<under>[a-z_]+):$/;
const BEGINS = /^(?:- name: )?(?<name>[a-z0-9][a-z0-9_-]*):?$/;

/** Two spaces in front of every entry, and its comments right above it: how presets are written. */
function entriesIn(preset: string): readonly NamedEntry[] {
  const entries: { under: string; name: string; text: string }[] = [];
  let under = '';
  let above = '';
  for (const line of preset.split('\n')) {
    under = SECTION.exec(line)?.groups?.['under'] ?? under;
    const inside = line.startsWith('  ') ? line.slice(2) : line === '' ? '' : undefined;
    if (inside === undefined) continue;
    const name = BEGINS.exec(inside)?.groups?.['name'];
    if (name !== undefined) entries.push({ under, name, text: above });
    const last = entries.at(-1);
    if (inside.startsWith('#')) above += `${inside}\n`;
    else if (last !== undefined) {
      last.text += `${inside}\n`;
      above = '';
    }
  }
  return entries;
}

function renamed(entry: NamedEntry, as: string): NamedEntry {
  return { ...entry, name: as, text: entry.text.replace(new RegExp(`^${entry.name}:$`, 'm'), `${as}:`) };
}

function has(profile: PolicyProfile, { under, name }: NamedEntry): boolean {
  return under === 'rules' ? profile.rules.some((rule) => rule.name === name) : Object.hasOwn(profile.routes, name);
}
