// Whose signatures a document needs and has. The kernel alone decides whether they suffice; here is worked out what a
// person wants to know before: who signed, who is missing, and whether enough are left at all.
import { base64 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { isBarred } from '../../kernel/roster/barred.ts';
import { personOf, type Roster, type RosterKey } from '../../kernel/roster/roster.ts';
import { checkThreshold, statementBytes, type RootSignature } from '../../kernel/roster/threshold.ts';
import type { State } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import type { Signer } from '../../ports/keys.ts';
import type { Matter, ThresholdDraft } from './threshold-draft.ts';

/** The roster that a document is judged by, and what decides which of its keys count. */
export type Electorate = {
  readonly roster: Roster;
  readonly barred: (fingerprint: string) => boolean;
  /** Size of the project ledger; see `RosterKey.from`. */
  readonly basis: number;
};

export type Tally = {
  readonly threshold: number;
  /** Persons who signed, and persons who could and did not. */
  readonly signed: readonly string[];
  readonly missing: readonly string[];
  readonly isMet: boolean;
};

export function electorateOf(state: State, basis: number, cutOffs: State['cut_offs'] = []): Electorate {
  return { roster: state.roster, barred: isBarred({ cut_offs: [...state.cut_offs, ...cutOffs] }), basis };
}

/**
 * Refuses the first signature that does not hold: a draft with one has been tampered with, or is for another roster.
 * Refuses also what can never be met, before anybody is asked for a signature in vain.
 */
export function tallyOf(crypto: Crypto, electorate: Electorate, draft: ThresholdDraft): Verdict<Tally> {
  const { roster, basis } = electorate;
  // Asked of one signature at a time, the kernel's own check says whether that one counts.
  const one: Roster = { ...roster, threshold: 1 };
  const barred = barredFor(electorate, draft);
  for (const signature of draft.signatures) {
    const { purpose, document } = draft;
    const holds = checkThreshold(crypto, one, barred, { purpose, document, signatures: [signature], basis });
    if (holds.is === 'refused') return holds;
  }
  const keys = new Set(draft.signatures.map(({ fingerprint }) => fingerprint));
  const able = personsAble({ ...electorate, barred });
  const signed = [...able].filter(([, theirs]) => theirs.some((key) => keys.has(key.fingerprint)));
  const missing = [...able].filter(([, theirs]) => !theirs.some((key) => keys.has(key.fingerprint)));
  if (able.size < roster.threshold)
    return refuse('threshold_out_of_reach', { threshold: roster.threshold, able: [...able.keys()] });
  return accept({
    threshold: roster.threshold,
    signed: signed.map(([person]) => person),
    missing: missing.map(([person]) => person),
    isMet: signed.length >= roster.threshold,
  });
}

export async function signMatter(
  electorate: Electorate,
  matter: Matter,
  { signer, atSeconds }: { readonly signer: Signer; readonly atSeconds: number },
): Promise<Verdict<RootSignature>> {
  const able = [...personsAble({ ...electorate, barred: barredFor(electorate, matter) }).values()].flat();
  if (!able.some((key) => key.fingerprint === signer.fingerprint))
    return refuse('threshold_signer_not_root', { fingerprint: signer.fingerprint });
  const packet = await signer.sign(statementBytes(matter.purpose, matter.document), atSeconds);
  return accept({ fingerprint: signer.fingerprint, signature: base64(packet) });
}

/** Per person the root keys that count here and now. */
function personsAble({ roster, barred, basis }: Electorate): ReadonlyMap<string, readonly RosterKey[]> {
  const able = new Map<string, RosterKey[]>();
  for (const member of roster.members) {
    if (!member.roles.includes('root')) continue;
    const usable = member.keys.filter(
      ({ fingerprint, from, until }) => !barred(fingerprint) && from <= basis && (until === null || basis < until),
    );
    if (usable.length > 0) able.set(personOf(member), [...(able.get(personOf(member)) ?? []), ...usable]);
  }
  return able;
}

/** A key has no say in its own cut-off. */
function barredFor({ barred }: Electorate, { purpose, document }: Matter): (fingerprint: string) => boolean {
  return purpose === 'cut-off' ? (key) => key === document.fingerprint || barred(key) : barred;
}

// What the people of a roster should hear about their root keys before it is too late: how many they can lose, and
// whether they have lost too many already. Says it; the kernel refuses only what makes it worse.
export type RootRisk = {
  readonly threshold: number;
  /** Persons with a root key that counts, has no end, and is not cut off. */
  readonly persons: readonly string[];
  /** So many persons losing their keys makes the roster unchangeable; 0: it is already. */
  readonly losable: number;
};

export function rootRisk(electorate: Electorate): RootRisk {
  const { threshold } = electorate.roster;
  const lasting = [...personsAble(electorate)].filter(([, keys]) => keys.some((key) => key.until === null));
  const persons = lasting.map(([person]) => person);
  return { threshold, persons, losable: Math.max(0, persons.length - threshold + 1) };
}
