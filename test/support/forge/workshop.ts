// Where test ledgers are made: honest transactions by the rules of the product, forged ones by no rule at all. A forged
// one is right in everything but its lie, so that the lie is what gets refused.
import { concat, fromUtf8, hex, utf8 } from '../../../src/format/bytes.ts';
import { gitObject, type GitObject, type ObjectType, type Oid } from '../../../src/format/git/object.ts';
import { encodeCommit } from '../../../src/format/git/commit.ts';
import { leafHash } from '../../../src/format/merkle.ts';
import { armor } from '../../../src/format/openpgp/armor.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import type { Event } from '../../../src/kernel/event.ts';
import { rosterDigest } from '../../../src/kernel/roster/roster.ts';
import type { LedgerKind } from '../../../src/kernel/traits.ts';
import type { State } from '../../../src/kernel/state.ts';
import type { TreeHead } from '../../../src/kernel/values.ts';
import { headFiles, rosterFiles, standingFile } from '../../../src/ledger/derived.ts';
import { extend } from '../../../src/ledger/layout.ts';
import { FILES } from '../../../src/ledger/names.ts';
import type { Tip } from '../../../src/ledger/tip.ts';
import { encodeMessage, type Claims } from '../../../src/ledger/trailers.ts';
import { allCaused } from '../causes.ts';
import { T0_SECONDS, uuid } from '../events.ts';
import { bytesOf } from '../given.ts';
import type { TestKey } from '../people.ts';
import { sealedOn } from '../sealed.ts';

export type Lie = {
  readonly events?: readonly Event[];
  /** The lie is in what the events name as their cause, or carry of it. */
  readonly isAsSaid?: boolean;
  /** Instead of the bytes that follow from `events`. */
  readonly blobs?: readonly Uint8Array[];
  readonly tx?: string;
  readonly project?: TreeHead;
  /** The state that derived files show; left out, the one before. */
  readonly state?: State;
  readonly parents?: readonly Oid[];
  readonly tree?: (tree: Oid) => Oid;
  readonly claims?: (claims: Claims) => Claims;
  readonly message?: (message: string) => string;
  readonly author?: { readonly name: string; readonly email: string };
  /** Changes the commit before it is signed: the lie is inside the signature. */
  readonly payload?: (text: string) => string;
  /** The signature packet over the payload; undefined leaves the commit unsigned. */
  readonly signature?: (payload: Uint8Array) => Uint8Array | undefined;
  readonly armored?: (text: string) => string;
  /** Changes the commit after it was signed. */
  readonly body?: (text: string) => string;
};

export type Made = {
  readonly before: Tip;
  readonly key: TestKey;
  readonly events: readonly Event[];
  readonly project: TreeHead | undefined;
};

/** A commit as its maker would show it in a proof: what it says it continues, and the bytes of its events. */
export type Shown = {
  readonly kind: LedgerKind;
  readonly before: Oid | undefined;
  readonly blobs: readonly Uint8Array[];
};

export type Honest = { readonly project?: TreeHead; readonly signature?: (payload: Uint8Array) => Uint8Array };

export class Workshop {
  readonly objects = new Map<Oid, GitObject>();
  /** How every honest commit came to be, so that it can be made again, almost the same. */
  readonly made = new Map<Oid, Made>();
  readonly shown = new Map<Oid, Shown>();

  keep(type: ObjectType, body: Uint8Array): Oid {
    const { oid } = gitObject(nodeCrypto, type, body);
    this.objects.set(oid, { oid, type, body });
    return oid;
  }

  /** A transaction as the product would write it. */
  honest(tip: Tip, key: TestKey, said: readonly Event[], options: Honest = {}): Tip {
    const sealed = sealedOn(tip, key, said, { tx: txOf(tip), atSeconds: timeOf(tip), ...options });
    for (const { type, body } of sealed.objects) this.keep(type, body);
    const { oid } = sealed.commit;
    this.made.set(oid, { before: tip, key, events: sealed.events, project: sealed.tip.project });
    this.shown.set(oid, { kind: tip.kind, before: predecessor(tip), blobs: sealed.events.map(bytesOf) });
    return sealed.tip;
  }

