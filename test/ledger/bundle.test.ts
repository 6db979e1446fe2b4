// What a proof bundle shows to somebody who has nothing else, and how far its word goes.
import { beforeAll, describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { ProjectHistory } from '../../src/app/verify/project-history.ts';
import { base64, fromUtf8, hex } from '../../src/format/bytes.ts';
import type { Event } from '../../src/kernel/event.ts';
import { checkBundle, type BundleReport, type Known, type KnownProject } from '../../src/ledger/bundle.ts';
import { cosignedBytes } from '../../src/ledger/cosignature.ts';
import type { MissionState, ProjectState } from '../../src/kernel/state.ts';
import {
  ana,
  ben,
  bundleOf,
  eve,
  grewFrom,
  MISSION,
  missionEvent,
  missionMaterial,
  noteBy,
  PROJECT,
  projectEvent,
  stranger,
  world,
  type World,
} from '../support/bundles.ts';
import { rosterDigest } from '../../src/kernel/roster/roster.ts';
import { T0_SECONDS } from '../support/events.ts';
import { agreed } from '../support/people.ts';

let w: World;
beforeAll(() => {
  w = world();
});

function report(bytes: Uint8Array, known: Known = {}): BundleReport {
  const verdict = checkBundle(nodeCrypto, bytes, known);
  if (verdict.is === 'refused') throw new Error(`${verdict.code} ${JSON.stringify(verdict.facts)}`);
  return verdict.value;
}

function genesisOf({ project }: World): string {
  return project.tip.state!.project_genesis;
}

/** What somebody knows who verified this project ledger. */
function knowledge({ project, mission, roster0 }: World): KnownProject {
  const history = new ProjectHistory();
  const state = project.tip.state as ProjectState;
  history.add((mission.tip.state as MissionState).grew_from, { ...state, roster: roster0 });
  history.add(project.head, state);
  for (const { events } of project.transactions)
    for (const { index, bytes } of events) {
      const event = JSON.parse(fromUtf8(bytes)) as Event;
      const from = { index, leaf: hex(project.leaves[index]!) };
      if (event.event_type === 'roster.updated' || event.event_type === 'key.cut_off')
        history.addAdoptable(from, event.payload);
    }
  return history.asKnown(state.project_genesis);
}

describe('a proof bundle', () => {
  it.each([0, 1, 4, 11, 12, 13, 18])(
    'proves event %i of a mission with its signer, its commit and the newest head',
    (index) => {
      const { claim, head, ledger } = report(bundleOf(missionMaterial(w, index)));
      const transaction = w.mission.transactions.find(({ prevSize, size }) => index >= prevSize && index < size)!;
      const said = JSON.parse(new TextDecoder().decode(transaction.events.find((one) => one.index === index)!.bytes));
      expect(claim).toMatchObject({ is: 'event', index, event: said, carried_by: { size: transaction.size } });
      expect(head).toMatchObject(w.mission.head);
      expect(ledger).toMatchObject({ id: MISSION, kind: 'mission' });
    },
  );

  it('names the member behind each signature, and the roster that member was judged by', () => {
    const bySome = report(bundleOf(missionMaterial(w, 11)));
    expect(bySome.claim).toMatchObject({
      carried_by: { signer: { principal_id: 'eve', fingerprint: eve.fingerprint }, roster: 0 },
    });
    expect(bySome.head).toMatchObject({ signer: { principal_id: 'ben' }, roster: 1 });
    expect(bySome.judged_under).toEqual(w.project.head);
  });

  it('proves events of a project ledger', () => {
    const { ledger, claim, judged_under } = report(
      bundleOf({ claim: { is: 'event', index: 1 }, ledger: w.project.extracts([1]) }),
    );
    expect(ledger).toEqual({ id: PROJECT, kind: 'project', name: 'project' });
    expect(claim).toMatchObject({ event: { event_type: 'roster.updated' } });
    expect(judged_under).toEqual(w.project.head);
  });

  it('proves that today’s ledger continues what it was at an older head', () => {
    const bytes = bundleOf({
      claim: { is: 'continuation', old_size: 5 },
      ledger: w.mission.extracts([], [5]),
      project: grewFrom(w.project),
    });
    expect(report(bytes).claim).toMatchObject({
      is: 'continuation',
      old: { size: 5, signer: { principal_id: 'ana' } },
    });
  });

  it('is one canonical text: the same ledger gives the same bytes', () => {
    expect(bundleOf(missionMaterial(world(), 4))).toEqual(bundleOf(missionMaterial(w, 4)));
  });
});

describe('the trust in a proof', () => {
  it('is unpinned while nobody vouches for the genesis', () => {
    expect(report(bundleOf(missionMaterial(w, 4))).trust).toEqual({
      is: 'unpinned',
      project_genesis: genesisOf(w),
      disowned: [],
      rejected: [],
    });
  });

  it('is project_unconfirmed with the right genesis and nothing newer: somebody may have been cut off since', () => {
    expect(report(bundleOf(missionMaterial(w, 4)), { genesis: genesisOf(w) }).trust.is).toBe('project_unconfirmed');
  });

  it('is confirmed only where the checker has verified the project head itself', () => {
    const known = { genesis: genesisOf(w), project: knowledge(w) };
    expect(report(bundleOf(missionMaterial(w, 4)), known).trust.is).toBe('confirmed');
  });

  it('does not follow from the project alone: the genesis still has to be vouched for', () => {
    expect(report(bundleOf(missionMaterial(w, 4)), { project: knowledge(w) }).trust.is).toBe('unpinned');
  });

  it('ends for events of a key that the checker knows to be cut off', () => {
    const cutOff = { fingerprint: eve.fingerprint, heads: [], project_id: PROJECT, roster: '0'.repeat(64) };
    const project = { ...knowledge(w), cutOffs: [cutOff] };
    const { trust } = report(bundleOf(missionMaterial(w, 11)), { genesis: genesisOf(w), project });
    expect(trust).toMatchObject({ is: 'disowned', disowned: [{ fingerprint: eve.fingerprint, from: 11, until: 12 }] });
    expect(report(bundleOf(missionMaterial(w, 4)), { genesis: genesisOf(w), project }).trust.is).toBe('confirmed');
  });

  it('ends for events of a key that the shown ledger itself cuts off', () => {
    const own = world();
    const document = {
      fingerprint: eve.fingerprint,
      heads: [],
      project_id: PROJECT,
      roster: rosterDigest(nodeCrypto, own.roster1),
    };
    const cutOff = agreed([ana, ben], 'cut_off', document);
    own.project.say(ana, [projectEvent('key.cut_off', cutOff)]);
    own.mission.say(
      ana,
      [missionEvent('cut_off.adopted', { ...cutOff, from: own.project.newest() }, PROJECT)],
      own.project.head,
    );
    expect(report(bundleOf(missionMaterial(own, 11)), { genesis: genesisOf(own) }).trust.is).toBe('disowned');
    expect(report(bundleOf(missionMaterial(own, 4)), { genesis: genesisOf(own) }).trust.is).toBe('project_unconfirmed');
  });
});

describe('what the checker knows of the project', () => {
  it('unmasks a mission that stands on a head the project never had', () => {
    const honest = knowledge(w);
    const history = new ProjectHistory();
    history.add({ ...w.project.head, size: 1 }, w.project.tip.state as ProjectState);
    const project = { ...honest, knows: () => true, check: history.check.bind(history) };
    expect(checkBundle(nodeCrypto, bundleOf(missionMaterial(w, 4)), { project })).toMatchObject({
      code: 'project_head_unknown',
    });
  });

  it('unmasks a transaction under an old roster that cites a newer head', () => {
    const own = world();
    own.mission.rewindTo(7);
    own.mission.say(ana, [noteBy(ana, 70)], own.project.head);
    const bytes = bundleOf(missionMaterial(own, own.mission.tip.size - 1));
    expect(report(bytes).trust.is).toBe('unpinned');
    expect(checkBundle(nodeCrypto, bytes, { project: knowledge(own) })).toMatchObject({ code: 'roster_not_adopted' });
  });

  it('does not help with the bundle of another project', () => {
    const project = { ...knowledge(w), genesis: `sha256:${'0'.repeat(64)}` };
    expect(checkBundle(nodeCrypto, bundleOf(missionMaterial(w, 4)), { project })).toMatchObject({
      code: 'genesis_mismatch',
    });
  });
});

describe('a co-signature in a proof', () => {
  const cosigned = (by: typeof ana, size = w.mission.head.size, root = w.mission.head.root) => ({
    fingerprint: by.fingerprint,
    size,
    root,
    signature: base64(by.signNow(cosignedBytes(MISSION, size, root), T0_SECONDS)),
  });

  it('is reported with the member who gave it', () => {
    const bytes = bundleOf({ ...missionMaterial(w, 4), cosignatures: [cosigned(ana), cosigned(ben)] });
    expect(
      report(bytes)
        .cosigned_by.map((by) => by.principal_id)
        .toSorted(),
    ).toEqual(['ana', 'ben']);
  });

  it('does not count by somebody off the roster, or by a key whose time is over', () => {
    for (const by of [stranger, eve]) {
      const bytes = bundleOf({ ...missionMaterial(w, 4), cosignatures: [cosigned(by)] });
      expect(checkBundle(nodeCrypto, bytes)).toMatchObject({ code: 'cosignature_invalid' });
    }
  });

  it('over another root at the same size shows that two histories are told', () => {
    const bytes = bundleOf({
      ...missionMaterial(w, 4),
      cosignatures: [cosigned(ana, w.mission.head.size, 'ab'.repeat(32))],
    });
    expect(checkBundle(nodeCrypto, bytes)).toMatchObject({ code: 'fork_detected' });
  });
});
