// What a roster holds and what a document would change, in words: a person signs what is read here, so everything that
// takes effect is said and nothing is left to a digest.
import { jcs } from '../../format/jcs.ts';
import type { EncryptTo, Member, Roster, RosterKey } from '../../kernel/roster/roster.ts';
import { missionName } from '../../kernel/values.ts';
import type { Matter } from '../../app/threshold/threshold-draft.ts';
import type { RootRisk } from '../../app/threshold/electorate.ts';
import type { Line } from './output.ts';

export function matterLines(matter: Matter, current: Roster): Line[] {
  switch (matter.purpose) {
    case 'roster':
      return rosterChanges(current, matter.document);
    case 'cut-off': {
      const { fingerprint, heads, project_id } = matter.document;
      const believed = heads.map(
        ({ head, ledger_id }) => `  in ${nameOf(ledger_id, project_id)} it is believed up to size ${head.size}`,
      );
      const elsewhere =
        heads.length === 0
          ? '  it is believed in no ledger at all'
          : '  in every other ledger it is not believed at all';
      return [
        `key ${fingerprint} of ${ownerOf(current, fingerprint)} is cut off: it signs nothing more`,
        ...believed,
        elsewhere,
      ];
    }
    case 'annotation': {
      const { fingerprint, from, until, judgement, ledger_id } = matter.document;
      const owner = ownerOf(current, fingerprint);
      return [
        `in ${nameOf(ledger_id, current.project_id)}, what key ${fingerprint} of ${owner} signed is ${judgement}`,
        `  events ${from}..${until - 1}`,
      ];
    }
    case 'seal':
      return [
        `${nameOf(matter.document.ledger_id, current.project_id)}: nothing can be appended to it any more, by anybody`,
      ];
    case 'repair': {
      const { foreign_count, foreign_tip, ledger_id, valid_head } = matter.document;
      return [
        `${nameOf(ledger_id, current.project_id)} goes on from ${valid_head.oid} (size ${valid_head.size})`,
        `  left behind, and kept in history: ${foreign_count} foreign ${foreign_count === 1 ? 'commit' : 'commits'} up to ${foreign_tip}`,
      ];
    }
  }
}

export function memberRow(member: Member): string[] {
  const { principal_id, principal_type, person_id, layer, roles, forge_user_id } = member;
  const facts = [principal_type, layer, roles.join(','), `person ${person_id ?? '-'}`];
  return [principal_id, ...facts, forge_user_id === null ? '' : `forge user ${forge_user_id}`];
}

export function keyWords(key: RosterKey, isCutOff: boolean): string {
  const validity = key.until === null ? `from index ${key.from}` : `from index ${key.from} until ${key.until}`;
  return `${key.fingerprint}  ${validity}${isCutOff ? ', cut off' : ''}`;
}

export function encryptionWords({ fingerprint }: EncryptTo): string {
  return `encryption key ${fingerprint}`;
}

/** How many root keys may be lost, said plainly; louder when it is too late. */
export function riskLine({ threshold, persons, losable }: RootRisk): Line {
  const holders = `${count(persons.length, 'person holds', 'persons hold')} a lasting root key (${persons.join(', ')})`;
  if (losable === 0) {
    const text = `${holders}, and ${threshold} are needed: this roster can never be changed again. Begin a new project ledger with roots that are all at hand.`;
    return { text, style: 'red' };
  }
  // Nobody votes on the cut-off of their own key: with no one to spare, a thief keeps it.
  const loss =
    losable === 1 ? 'if one of them loses it, and none of their keys can be cut off' : `if ${losable} of them lose it`;
  return { text: `${holders}; ${threshold} must sign. It can never be changed again ${loss}.`, style: 'yellow' };
}

function nameOf(ledgerId: string, projectId: string): string {
  return ledgerId === projectId ? 'project' : missionName(ledgerId);
}

function ownerOf(roster: Roster, fingerprint: string): string {
  const owner = roster.members.find((member) => member.keys.some((key) => key.fingerprint === fingerprint));
  return owner?.principal_id ?? 'nobody on the roster';
}

function rosterChanges(before: Roster, after: Roster): Line[] {
  const lines: Line[] = [`roster ${before.n} becomes roster ${after.n}`];
  for (const member of after.members) {
    const old = before.members.find((one) => one.principal_id === member.principal_id);
    lines.push(...(old === undefined ? added(member) : changed(old, member)));
  }
  for (const { principal_id } of before.members)
    if (!after.members.some((one) => one.principal_id === principal_id))
      lines.push({ text: `  - ${principal_id} is removed and signs nothing more`, style: 'red' });
  if (before.threshold !== after.threshold)
    lines.push(`  threshold ${before.threshold} becomes ${count(after.threshold, 'person', 'persons')}`);
  return lines;
}

function added(member: Member): Line[] {
  const [name, ...facts] = memberRow(member);
  const keys = member.keys.map((key) => `      key ${keyWords(key, false)}`);
  const { encrypt_to } = member;
  const reader = encrypt_to === undefined ? [] : [`      ${encryptionWords(encrypt_to)}`];
  return [{ text: `  + ${name} is added: ${facts.filter(Boolean).join(', ')}`, style: 'green' }, ...keys, ...reader];
}

function changed(old: Member, now: Member): Line[] {
  const { keys: oldKeys, encrypt_to: oldReader, ...oldFacts } = old;
  const { keys, encrypt_to: reader, ...facts } = now;
  const names = Object.keys(facts) as (keyof typeof facts)[];
  const differing = names.filter((name) => jcs(oldFacts[name]) !== jcs(facts[name]));
  const lines = differing.map(
    (name) => `  ~ ${now.principal_id}: ${name} ${said(oldFacts[name])} becomes ${said(facts[name])}`,
  );
  for (const key of keys) {
    const known = oldKeys.find((one) => one.fingerprint === key.fingerprint);
    if (known === undefined) lines.push(`  + ${now.principal_id}: key ${keyWords(key, false)}`);
    else if (jcs(known) !== jcs(key)) lines.push(`  ~ ${now.principal_id}: key ${keyWords(key, false)}`);
  }
  for (const { fingerprint } of oldKeys)
    if (!keys.some((key) => key.fingerprint === fingerprint)) lines.push(`  - ${now.principal_id}: key ${fingerprint}`);
  if (jcs(oldReader ?? null) === jcs(reader ?? null)) return lines;
  if (oldReader !== undefined) lines.push(`  - ${now.principal_id}: ${encryptionWords(oldReader)}`);
  if (reader !== undefined) lines.push(`  + ${now.principal_id}: ${encryptionWords(reader)}`);
  return lines;
}

function said(value: string | number | null | readonly string[]): string {
  if (value === null) return 'none';
  return typeof value === 'object' ? value.join(',') : String(value);
}

function count(n: number, one: string, several: string): string {
  return `${n} ${n === 1 ? one : several}`;
}
