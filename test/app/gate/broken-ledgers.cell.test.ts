// Ledgers that are not what they were: deleted, set back, or with garbage on their branch. Their issue says so by the next
// look at it, with who can put it right and how; nothing to approve stands there, and the line that is there works.
import { describe, expect, it } from 'vitest';
import { git } from '../../support/repos.ts';
import { gateSite, lineOf, type GateSite } from './gate-site.ts';
import { approved, gateTurn, heal } from './jobs.ts';

type Awaiting = { readonly at: GateSite; readonly issue: number; readonly ref: string; readonly mission: string };

async function awaiting(): Promise<Awaiting> {
  const at = await gateSite();
  const { issue } = await at.file('ana');
  // Planned twice, so that there is something to set it back to.
  await at.edit('ana', issue, { goal: 'Greet everybody by their name' });
  const mission = /mission=(m-[0-9a-f]{12})/.exec((await at.ours(issue))[0]!)![1]!;
  return { at, issue, mission, ref: `refs/heads/lazarus/${mission}` };
}

/** Of somebody who may push; the branch rules that `init` makes are not on this server. */
function garbageOn({ at, ref }: Awaiting): void {
  const garbage = git(at.server, ['commit-tree', '-p', ref, '-m', 'x', `${ref}^{tree}`]);
  git(at.server, ['update-ref', ref, garbage]);
}

const HARM: readonly (readonly [
  string,
  (here: Awaiting) => void,
  heading: string,
  line: (mission: string) => string,
])[] = [
  [
    'deleted',
    ({ at, ref }) => void git(at.server, ['update-ref', '-d', ref]),
    'its ledger is missing',
    (mission) => `lazarus ledger push origin ${mission}`,
  ],
  [
    'set back',
    ({ at, ref }) => void git(at.server, ['update-ref', ref, `${ref}~1`]),
    'its ledger was set back',
    (mission) => `lazarus ledger push origin ${mission}`,
  ],
  [
    'set back to before it began',
    ({ at, ref }) => void git(at.server, ['update-ref', ref, 'refs/heads/lazarus/project']),
    'its ledger was set back',
    (mission) => `lazarus ledger push origin ${mission}`,
  ],
  [
    'full of garbage',
    garbageOn,
    'its ledger cannot be read',
    (mission) => `lazarus ledger repair ${mission} --remote origin`,
  ],
];

describe('a ledger that was', () => {
  it.each(HARM)(
    '%s is named on its issue, once, and shows its status again when it is back',
    async (_, harm, heading, line) => {
      const here = await awaiting();
      const { at, issue, mission, ref } = here;
      const [before] = await at.ours(issue);
      const whole = git(at.server, ['rev-parse', ref]);
      harm(here);
      await heal(at);
      await heal(at);
      const [said, ...others] = await at.ours(issue);
      expect(others).toEqual([]);
      expect(said).toContain(`### ${mission} · ${heading}`);
      expect(said).toContain(line(mission));
      expect(said).not.toContain('/approve');
      expect(await at.labels(issue)).toEqual(['mission/blocked', 'tier/1']);
      git(at.server, ['update-ref', ref, whole]);
      await heal(at);
      expect(await at.ours(issue)).toEqual([before]);
      expect(await at.labels(issue)).toEqual(['mission/awaiting', 'tier/1']);
    },
  );

  it.each(HARM)('%s takes no vote, and whoever gives one reads why', async (_, harm, heading) => {
    const here = await awaiting();
    const { at, issue } = here;
    const line = lineOf((await at.ours(issue))[0]!);
    harm(here);
    const refs = at.refs();
    await expect(gateTurn(at, 'ben', issue, line)).rejects.toThrow();
    expect(at.refs()).toBe(refs);
    expect((await at.ours(issue))[0]).toContain(heading);
  });

  it('deleted after its approval is found by the registry, whoever took its pointer away as well', async () => {
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    for (const ref of [`refs/heads/lazarus/${mission}`, `refs/lazarus/open/${mission}`])
      git(at.server, ['update-ref', '-d', ref]);
    await heal(at);
    expect((await at.ours(issue))[0]).toContain(`### ${mission} · its ledger is missing`);
  });

  it('set back is not gone on from by a schedule: no event is written to it', async () => {
    const { at, ref } = await awaiting();
    git(at.server, ['update-ref', ref, `${ref}~1`]);
    at.clock.aheadSeconds = 73 * 3600;
    const refs = at.refs();
    await heal(at);
    expect(at.refs()).toBe(refs);
  });
});

describe('a status comment', () => {
  it('that somebody edited to more than there is stops the mission until it is deleted, and no longer', async () => {
    const { at, issue } = await awaiting();
    const [comment] = await at.forge.comments(issue);
    await at.forge.editComment(comment!.id, comment!.body.replace(/ seq=\d+ /, ' seq=999 '));
    await heal(at);
    expect((await at.ours(issue))[0]).toContain('delete this comment');
    await at.remove(comment!.id);
    await heal(at);
    expect((await at.ours(issue))[0]).toContain('/approve ');
  });
});
