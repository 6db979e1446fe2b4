// The act that tests race, cut off and kill: a note with a document in the mission, a claim in the project, in one change.
import { randomUUID } from 'node:crypto';
import type { DrawnDocument } from '../../src/app/artifacts/documents.ts';
import type { Act } from '../../src/app/act.ts';
import { accept } from '../../src/kernel/verdict.ts';

export function noteOn(id: string) {
  const entity_id = randomUUID();
  return ({ digest, bytes, mediaType }: Pick<DrawnDocument, 'digest' | 'bytes' | 'mediaType'>) =>
    ({
      event_type: 'note.recorded',
      entity_type: 'note',
      entity_id,
      task_id: id,
      payload: { bytes, digest, media_type: mediaType },
    }) as const;
}

/** Claims paths for a mission in the project, with a document of the mission's and, if named, work that is handed over. */
export function claiming(
  id: string,
  drawn: readonly DrawnDocument[],
  { claims = ['src/**'], along }: { readonly claims?: readonly string[]; readonly along?: Act['along'] } = {},
): Act {
  return {
    documents: drawn,
    decide: () => accept(drawn.map(noteOn(id))),
    inProject: ({ project_id }, { genesis }) =>
      accept([
        {
          event_type: 'mission.registered',
          entity_type: 'mission',
          entity_id: id,
          task_id: project_id,
          payload: { mission_id: id, genesis, claims: [...claims] },
        },
      ]),
    ...(along === undefined ? {} : { along }),
  };
}