  /** A transaction that tells one lie. The tip behind it is what a reader who believes it would have. */
  forged(tip: Tip, key: TestKey, lie: Lie = {}): Tip {
    const events = lie.isAsSaid === true ? (lie.events ?? []) : this.caused(tip, lie.events ?? []);
    const state = lie.state ?? tip.state ?? tip.parent?.state;
    if (state === undefined) throw new Error('a forged beginning must say what state it brings');
    const project = lie.project ?? tip.project;
    const blobs = lie.blobs ?? events.map(bytesOf);
    const grown = this.#grow(tip, blobs, state);
    const tree = lie.tree?.(grown.tree) ?? grown.tree;
    const roster = tip.state?.roster ?? tip.parent?.state.roster ?? state.roster;
    const honest: Claims = {
      ledgerId: state.ledger_id,
      tx: lie.tx ?? txOf(tip),
      prevSize: tip.size,
      size: grown.tip.size,
      prevRoot: tip.root,
      root: grown.tip.root,
      roster: { n: roster.n, digest: rosterDigest(nodeCrypto, roster) },
      ...(tip.kind === 'project' ? {} : { genesis: tip.genesis ?? 'self' }),
      ...(project === undefined || tip.kind === 'project' ? {} : { project }),
    };
    const claims = lie.claims?.(honest) ?? honest;
    const message = encodeMessage(
      claims,
      events.length === 0 ? ['note.recorded'] : events.map((event) => event.event_type),
    );
    const parent = predecessor(tip);
    const oid = this.#commit(key, lie, {
      tree,
      parents: lie.parents ?? (parent === undefined ? [] : [parent]),
      author: { ...authorOf(key), ...lie.author, atSeconds: timeOf(tip) },
      message: lie.message?.(message) ?? message,
    });
    this.shown.set(oid, { kind: tip.kind, before: parent, blobs });
    const genesis = tip.kind === 'project' ? undefined : (tip.genesis ?? oid);
    return { ...grown.tip, oid, genesis, project, state, parent: undefined, recent: [...tip.recent, honest.tx] };
  }

  /** With causes, correlations and keys as an honest writer on this tip fills them in. */
  caused(tip: Tip, said: readonly Event[]): readonly Event[] {
    return allCaused(said, tip.state);
  }

  text(oid: Oid): string {
    return fromUtf8(this.objects.get(oid)!.body);
  }

  #commit(key: TestKey, lie: Lie, fields: Parameters<typeof encodeCommit>[0]): Oid {
    const text = fromUtf8(encodeCommit(fields));
    const payload = lie.payload?.(text) ?? text;
    const sign = lie.signature ?? ((bytes) => key.signNow(bytes, fields.author.atSeconds));
    const packet = sign(utf8(payload));
    const armored = packet && armor('SIGNATURE', packet);
    const signed = armored === undefined ? payload : withHeader(payload, 'gpgsig', lie.armored?.(armored) ?? armored);
    return this.keep('commit', utf8(lie.body?.(signed) ?? signed));
  }

  #grow(tip: Tip, blobs: readonly Uint8Array[], state: State): { tip: Tip; tree: Oid } {
    const frontier = tip.frontier.clone();
    for (const blob of blobs) frontier.append(leafHash(nodeCrypto, blob));
    const derived = {
      ...headFiles(nodeCrypto, state.ledger_id, frontier).objects,
      ...rosterFiles(nodeCrypto, state.roster),
      [FILES.standing]: standingFile(nodeCrypto, state),
    };
    const files = Object.fromEntries(
      Object.entries(derived).map(([name, { body }]) => [name, this.keep('blob', body)]),
    );
    const events = blobs.map((blob) => this.keep('blob', blob));
    const { layout, tree, objects } = extend(nodeCrypto, tip.layout, { events, files });
    for (const { type, body } of objects) this.keep(type, body);
    return { tip: { ...tip, size: frontier.size, root: hex(frontier.root()), frontier, layout }, tree };
  }
}

/** Puts a header in front of the blank line, folded as git folds it. */
export function withHeader(commit: string, name: string, value: string): string {
  return commit.replace('\n\n', () => `\n${name} ${value.trimEnd().replaceAll('\n', '\n ')}\n\n`);
}

export function authorOf(key: TestKey): { name: string; email: string } {
  return { name: key.principalId, email: `${key.fingerprint}@lazarus.invalid` };
}

function predecessor(tip: Tip): Oid | undefined {
  return tip.oid ?? tip.parent?.head.oid;
}

/** One second per event, so that a commit made twice is the same commit. */
function timeOf(tip: Tip): number {
  return T0_SECONDS + tip.size;
}

function txOf(tip: Tip): string {
  return uuid(`transaction after ${tip.oid ?? tip.parent?.head.oid ?? 'nothing'} in a ${tip.kind}`);
}

export function joined(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  return concat(parts.map((part) => (typeof part === 'string' ? utf8(part) : part)));
}
