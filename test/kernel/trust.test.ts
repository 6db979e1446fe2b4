// Cut-offs, annotations, repair and seal: what a team does when something went wrong, and how an attacker would use it.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { EVENT_TYPES, type EventOf, type EventType } from '../../src/kernel/event.ts';
import { mayStandIn } from '../../src/kernel/roles.ts';
import { rosterDigest } from '../../src/kernel/roster/roster.ts';
import type { State } from '../../src/kernel/state.ts';
import { uuid } from '../support/events.ts';
import { nextRoster, signedBy } from '../support/people.ts';
import { annotation, cutOff, exampleOf, repairOf, rosterUpdate, sealOf } from '../support/examples.ts';
import {
  CAST,
  PROJECT,
  RUT,
  after,
  castRoster,
  fact,
  missionAfter,
  openedMission,
  openedProject,
  projectAfter,
  when,
} from '../support/given.ts';

const project = openedProject();
const mission = openedMission();

describe('a cut-off', () => {
  function cut(state: State, payload: ReturnType<typeof cutOff>) {
    return when(state, fact('key.cut_off', payload, CAST.root), CAST.root);
  }

  it('is remembered with the heads that stay trusted', () => {
    const payload = cutOff();
    expect(after(cut(project, payload)).cut_offs).toEqual([payload.cut_off]);
  });

  it('cannot be voted for by the key it cuts off', () => {
    const payload = cutOff({ fingerprint: RUT.fingerprint }, [RUT]);
    expect(cut(project, payload)).toMatchObject({
      code: 'threshold_signer_outside_validity',
      facts: { fingerprint: RUT.fingerprint },
    });
  });

  it('cannot take the last root: nobody is left to sign it', () => {
    const [first, second] = [projectAfter(cut(project, cutOff({ fingerprint: RUT.fingerprint }))), CAST.root];
    const payload = cutOff({ fingerprint: second.fingerprint }, [RUT]);
    expect(cut(first, payload)).toMatchObject({ code: 'threshold_signer_outside_validity' });
  });

  it('bars the key from every later threshold', () => {
    const later = projectAfter(cut(project, cutOff({ fingerprint: RUT.fingerprint })));
    const update = fact('roster.updated', rosterUpdate(nextRoster(castRoster()), [RUT]), CAST.root);
    expect(when(later, update, CAST.root)).toMatchObject({ code: 'threshold_signer_outside_validity' });
    const note = { ...annotation({ ledger_id: PROJECT }, [RUT]) };
    expect(when(later, fact('trust.annotated', note, CAST.root, { task: PROJECT }), CAST.root)).toMatchObject({
      code: 'threshold_signer_outside_validity',
    });
  });

  it('is made once per key', () => {
    const later = after(cut(project, cutOff()));
    expect(cut(later, cutOff({ heads: [] }))).toMatchObject({ code: 'key_already_cut_off' });
  });

  it('counts in its own project and under the roster it was signed for only', () => {
    expect(cut(project, cutOff({ project_id: uuid('other') }))).toMatchObject({
      code: 'roster_other_project',
    });
    const update = fact('roster.updated', rosterUpdate(nextRoster(castRoster())), CAST.root);
    const later = after(when(project, update, CAST.root));
    expect(cut(later, cutOff())).toMatchObject({ code: 'statement_stale' });
  });

  it('is refused past the limit', () => {
    const { cut_off } = cutOff({ heads: [] });
    const others = Array.from({ length: 64 }, (_, i) => ({
      ...cut_off,
      fingerprint: String(i).padStart(40, '0'),
    }));
    expect(cut({ ...project, cut_offs: others }, cutOff())).toMatchObject({ code: 'limit_reached' });
    expect(cut({ ...project, cut_offs: others.slice(1) }, cutOff())).toMatchObject({ is: 'accepted' });
  });
});

