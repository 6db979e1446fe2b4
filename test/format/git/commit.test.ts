// Commits against git itself: fsck accepts what is written, verify-commit covers the same bytes, and the strict reader
// refuses by name every spelling that one verifier could see differently from another.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat, fromUtf8, utf8 } from '../../../src/format/bytes.ts';
import { encodeCommit, parseCommit, type CommitFields } from '../../../src/format/git/commit.ts';
import { objectId } from '../../../src/format/git/object.ts';
import { hashes } from '../../support/objects.ts';
import { git, scratchRepository } from '../../support/repos.ts';

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const SIGNATURE = '-----BEGIN PGP SIGNATURE-----\n\niHUEABYKAB0WIQ==\n=abcd\n-----END PGP SIGNATURE-----\n';
const FIELDS: CommitFields = {
  tree: EMPTY_TREE,
  parents: ['b'.repeat(40)],
  author: { name: 'ana', email: 'ABCD@lazarus.invalid', atSeconds: 1_700_000_000 },
  message: 'task.created\n\nLazarus-Format: 1\n',
};
const body = encodeCommit({ ...FIELDS, signature: SIGNATURE });
const changed = (from: string | RegExp, to: string) => {
  const text = fromUtf8(body).replace(from, to);
  expect(text).not.toBe(fromUtf8(body));
  return utf8(text);
};

const word = fc.stringMatching(/^[a-zA-Zé\u{1f600}][a-zA-Z0-9é :\u{1f600}]{0,10}[a-z]$/u);
const name = fc.stringMatching(/^[a-z0-9][a-z0-9 :._-]{0,10}[a-z]$/);
const fields = fc.record({
  tree: fc.constant(EMPTY_TREE),
  parents: fc.constant([]),
  author: fc.record({ name, email: fc.stringMatching(/^[A-F0-9]{1,40}@[a-z]{1,8}$/), atSeconds: fc.nat() }),
  message: fc.array(word, { minLength: 1 }).map((lines) => `${lines.join('\n')}\n`),
});

describe('encodeCommit', () => {
  it('writes commits that git fsck --strict accepts and git reads back field by field', () => {
    const repo = scratchRepository();
    git(repo, ['mktree']);
    for (const commit of fc.sample(fields, 40)) {
      const bytes = encodeCommit({ ...commit, signature: SIGNATURE });
      const oid = git(repo, ['hash-object', '-t', 'commit', '-w', '--stdin'], bytes);
      expect(oid).toBe(objectId(hashes, 'commit', bytes));
      expect(git(repo, ['show', '-s', '--format=%T%x00%an%x00%ae%x00%at%x00%cn%x00%B', oid])).toBe(
        [
          commit.tree,
          commit.author.name,
          commit.author.email,
          commit.author.atSeconds,
          commit.author.name,
          commit.message,
        ].join('\0'),
      );
      git(repo, ['update-ref', `refs/heads/${oid}`, oid]);
    }
    expect(git(repo, ['fsck', '--strict', '--no-dangling'])).toBe('');
  });

  it('refuses a name beyond ASCII: which characters print depends on tables that grow', () => {
    expect(() => encodeCommit({ ...FIELDS, author: { ...FIELDS.author, name: 'Zo\u00eb' } })).toThrow(
      'commit_malformed',
    );
  });

  it('refuses a name that would forge a header', () => {
    const author = { ...FIELDS.author, name: 'ana <a@b> 1 +0000\nparent cccc' };
    expect(() => encodeCommit({ ...FIELDS, author })).toThrow('commit_malformed');
  });

  it.each(['', '\n', 'no line feed', 'two\n\n', 'nul\0\n'])('refuses the message %j', (message) => {
    expect(() => encodeCommit({ ...FIELDS, message })).toThrow('message');
  });
});

