// The first events of ledgers: a project with its first roster, a mission that grows out of it.
import { base64 } from '../format/bytes.ts';
import type { Member, Roster } from '../kernel/roster/roster.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { headOf } from '../ledger/tip.ts';
import type { Signer } from '../ports/keys.ts';
import type { ProjectView } from './adoption.ts';
import type { Submission } from './ledger-session.ts';

/** A roster of one: who begins a project holds every role until others are added. */
export function firstRoster(
  projectId: string,
  principalId: string,
  signer: Signer,
  forgeUserId: number | null = null,
): Roster {
  const member: Member = {
    forge_user_id: forgeUserId,
    keys: [{ fingerprint: signer.fingerprint, from: 0, public_key: base64(signer.publicKey), until: null }],
    layer: 'L0',
    person_id: principalId,
    principal_id: principalId,
    principal_type: 'user',
    roles: ['gate', 'person', 'root', 'runner', 'witness', 'writer'],
  };
  return { members: [member], n: 0, prev: null, project_id: projectId, threshold: 1 };
}

export function beginProject(projectId: string, roster: Roster): Submission {
  return {
    decide: (state) => {
      if (state !== undefined) return refuse('ledger_exists', { ledger: 'project', project: state.ledger_id });
      return accept([
        {
          event_type: 'project.opened',
          entity_type: 'project',
          entity_id: projectId,
          task_id: projectId,
          payload: { roster },
        },
      ]);
    },
  };
}

export function beginMission(missionId: string, project: ProjectView, proposal: string | null): Submission {
  return {
    decide: (state) => {
      if (state !== undefined) return refuse('ledger_exists', { mission: state.ledger_id });
      const payload = {
        mission_id: missionId,
        project_id: project.tip.state!.project_id,
        proposal,
        grew_from: headOf(project.tip),
      };
      return accept([
        { event_type: 'mission.opened', entity_type: 'mission', entity_id: missionId, task_id: missionId, payload },
      ]);
    },
  };
}

/** The principal a key was made for: its user id says so. */
export function principalOf(userId: string): Verdict<string> {
  const name = /^([a-z0-9][a-z0-9._-]{0,62}) <[0-9A-F]{40}@lazarus\.invalid>$/.exec(userId)?.[1];
  return name === undefined ? refuse('roster_key_user_id', { user_id: userId }) : accept(name);
}
