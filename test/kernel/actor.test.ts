// Who may sign in whose name: an event says who acted, the signature says who vouches for it.
import { describe, expect, it } from 'vitest';
import { ingress, proposal } from '../support/course/asked.ts';
import { uuid } from '../support/events.ts';
import { CAST, castRoster, DIGEST, fact, openedMission, openedProject, STRANGER, when } from '../support/given.ts';

const note = { bytes: 1, digest: DIGEST, media_type: 'text/plain' };
const entity = uuid('note');

describe('an actor who is not the signer', () => {
  it.each(['gate', 'writer'] as const)('is vouched for by a %s', (role) => {
    const said = fact('note.recorded', note, CAST[role], { entity, actor: 'person' });
    expect(when(openedMission(), said, CAST[role])).toMatchObject({ is: 'accepted' });
  });

  it.each(['gate', 'writer'] as const)('is nobody, whoever vouches: a %s cannot invent principals', (role) => {
    const said = fact('note.recorded', note, CAST[role], { entity, actor: 'nobody-on-any-roster' });
    expect(when(openedMission(), said, CAST[role])).toMatchObject({ code: 'actor_unknown' });
  });

  it('is of the type that the roster has: no webhook becomes a person', () => {
    const said = fact('note.recorded', note, CAST.gate, { entity, actor: 'person', actor_type: 'webhook' });
    expect(when(openedMission(), said, CAST.gate)).toMatchObject({
      code: 'actor_mismatch',
      facts: { roster_type: 'user' },
    });
  });

  it('may be a stranger in what comes in, and nowhere else', () => {
    const said = { ...ingress(), actor_id: 'somebody-on-the-forge' };
    expect(when(openedMission(), said, CAST.gate)).toMatchObject({ is: 'accepted' });
    const proposed = { ...proposal(), actor_id: 'somebody-on-the-forge' };
    expect(when(openedMission(), proposed, CAST.gate)).toMatchObject({ code: 'actor_unknown' });
  });

  it.each(['person', 'runner'] as const)('is not vouched for by a %s', (role) => {
    const said = fact('note.recorded', note, CAST[role], { entity, actor: 'gate' });
    expect(when(openedMission(), said, CAST[role])).toMatchObject({ code: 'actor_mismatch' });
  });

  it('does not lend the signer a role: a gate cannot sign what only a runner may, whoever acted', () => {
    const said = fact('task.started', {}, CAST.gate, { task: uuid('task'), actor: 'runner' });
    expect(when(openedMission(), said, CAST.gate)).toMatchObject({ code: 'role_not_allowed' });
  });

  it('is refused in a project’s first event as well', () => {
    const said = fact('project.opened', { roster: castRoster() }, CAST.root, { actor: 'gate' });
    expect(when(undefined, said, CAST.root)).toMatchObject({ code: 'actor_mismatch' });
  });
});

describe('a signer', () => {
  it('cannot call itself another type of principal than the roster does', () => {
    const said = fact('note.recorded', note, CAST.gate, { entity, actor_type: 'agent' });
    expect(when(openedMission(), said, CAST.gate)).toMatchObject({
      code: 'actor_mismatch',
      facts: { actor_type: 'agent', signer_type: 'user' },
    });
  });

  it('who is not on the roster signs nothing', () => {
    const said = fact('halt.declared', {}, STRANGER);
    expect(when(openedProject(), said, STRANGER)).toMatchObject({ code: 'signer_unknown' });
  });

  it('of a project’s first event must be on the roster that it brings', () => {
    const said = fact('project.opened', { roster: castRoster() }, STRANGER);
    expect(when(undefined, said, STRANGER)).toMatchObject({ code: 'signer_unknown' });
  });
});