describe('parseCommit', () => {
  it('reads back what was written; the payload is the commit before it was signed', () => {
    fc.assert(
      fc.property(fields, (commit) => {
        const read = parseCommit(encodeCommit({ ...commit, signature: SIGNATURE }));
        const payload = concat(read.payload);
        expect({ ...read, payload }).toEqual({ ...commit, signature: SIGNATURE, payload: encodeCommit(commit) });
      }),
    );
  });

  it('lists several parents: judging them is not its business', () => {
    const parents = ['b'.repeat(40), 'c'.repeat(40)];
    expect(parseCommit(encodeCommit({ ...FIELDS, parents, signature: SIGNATURE })).parents).toEqual(parents);
  });

  it.each([
    ['no signature', encodeCommit(FIELDS), 'commit_unsigned'],
    ['second gpgsig', changed('\n\n', '\ngpgsig x\n y\n\n'), 'commit_second_signature'],
    ['gpgsig-sha256 before gpgsig', changed('\ngpgsig', '\ngpgsig-sha256 x\ngpgsig'), 'commit_second_signature'],
    ['gpgsig-sha256 after gpgsig', changed('\n\n', '\ngpgsig-sha256 x\n\n'), 'commit_second_signature'],
    ['gpgsig before author', changed('\nauthor', '\ngpgsig x\nauthor'), 'commit_second_signature'],
    ['mergetag', changed('\ngpgsig', '\nmergetag object x\n y\ngpgsig'), 'commit_mergetag'],
    ['encoding', changed('\ngpgsig', '\nencoding latin1\ngpgsig'), 'commit_encoding'],
    ['unknown header', changed('\ngpgsig', '\nnote x\ngpgsig'), 'commit_unknown_header'],
    ['unknown header after the signature', changed('\n\n', '\nnote x\n\n'), 'commit_unknown_header'],
    ['header without a value', changed('\ngpgsig', '\nnote\ngpgsig'), 'commit_unknown_header'],
    ['second tree', changed('\nparent', `\ntree ${EMPTY_TREE}\nparent`), 'commit_malformed'],
    ['parent after author', changed('\ncommitter', `\nparent ${EMPTY_TREE}\ncommitter`), 'commit_malformed'],
    ['continued author', changed('\ncommitter', '\n more\ncommitter'), 'commit_malformed'],
    ['other committer', changed('committer ana', 'committer eve'), 'commit_malformed'],
    ['other time zone', changed(/\+0000/g, '+0100'), 'commit_malformed'],
    ['minus zero time zone', changed(/\+0000/g, '-0000'), 'commit_malformed'],
    ['padded time', changed(/ 17/g, ' 017'), 'commit_malformed'],
    ['capitals in an oid', changed(/b{40}/, 'B'.repeat(40)), 'commit_malformed'],
    ['short oid', changed(/b{40}/, 'b'.repeat(39)), 'commit_malformed'],
    ['no message', changed(/\n\n[^]*$/, '\n'), 'commit_malformed'],
    ['empty message', changed(/\n\ntask[^]*$/, '\n\n'), 'commit_malformed'],
    ['message without line feed', changed(/\n$/, ''), 'commit_malformed'],
    ['message with two line feeds', changed(/\n$/, '\n\n'), 'commit_malformed'],
    ['NUL that hides the rest of the message', changed('Lazarus', '\0Lazarus'), 'commit_malformed'],
    ['bad UTF-8', Uint8Array.from(body, (byte) => (byte === 0x61 ? 0xff : byte)), 'commit_malformed'],
    ['byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, ...body), 'commit_unknown_header'],
    ['nothing', new Uint8Array(0), 'commit_malformed'],
  ])('refuses %s', (_, bytes, code) => {
    expect(() => parseCommit(bytes)).toThrow(expect.objectContaining({ code }));
  });

  it('never accepts two spellings of one commit: any change of a byte is refused or read as other content', () => {
    const original = parseCommit(body);
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.nat(255), (at, byte) => {
        fc.pre(body[at] !== byte);
        const mutant = Uint8Array.from(body);
        mutant[at] = byte;
        try {
          const read = parseCommit(mutant);
          expect({ ...read, payload: 0 }).not.toEqual({ ...original, payload: 0 });
          expect(encodeCommit(read)).toEqual(mutant);
        } catch (error) {
          expect(error).toMatchObject({ name: 'Failure' });
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the payload of a commit', () => {
  it('is what git verify-commit hands to gpg, beside the very signature that is read', () => {
    const repo = scratchRepository();
    const spy = join(repo, 'gpg-spy');
    writeFileSync(
      spy,
      '#!/bin/sh\nfor last; do :; done\ncat > payload\nfor arg; do [ -f "$arg" ] && cp "$arg" signature; done\nexit 1\n',
    );
    chmodSync(spy, 0o755);
    git(repo, ['mktree']);
    for (const message of ['plain\n', 'gpgsig in the message\n\ngpgsig x\n y\n', 'ünïcode \u{1f600}\n']) {
      const bytes = encodeCommit({ ...FIELDS, parents: [], message, signature: SIGNATURE });
      const oid = git(repo, ['hash-object', '-t', 'commit', '-w', '--stdin'], bytes);
      expect(() => git(repo, ['-c', `gpg.program=${spy}`, 'verify-commit', oid])).toThrow();
      expect(readFileSync(join(repo, 'payload'), 'utf8')).toBe(fromUtf8(concat(parseCommit(bytes).payload)));
      expect(readFileSync(join(repo, 'signature'), 'utf8')).toBe(parseCommit(bytes).signature);
    }
  });
});
