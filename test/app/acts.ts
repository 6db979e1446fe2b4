// Acts that tests of the mission's write path do again and again: a mission that opens with a document, one that claims
// paths in the project and hands work over.
import { randomUUID } from 'node:crypto';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { drawDocuments, type DrawnDocument } from '../../src/app/artifacts/documents.ts';
import type { ProjectView } from '../../src/app/adoption.ts';
import type { Act } from '../../src/app/act.ts';
import { MissionDesk } from '../../src/app/mission-desk.ts';
import { utf8 } from '../../src/format/bytes.ts';
import { gitObject } from '../../src/format/git/object.ts';
import { accept } from '../../src/kernel/verdict.ts';
import { artifactsRef, ledgerName, missionRef } from '../../src/ledger/names.ts';
import type { Change } from '../../src/ports/repository.ts';
import { noteOn } from '../chaos/claiming.ts';
import type { Desk } from '../support/desk.ts';
import { ANA, BEN, member } from '../support/people.ts';
import { taken } from '../support/taken.ts';
import { foundProject } from '../support/workbench.ts';

/** A project of ana and ben without any mission. */
export async function project({ bench }: Desk): Promise<ProjectView> {
  await foundProject(bench, [member(ANA), member(BEN)]);
  return bench.project();
}

export function documents(
  { bench, kit }: Desk,
  texts: readonly string[],
  isEncrypted = false,
): Promise<readonly DrawnDocument[]> {
  return drawDocuments(
    bench,
    kit,
    texts.map((text) => ({ content: utf8(text), mediaType: 'text/plain', isEncrypted })),
  );
}

export type Opening = { readonly id: string; readonly ref: string; readonly shelf: string; readonly act: Act };

/** Opens a mission whose proposal is the first of its documents, and notes the second. */
export function opening(project: ProjectView, drawn: readonly DrawnDocument[]): Opening {
  const id = randomUUID();
  const ref = missionRef(id);
  const about = { entity_type: 'mission', entity_id: id, task_id: id } as const;
  const act: Act = {
    documents: drawn,
    decide: (_, { projectHead: grew_from }) => {
      const { project_id } = project.tip.state!;
      const proposal = drawn[0]?.digest ?? null;
      return accept([
        { event_type: 'mission.opened', ...about, payload: { mission_id: id, project_id, proposal, grew_from } },
        ...drawn.slice(1).map(noteOn(id)),
      ]);
    },
  };
  return { id, ref, shelf: artifactsRef(ledgerName(ref)), act };
}

export const INCOMING = 'refs/lazarus/incoming/5a5a';

/** Moves the reference for handed over work on from where it is. */
export function handingOver({ bench }: Desk, text: string): () => Promise<Change> {
  const object = gitObject(nodeCrypto, 'blob', utf8(text));
  return async () => ({
    objects: [object],
    updates: [{ ref: INCOMING, old: await bench.place.head(INCOMING), next: object.oid }],
  });
}

/** A mission that stands already, with a desk's worth to act on it. */
export async function standing(desk: Desk): Promise<Opening & { readonly view: ProjectView }> {
  const view = await project(desk);
  const opened = opening(view, []);
  taken(await new MissionDesk(desk.bench, { ref: opened.ref, signer: ANA, project: view }).transact(opened.act));
  return { ...opened, view };
}
