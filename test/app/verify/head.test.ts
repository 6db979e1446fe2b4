// The newest commit alone, where its transaction changes who counts: what a clone of depth 1 can tell of it, and what a
// liar cannot make it say.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { verifyHead } from '../../../src/app/verify/verify-head.ts';
import { adoptEverywhere } from '../../../src/app/threshold/everywhere.ts';
import { removeMember, setMember } from '../../../src/app/threshold/roster-change.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import { applied, drafted } from '../../support/drafts.ts';
import { aProject, people, reportOf } from '../../support/project.ts';
import { git, scratch } from '../../support/repos.ts';
import { ANA, BO } from '../../support/people.ts';
import { taken } from '../../support/taken.ts';
import { aMission } from '../../support/workbench.ts';

describe('a head that changes the roster', () => {
  it('is whole alone, in the project and in the mission that takes it over for the first time', async () => {
    const { bench, path } = await aProject(people(ANA, BO));
    const mission = await aMission(bench);
    taken(await applied(bench, await drafted(bench, setMember('bo', { layer: 'L2' }), ANA), ANA));
    await adoptEverywhere(bench, await bench.project(), ANA);
    for (const ref of [PROJECT_REF, mission]) {
      expect((await reportOf(bench, ref)).integrity).toEqual({ is: 'ok' });
      expect(await alone(path, ref)).toEqual({ is: 'ok' });
    }
  });

  it('by somebody who leaves with it takes the commit before: a clone without that says so, and calls nothing whole', async () => {
    const { bench, path } = await aProject(people(ANA, BO));
    const mission = await aMission(bench);
    taken(await applied(bench, await drafted(bench, removeMember('bo'), ANA), ANA));
    taken(await bench.session(mission, BO, await bench.project()).submit({ decide: () => accept([]) }));
    expect((await reportOf(bench, mission)).integrity).toEqual({ is: 'ok' });
    expect((await bench.verifyHead(mission)).integrity).toEqual({ is: 'ok' });
    expect(await alone(path, mission)).toMatchObject({ is: 'refused', code: 'head_needs_history' });
  });
});

/** In a clone of depth 1. */
async function alone(path: string, ref: string) {
  const shallow = scratch('shallow');
  git(shallow, ['init', '-q', '--bare', '.']);
  git(shallow, ['fetch', '-q', '--depth=1', `file://${path}`, `+${ref}:${ref}`]);
  const reader = await openRepository(shallow);
  const { integrity } = await verifyHead({ crypto: nodeCrypto, reader, ref });
  await reader.close();
  return integrity;
}
