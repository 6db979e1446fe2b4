// The roster change of the quickstart: one root suffices there, so it is signed and appended in one go.
import { base64 } from '../../../format/bytes.ts';
import type { App } from '../../../compose/app.ts';
import { rosterDigest, type Member, type Roster } from '../../../kernel/roster/roster.ts';
import { statementBytes } from '../../../kernel/roster/threshold.ts';
import { accept } from '../../../kernel/verdict.ts';
import type { LedgerSession } from '../../../app/ledger-session.ts';
import type { Signer } from '../../../ports/keys.ts';
import { unwrap } from '../workspace.ts';

export function rosterWith(crypto: App['crypto'], roster: Roster, principalId: string, signer: Signer): Roster {
  const member: Member = {
    forge_user_id: null,
    keys: [{ fingerprint: signer.fingerprint, from: 0, public_key: base64(signer.publicKey), until: null }],
    layer: 'L1',
    person_id: principalId,
    principal_id: principalId,
    principal_type: 'user',
    roles: ['person'],
  };
  const members = [...roster.members, member].sort((a, b) => (a.principal_id < b.principal_id ? -1 : 1));
  return { ...roster, members, n: roster.n + 1, prev: rosterDigest(crypto, roster) };
}

export async function submitRoster(app: App, project: LedgerSession, root: Signer, roster: Roster): Promise<void> {
  const signature = base64(await root.sign(statementBytes('roster', roster), app.clock.nowSeconds()));
  const payload = { roster, signatures: [{ fingerprint: root.fingerprint, signature }] };
  const { project_id } = roster;
  unwrap(
    await project.submit({
      decide: () =>
        accept([
          { event_type: 'roster.updated', entity_type: 'roster', entity_id: project_id, task_id: project_id, payload },
        ]),
    }),
  );
}
