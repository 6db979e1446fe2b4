// The steps that begin a project's ledger and put this computer's own key on its roster, where it may do a machine's
// part of the work. What a person has to agree to or is not entitled to is said, with the line to type, and left.
import { base64 } from '../../format/bytes.ts';
import { Failure } from '../../failure.ts';
import type { Role } from '../../kernel/principal.ts';
import type { Member, Roster } from '../../kernel/roster/roster.ts';
import type { ProjectState } from '../../kernel/state.ts';
import { PROJECT_REF } from '../../ledger/names.ts';
import type { Signer } from '../../ports/keys.ts';
import type { ProjectView } from '../adoption.ts';
import { beginProject } from '../begin.ts';
import { applyDraft } from '../threshold/apply.ts';
import { signMatter } from '../threshold/electorate.ts';
import { projectElectorate } from '../threshold/judge.ts';
import { publicKeyFrom } from '../threshold/public-key-text.ts';
import { addMember, nextRoster } from '../threshold/roster-change.ts';
import { draftOf, withSignature } from '../threshold/threshold-draft.ts';
import { unwrap } from '../unwrap.ts';
import type { Workbench } from '../workbench.ts';
import type { Identity } from './identity.ts';
import type { FileWorld } from './policy-files.ts';
import type { Standing, Step } from './steps.ts';

export type Project = {
  /** Verified; undefined while there is no ledger. */
  readonly view: () => Promise<ProjectView | undefined>;
  readonly state: () => Promise<ProjectState | undefined>;
  /** What was verified is out of date. */
  readonly changed: () => void;
};

const PERSON_ROLES: readonly Role[] = ['person', 'root', 'witness'];
/** A laptop has one machine: it plans, runs and writes. On a forge these are three. */
const MACHINE_ROLES: readonly Role[] = ['gate', 'runner', 'writer'];

export function projectIn(bench: Workbench): Project {
  let seen: Promise<ProjectView | undefined> | undefined;
  const look = async (): Promise<ProjectView | undefined> =>
    (await bench.place.head(PROJECT_REF)) === undefined ? undefined : bench.project();
  const view = (): Promise<ProjectView | undefined> => (seen ??= look());
  return {
    view,
    async state() {
      const state = (await view())?.tip.state;
      return state?.kind === 'project' ? state : undefined;
    },
    changed: () => (seen = undefined),
  };
}

export type Founders = { readonly person: Identity; readonly machine: Identity; readonly forgeUserId: number | null };

export function projectStep({ bench, workTree }: FileWorld, project: Project, founders: Founders): Step {
  return {
    name: 'project_ledger',
    title: 'project ledger',
    async look(): Promise<Standing> {
      const state = await project.state();
      if (state !== undefined) return { is: 'there', says: `project ${state.project_id}, roster ${state.roster.n}` };
      // A clone brings the ledger along as a remote branch: beginning another one here would split the project.
      const [copy] = await workTree.remoteCopies('lazarus/project');
      if (copy !== undefined) throw new Failure('project_elsewhere', { ref: copy });
      const { person, machine } = founders;
      return {
        is: 'absent',
        says: `a roster of ${person.principal} (a person) and ${machine.principal} (this computer)`,
      };
    },
    async act() {
      const id = bench.parts.ids.next();
      const roster = firstRoster(id, founders);
      unwrap(await bench.session(PROJECT_REF, signerOf(founders.person)).submit(beginProject(id, roster)));
      project.changed();
      return `project ${id}, with a roster of ${roster.members.map((member) => member.principal_id).join(' and ')}`;
    },
  };
}

export function rosterStep(bench: Workbench, project: Project, { person, machine }: Founders): Step {
  const title = 'this computer on the roster';
  return {
    name: 'roster',
    title,
    async look(): Promise<Standing> {
      const state = await project.state();
      const key = machine.signer();
      if (state === undefined || key === undefined) return { is: 'absent', says: `${machine.principal} as a runner` };
      const member = state.roster.members.find((one) => one.principal_id === machine.principal);
      if (member !== undefined) return standingOf(member, key);
      const enrol = `lazarus roster add ${base64(key.publicKey)} --type runner --roles ${MACHINE_ROLES.join(',')}`;
      const root = state.roster.members.find((one) => one.principal_id === person.principal);
      if (!(root?.roles.includes('root') ?? false))
        return {
          is: 'differs',
          says: `${person.principal} is no root of this project; a root has to type`,
          next: enrol,
        };
      return state.roster.threshold > 1
        ? { is: 'differs', says: `${state.roster.threshold} persons must sign a roster`, next: enrol }
        : { is: 'absent', says: `${machine.principal} as a runner` };
    },
    async act() {
      const view = (await project.view())!;
      const electorate = projectElectorate(view);
      const { crypto, clock } = bench.parts;
      const key = unwrap(publicKeyFrom(crypto, base64(signerOf(machine).publicKey)));
      const facts = { ...MACHINE, roles: [...MACHINE_ROLES] };
      const document = unwrap(nextRoster(crypto, electorate, addMember(key, view.tip.size, facts)));
      const matter = { purpose: 'roster', document } as const;
      const signer = signerOf(person);
      const signature = unwrap(await signMatter(electorate, matter, { signer, atSeconds: clock.nowSeconds() }));
      const judged = { electorate, ref: PROJECT_REF, project: view };
      unwrap(await applyDraft(bench, withSignature(draftOf(matter), signature), judged, signer));
      project.changed();
      return `${machine.principal}, with roster ${document.n}`;
    },
  };
}

const MACHINE = { forge_user_id: null, layer: 'L1', person_id: null, principal_type: 'runner' } as const;

function standingOf(member: Member, { fingerprint }: Signer): Standing {
  const key = member.keys.find((one) => one.fingerprint === fingerprint && one.until === null);
  const { principal_id } = member;
  if (key === undefined)
    return {
      is: 'differs',
      says: `${principal_id} is on the roster with a key that is not on this computer`,
      next: 'lazarus init --machine <another name>',
    };
  const missing = MACHINE_ROLES.filter((role) => !member.roles.includes(role));
  return missing.length === 0
    ? { is: 'there', says: `${principal_id}: ${member.roles.join(', ')}` }
    : {
        is: 'differs',
        says: `${principal_id} lacks ${missing.join(', ')}`,
        next: `lazarus roster set ${principal_id} --roles ${MACHINE_ROLES.join(',')}`,
      };
}

function firstRoster(projectId: string, { person, machine, forgeUserId }: Founders): Roster {
  const human: Member = {
    forge_user_id: forgeUserId,
    keys: [keyOf(person)],
    layer: 'L1',
    person_id: person.principal,
    principal_id: person.principal,
    principal_type: 'user',
    roles: [...PERSON_ROLES],
  };
  const computer: Member = {
    ...MACHINE,
    keys: [keyOf(machine)],
    principal_id: machine.principal,
    roles: [...MACHINE_ROLES],
  };
  const members = [human, computer].sort((a, b) => (a.principal_id < b.principal_id ? -1 : 1));
  return { members, n: 0, prev: null, project_id: projectId, threshold: 1 };
}

function keyOf(identity: Identity) {
  const { fingerprint, publicKey } = signerOf(identity);
  return { fingerprint, from: 0, public_key: base64(publicKey), until: null };
}

/** Steps that sign come after those that make keys. */
export function signerOf({ principal, signer }: Identity): Signer {
  const made = signer();
  if (made === undefined) throw new Failure('key_not_found', { wanted: principal });
  return made;
}
