// Attacks on content: the claims are right and the tree is not, or the other way round. A member signed all of them.
import { concat, utf8 } from '../../../../src/format/bytes.ts';
import type { Oid } from '../../../../src/format/git/object.ts';
import { eventFile } from '../../../../src/ledger/names.ts';
import type { Claims } from '../../../../src/ledger/trailers.ts';
import { KEY } from '../../../support/forge/cast.ts';
import { entryAt, signatureOf, withEntry, type Entry } from '../../../support/forge/edit.ts';
import { everywhere, forgedOn, refused, remade, type Attack } from '../../../support/forge/attack.ts';
import { note } from '../../../support/forge/facts.ts';
import { MISSION_ID, type Golden } from '../../../support/forge/golden.ts';
import type { Lie, Workshop } from '../../../support/forge/workshop.ts';

type Edit = (bench: Workshop, tree: Oid) => Oid;
const MINE = 269;
const HOT = 'hot-000001';
const OLD = 'seg/00000/000000/000000005.json';

export const TREE: readonly Attack[] = [
  {
    name: 'root-wrong',
    does: 'signs a Merkle root that is not that of the events',
    holds: 'a member’s key',
    forge: (golden) => signed(golden, { claims: (honest: Claims) => ({ ...honest, root: '11'.repeat(32) }) }),
    ...everywhere(refused('root_mismatch')),
    bundle: refused('consistency_invalid'),
  },
  {
    name: 'size-wrong',
    does: 'signs a size that counts one event more than the tree holds',
    holds: 'a member’s key',
    forge: (golden) => signed(golden, { claims: (honest: Claims) => ({ ...honest, size: honest.size + 1 }) }),
    ...everywhere(refused('events_missing')),
    bundle: refused('consistency_invalid'),
  },
  {
    name: 'tree-swapped-under-a-signature',
    does: 'puts another tree under a signed commit and keeps the signature',
    holds: 'nothing',
    forge: ({ bench, long }) => {
      const tip = long.at('base');
      const tree = (own: Oid): Oid => withEntry(bench, own, 'extra', fileOf(bench, 'extra\n'));
      return remade(bench, 'long', tip, { tree, signature: () => signatureOf(bench, tip.oid!) });
    },
    ...everywhere(refused('signature_invalid')),
  },
  edited('file-extra', 'adds a file beside the derived ones', add('README.md')),
  edited('folder-extra', 'adds a folder with a file', add('notes/hidden.txt')),
  edited('file-missing', 'leaves a derived file out', remove('keys.asc')),
  edited('event-extra', 'adds an event file behind the signed size', add(`${HOT}/${eventFile(MINE + 1)}`)),
  edited('event-twice', 'puts its event a second time where an older segment is', (bench, tree) =>
    withEntry(bench, tree, `seg/00000/000000/${eventFile(MINE)}`, entryAt(bench, tree, `${HOT}/${eventFile(MINE)}`)),
  ),
  edited('old-event-altered', 'alters an event of a full segment, long signed by somebody else', add(OLD)),
  edited('old-event-removed', 'removes an event of a full segment', remove(OLD)),
  edited('old-events-swapped', 'swaps two events of a full segment', (bench, tree) => {
    const other = OLD.replace('5.json', '6.json');
    const first = withEntry(bench, tree, OLD, entryAt(bench, tree, other));
    return withEntry(bench, first, other, entryAt(bench, tree, OLD));
  }),
  edited(
    'event-missing',
    'leaves the new event’s file out of the tree',
    remove(`${HOT}/${eventFile(MINE)}`),
    'events_missing',
  ),
  edited(
    'event-at-a-wrong-path',
    'puts the new event into the folder of another segment',
    (bench, tree) => {
      const path = `${HOT}/${eventFile(MINE)}`;
      const without = withEntry(bench, tree, path, undefined);
      return withEntry(bench, without, `hot-000002/${eventFile(MINE)}`, entryAt(bench, tree, path));
    },
    'events_missing',
  ),
  edited('event-executable', 'makes an event file executable', as('100755')),
  edited('event-a-symbolic-link', 'makes an event file a symbolic link', as('120000')),
  edited('submodule', 'adds a submodule', (bench, tree) =>
    withEntry(bench, tree, 'module', { mode: '160000', oid: 'ab'.repeat(20) }),
  ),
  edited('segment-renamed', 'shows a full segment under another number', (bench, tree) => {
    const segment = entryAt(bench, tree, 'seg/00000/000000');
    return withEntry(bench, withEntry(bench, tree, 'seg/00000/000000', undefined), 'seg/00000/000001', segment);
  }),
  edited('roster-file-altered', 'adds itself to roster.json', append('roster.json')),
  edited('keys-file-altered', 'adds a key to keys.asc, for those who import it into gpg', append('keys.asc')),
  edited('tree-head-altered', 'states a larger size in tree-head', append('tree-head')),
  edited('frontier-altered', 'alters the frontier that a cold writer would continue from', append('frontier')),
  edited('state-stored', 'stores a state in the tree, for whoever would start from it', add('snap/state.json')),
];

function edited(
  name: string,
  does: string,
  edit: Edit,
  code: 'tree_mismatch' | 'events_missing' = 'tree_mismatch',
): Attack {
  return {
    name,
    does,
    holds: 'a member’s key',
    forge: (golden) => signed(golden, { tree: (tree) => edit(golden.bench, tree) }),
    ...everywhere(refused(code)),
    bundle: { is: 'not_visible', why: 'a bundle holds no trees' },
  };
}

function signed({ bench, long }: Golden, lie: Lie) {
  const events = [note(KEY.sam, MISSION_ID.long, 9000)];
  return forgedOn(bench, 'long', long.at('base'), KEY.sam, { events, ...lie });
}

function add(path: string): Edit {
  return (bench, tree) => withEntry(bench, tree, path, fileOf(bench, '{"forged":true}\n'));
}

function remove(path: string): Edit {
  return (bench, tree) => withEntry(bench, tree, path, undefined);
}

function append(path: string): Edit {
  return (bench, tree) => {
    const { body } = bench.objects.get(entryAt(bench, tree, path).oid)!;
    return withEntry(bench, tree, path, { mode: '100644', oid: bench.keep('blob', concat([body, utf8('forged\n')])) });
  };
}

function as(mode: string): Edit {
  const path = `${HOT}/${eventFile(MINE)}`;
  return (bench, tree) => withEntry(bench, tree, path, { ...entryAt(bench, tree, path), mode });
}

function fileOf(bench: Workshop, text: string): Entry {
  return { mode: '100644', oid: bench.keep('blob', utf8(text)) };
}
