// Attacks on the commit around a transaction: headers that git or gpg ignore, other people's names, other messages.
import { KEY } from '../../../support/forge/cast.ts';
import { everywhere, forgedOn, refused, type Attack, type Holds } from '../../../support/forge/attack.ts';
import type { ReasonCode } from '../../../../src/reasons.ts';
import type { Claims } from '../../../../src/ledger/trailers.ts';
import { note } from '../../../support/forge/facts.ts';
import { garbageOn, MISSION_ID } from '../../../support/forge/golden.ts';
import { withHeader, type Lie } from '../../../support/forge/workshop.ts';

const SOMETHING = '-----BEGIN PGP SIGNATURE-----\n\nAAAA\n-----END PGP SIGNATURE-----\n';

export const COMMIT: readonly Attack[] = [
  lied('commit-unsigned', 'leaves the signature out', 'commit_unsigned', { signature: () => undefined }, 'nothing'),
  lied('signature-header-twice', 'adds a second gpgsig header behind the first', 'commit_second_signature', {
    body: (text) => withHeader(text, 'gpgsig', SOMETHING),
  }),
  lied('signature-for-sha256', 'adds a gpgsig-sha256 header', 'commit_second_signature', {
    body: (text) => withHeader(text, 'gpgsig-sha256', SOMETHING),
  }),
  lied('mergetag', 'adds a mergetag header with text of its own', 'commit_mergetag', {
    payload: (text) => withHeader(text, 'mergetag', 'object 0\nanything at all\n'),
  }),
  lied('encoding', 'adds an encoding header, so that the message reads otherwise', 'commit_encoding', {
    payload: (text) => withHeader(text, 'encoding', 'UTF-7'),
  }),
  lied('header-unknown', 'adds a header of its own', 'commit_unknown_header', {
    payload: (text) => withHeader(text, 'note', 'anything'),
  }),
  lied('parent-behind-the-author', 'puts a parent header where git no longer reads it', 'commit_malformed', {
    payload: (text) => withHeader(text, 'parent', 'ab'.repeat(20)),
  }),
  {
    name: 'merge-commit',
    does: 'signs a transaction with a second parent that brings other history along',
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const good = long.at('base');
      const parents = [good.oid!, garbageOn(bench, long.at('third').oid!, 1)];
      return forgedOn(bench, 'long', good, KEY.sam, { events: one(), parents });
    },
    ...everywhere(refused('commit_parents')),
  },
  lied('committer-is-another', 'signs as author and names somebody else as committer', 'commit_malformed', {
    payload: (text) => text.replace(/\ncommitter sam/, '\ncommitter ana'),
  }),
  lied('time-zone', 'writes its times in a zone of its own', 'commit_malformed', {
    payload: (text) => text.replaceAll(' +0000\n', ' +0200\n'),
  }),
  lied('author-name-of-another', 'signs with its own key under another member’s name', 'author_mismatch', {
    author: { name: 'ana', email: `${KEY.sam.fingerprint}@lazarus.invalid` },
  }),
  lied('author-with-an-address', 'signs under a personal e-mail address', 'author_mismatch', {
    author: { name: 'sam', email: 'sam@example.invalid' },
  }),
  lied('subject-altered', 'writes a subject that says something else', 'subject_mismatch', {
    message: (text) => text.replace(/^ledger: .*/, 'ledger: approved by everybody'),
  }),
  lied('message-of-somebody', 'signs a commit that is no transaction', 'foreign_commit', {
    message: () => 'fix typo\n',
  }),
  lied('trailer-added', 'adds a trailer', 'trailers_malformed', { message: (text) => `${text}Approved-By: ana\n` }),
  lied('trailer-twice', 'states two sizes', 'trailers_malformed', {
    message: (text) => text.replace(/(\nLedger-Size: )(.*)/, '$1$2$11'),
  }),
  lied('trailers-reordered', 'writes the trailers in another order', 'trailers_malformed', {
    message: (text) => text.replace(/(Ledger-Prev-Root: .*\n)(Ledger-Root: .*\n)/, '$2$1'),
  }),
  lied('trailer-number-padded', 'writes a size with a leading zero', 'trailers_malformed', {
    message: (text) => text.replace('\nLedger-Size: ', '\nLedger-Size: 0'),
  }),
  lied('format-lowered', 'states format 0, which had fewer rules', 'format_lowered', {
    message: (text) => text.replace('Ledger-Format: 1', 'Ledger-Format: 0'),
  }),
  lied('format-newer', 'states format 2, so that older readers look away', 'format_newer', {
    message: (text) => text.replace('Ledger-Format: 1', 'Ledger-Format: 2'),
  }),
  lied('roster-trailer-old', 'claims to have been decided under the roster before', 'roster_mismatch', {
    claims: (honest: Claims) => ({ ...honest, roster: { n: 0, digest: '22'.repeat(32) } }),
  }),
];

function lied(name: string, does: string, code: ReasonCode, lie: Lie, holds: Holds = 'a member’s key'): Attack {
  return {
    name,
    does,
    holds,
    forge: ({ bench, long }) => forgedOn(bench, 'long', long.at('base'), KEY.sam, { events: one(), ...lie }),
    ...everywhere(refused(code)),
  };
}

function one() {
  return [note(KEY.sam, MISSION_ID.long, 9000)];
}