describe('an annotation', () => {
  function annotate(changes: Parameters<typeof annotation>[0], state: State = mission) {
    return when(state, fact('trust.annotated', annotation(changes), CAST.root), CAST.root);
  }

  it('is remembered', () => {
    const { annotation: document } = annotation();
    expect(after(annotate({})).annotations).toEqual([document]);
  });

  it.each([
    ['of no event', { from: 5, until: 5 }],
    ['that runs backwards', { from: 5, until: 4 }],
    ['of itself or of what is still to come', { from: 5, until: 11 }],
  ])('%s is refused', (_, changes) => {
    expect(annotate(changes)).toMatchObject({ code: 'annotation_range_wrong' });
  });

  it('reaches up to the event before it', () => {
    expect(annotate({ from: 9, until: 10 })).toMatchObject({ is: 'accepted' });
  });

  it('counts in its own ledger and under the roster it was signed for only', () => {
    expect(annotate({ ledger_id: PROJECT })).toMatchObject({ code: 'statement_stale' });
    expect(annotate({ roster: 'ab'.repeat(32) })).toMatchObject({ code: 'statement_stale' });
  });

  it('is refused past the limit', () => {
    const { annotation: document } = annotation();
    const full = { ...mission, annotations: Array.from({ length: 256 }, () => document) };
    expect(annotate({}, full)).toMatchObject({ code: 'limit_reached' });
  });
});

describe('a repair', () => {
  it('needs the threshold', () => {
    const state = openedMission(openedProject(castRoster({ threshold: 2 })));
    const roster = nextRoster(state.roster).prev!;
    const one = fact('ledger.repaired', repairOf({ roster }, [CAST.root]), CAST.root);
    expect(when(state, one, CAST.root)).toMatchObject({ code: 'threshold_not_met' });
    const two = fact('ledger.repaired', repairOf({ roster }, [CAST.root, RUT]), CAST.root);
    const repaired = missionAfter(when(state, two, CAST.root));
    expect({ ...repaired, causes: state.causes }).toEqual(state);
  });

  it.each([{ ledger_id: PROJECT }, { roster: 'ab'.repeat(32) }])(
    'counts in its own ledger and under the roster it was signed for only: %o',
    (changes) => {
      const said = fact('ledger.repaired', repairOf(changes), CAST.root);
      expect(when(mission, said, CAST.root)).toMatchObject({ code: 'statement_stale' });
    },
  );
});

const seals = { project: sealOf({ ledger_id: PROJECT }), mission: sealOf() };

describe.each([
  ['project', project],
  ['mission', mission],
] as const)('the seal of a %s', (kind, state) => {
  const seal = (payload: EventOf<'ledger.sealed'>['payload'], judged: State = state) =>
    when(judged, fact('ledger.sealed', payload, CAST.root, { task: state.ledger_id }), CAST.root);

  it('is the threshold’s: one root below it ends nothing', () => {
    expect(seal(seals[kind])).toMatchObject({ is: 'accepted', value: { sealed: true } });
    const two = { ...state, roster: { ...state.roster, threshold: 2 } };
    expect(seal(seals[kind], two)).toMatchObject({ code: 'statement_stale' });
  });

  it('counts persons, and only roots', () => {
    const roster = nextRoster(state.roster, { threshold: 2 });
    const words = { ledger_id: state.ledger_id, roster: rosterDigest(nodeCrypto, roster) };
    const judged = { ...state, roster };
    expect(seal(sealOf(words), judged)).toMatchObject({ code: 'threshold_not_met' });
    expect(seal(sealOf(words, [CAST.root, CAST.person]), judged)).toMatchObject({
      code: 'threshold_signer_not_root',
    });
    expect(seal(sealOf(words, [CAST.root, RUT]), judged)).toMatchObject({ is: 'accepted' });
  });

  it('is for this ledger, under this roster, and for nothing else that roots sign', () => {
    expect(seal(sealOf({ ledger_id: uuid('another') }))).toMatchObject({ code: 'statement_stale' });
    expect(seal(sealOf({ ledger_id: state.ledger_id, roster: 'ab'.repeat(32) }))).toMatchObject({
      code: 'statement_stale',
    });
    const { seal: document } = seals[kind];
    const other = { seal: document, signatures: signedBy([CAST.root], 'annotation', document) };
    expect(seal(other)).toMatchObject({ code: 'threshold_signature_invalid' });
  });
});

describe.each([
  ['project', project],
  ['mission', mission],
] as const)('a sealed %s', (kind, state) => {
  const sealed = (): State =>
    after(when(state, fact('ledger.sealed', seals[kind], CAST.root, { task: state.ledger_id }), CAST.root));
  const types = [...EVENT_TYPES].filter((type) => mayStandIn(type as EventType, kind)) as EventType[];

  it.each(types)('takes no %s', (type) => {
    const { event } = exampleOf(type, CAST.root);
    expect(when(sealed(), event, CAST.root)).toMatchObject({ code: 'ledger_sealed' });
  });
});
