// The items that begin a project's ledger and bring its roster to what a set-up needs. What takes more than this person's
// signature is said, with the line to type, and left.
import { Failure } from '../../failure.ts';
import type { Role } from '../../kernel/principal.ts';
import type { Member, Roster } from '../../kernel/roster/roster.ts';
import type { ProjectState } from '../../kernel/state.ts';
import { PROJECT_REF } from '../../ledger/names.ts';
import type { EncryptionKey } from '../../format/openpgp/encryption-key.ts';
import type { WorkTree } from '../../ports/work-tree.ts';
import type { ProjectView } from '../adoption.ts';
import { beginProject } from '../begin.ts';
import { knownProject } from '../project-fold.ts';
import { applyDraft } from '../threshold/apply.ts';
import { signMatter } from '../threshold/electorate.ts';
import { projectElectorate } from '../threshold/judge.ts';
import { publicKeysFrom } from '../threshold/key-text.ts';
import { encryptTo, nextRoster, type RosterChange } from '../threshold/roster-change.ts';
import { draftOf, withSignature } from '../threshold/threshold-draft.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import { unwrap } from '../unwrap.ts';
import type { Workbench } from '../workbench.ts';
import { signerOf, type Identity } from './identity.ts';
import type { Found, Item } from './items.ts';
import { keyOf, machineMember, type Machine, type Wish } from './wishes.ts';

export type Project = {
  readonly bench: Workbench;
  /** Verified, and kept abreast by whoever writes to it from here; undefined while there is no ledger. */
  readonly view: () => Promise<ProjectView | undefined>;
  readonly state: () => Promise<ProjectState | undefined>;
  /** The ledger moved in another way. */
  readonly changed: () => void;
};

export type Founders = {
  readonly person: Identity;
  readonly machines: readonly Machine[];
  readonly forgeUserId: number | null;
};

const PERSON_ROLES: readonly Role[] = ['person', 'root', 'witness'];

export function projectIn(bench: Workbench): Project {
  let seen: Promise<ProjectView | undefined> | undefined;
  const look = async (): Promise<ProjectView | undefined> =>
    (await bench.place.head(PROJECT_REF)) === undefined ? undefined : knownProject(bench);
  const view = (): Promise<ProjectView | undefined> => (seen ??= look());
  return {
    bench,
    view,
    async state() {
      const state = (await view())?.tip.state;
      return state?.kind === 'project' ? state : undefined;
    },
    changed: () => (seen = undefined),
  };
}

/** `workTree`: where a clone would show that the project has a ledger elsewhere; undefined when that was looked at. */
export function projectItem(project: Project, workTree: WorkTree | undefined, founders: Founders): Item {
  const { bench } = project;
  const names = [founders.person, ...founders.machines.map(({ identity }) => identity)].map(
    ({ principal }) => principal,
  );
  return {
    name: 'project_ledger',
    title: 'project ledger',
    async look(): Promise<Found> {
      const state = await project.state();
      if (state !== undefined) return { is: 'there', says: `project ${state.project_id}, roster ${state.roster.n}` };
      // A clone brings the ledger along as a remote branch: beginning another one here would split the project.
      const [copy] = (await workTree?.remoteCopies('lazarus/project')) ?? [];
      if (copy !== undefined) throw new Failure('project_elsewhere', { ref: copy });
      return { is: 'absent', says: `with a roster of ${names.join(', ')}` };
    },
    async act() {
      const id = bench.parts.ids.next();
      const armored = await founders.person.exported?.();
      const keys = armored === undefined ? undefined : unwrap(publicKeysFrom(bench.parts.crypto, armored));
      const roster = firstRoster(id, founders, keys?.encryption);
      unwrap(await bench.session(PROJECT_REF, signerOf(founders.person)).submit(beginProject(id, roster)));
      project.changed();
      return `project ${id}, with a roster of ${names.join(', ')}`;
    },
  };
}

/** All wishes that are open, as one roster. */
export function rosterItem(project: Project, person: Identity, wishes: readonly Wish[]): Item {
  const openIn = (roster: Roster): readonly Wish[] => wishes.filter((wish) => wish.look(roster).is === 'absent');
  return {
    name: 'roster',
    title: 'roster',
    async look(): Promise<Found> {
      const state = await project.state();
      if (state === undefined) return { is: 'absent', says: wishes.map(({ says }) => says).join(', ') };
      const { roster } = state;
      const wrong = wishes.map((wish) => wish.look(roster)).find(({ is }) => is === 'differs');
      if (wrong !== undefined) return wrong;
      const open = openIn(roster);
      const says = (open.length === 0 ? wishes : open).map((wish) => wish.look(roster).says).join('; ');
      if (open.length === 0) return { is: 'there', says };
      const next = open.map((wish) => wish.byHand()).join('\n');
      if (!isRoot(roster, person))
        return { is: 'differs', says: `${person.principal} is no root of this project; a root has to type`, next };
      return roster.threshold > 1
        ? { is: 'differs', says: `${roster.threshold} persons must sign a roster`, next }
        : { is: 'absent', says };
    },
    async act() {
      const { bench } = project;
      const { crypto, clock } = bench.parts;
      const view = (await project.view())!;
      const electorate = projectElectorate(view);
      const open = openIn(electorate.roster);
      const changes = open.map((wish) => wish.change(crypto, view.tip.size));
      const document = unwrap(nextRoster(crypto, electorate, allOf(changes)));
      const matter = { purpose: 'roster', document } as const;
      const signer = signerOf(person);
      const signature = unwrap(await signMatter(electorate, matter, { signer, atSeconds: clock.nowSeconds() }));
      const judged = { electorate, ref: PROJECT_REF, project: view };
      unwrap(await applyDraft(bench, withSignature(draftOf(matter), signature), judged, signer));
      return `${open.map(({ says }) => says).join('; ')}, with roster ${document.n}`;
    },
  };
}

/** By the key, or by the name where the key is still to be made. */
export function isRoot({ members }: Roster, { principal, signer }: Identity): boolean {
  const fingerprint = signer()?.fingerprint;
  const member = members.find(
    (one) =>
      one.principal_id === principal &&
      (fingerprint === undefined || one.keys.some((key) => key.fingerprint === fingerprint)),
  );
  return member?.roles.includes('root') ?? false;
}

function firstRoster(
  projectId: string,
  { person, machines, forgeUserId }: Founders,
  encryption: EncryptionKey | undefined,
): Roster {
  const human: Member = {
    ...(encryption && { encrypt_to: encryptTo(encryption) }),
    forge_user_id: forgeUserId,
    keys: [keyOf(person)],
    layer: 'L1',
    person_id: person.principal,
    principal_id: person.principal,
    principal_type: 'user',
    roles: [...PERSON_ROLES],
  };
  const members = [human, ...machines.map(machineMember)];
  members.sort((a, b) => (a.principal_id < b.principal_id ? -1 : 1));
  return { members, n: 0, prev: null, project_id: projectId, threshold: 1 };
}

function allOf(changes: readonly RosterChange[]): RosterChange {
  return (current) => {
    let after: Verdict<Roster> = accept(current);
    for (const change of changes) {
      if (after.is === 'refused') return after;
      const { value } = after;
      const changed = change(value);
      after = changed.is === 'refused' ? changed : accept({ ...value, ...changed.value });
    }
    return after;
  };
}
