// A project that its roots stopped, as an issue shows it: the status comment and `/why` say by whom, since when and whose turn
// it is, and nobody is asked for what would be refused.
import { expect, it } from 'vitest';
import { within } from '../../../src/kernel/decide/about.ts';
import { accept, refuse } from '../../../src/kernel/verdict.ts';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import { gateSite, lineOf, type GateSite } from './gate-site.ts';
import { heal } from './jobs.ts';
import { ANA } from '../../support/people.ts';
import { taken } from '../../support/taken.ts';

async function say(at: GateSite, type: 'halt.declared' | 'halt.lifted'): Promise<void> {
  taken(
    await at.bench.session(PROJECT_REF, ANA).submit({
      decide: (project) =>
        project === undefined
          ? refuse('ledger_not_opened')
          : accept([within(type, project.project_id, project.project_id, {})]),
    }),
  );
}

it('says so while it lasts, and asks for approval again when it is over', async () => {
  const at = await gateSite();
  const { issue } = await at.file('ana');
  const line = lineOf((await at.ours(issue))[0]!);
  await say(at, 'halt.declared');
  await heal(at);
  const [status] = await at.ours(issue);
  expect(status).toMatch(/\| Project stopped \| `by ana since \d{4}-[^`]+: nothing new is planned/);
  expect(status).toContain('`@ana` types at a terminal:\n\n```text\nlazarus unstop\n```');
  expect(status).not.toContain('/approve');

  expect(await at.comment('ben', issue, '/why')).toMatchObject({ reasonCode: 'shown' });
  const why = (await at.ours(issue)).at(-1)!;
  expect(why).toContain('The project is stopped `by ana since ');
  expect(why).toContain('lazarus unstop');
  expect(why).not.toContain('/approve');
  expect(await at.comment('ben', issue, line)).toMatchObject({ reasonCode: 'project_halted' });

  await say(at, 'halt.lifted');
  await heal(at);
  expect(lineOf((await at.ours(issue))[0]!)).toBe(line);
  expect(await at.comment('ben', issue, line)).toMatchObject({ reasonCode: 'approval_recorded' });
});

it('puts a form off that is filed meanwhile: it is answered once, and heard when the project goes on', async () => {
  const at = await gateSite();
  await say(at, 'halt.declared');
  const { issue } = await at.file('ana');
  await heal(at);
  const [putOff, ...others] = await at.ours(issue);
  expect(putOff).toContain('**`project_halted`**');
  expect(putOff).toContain('lazarus unstop; a form that was filed meanwhile is heard then');
  expect(others).toEqual([]);

  await say(at, 'halt.lifted');
  await heal(at);
  const [, status, ...more] = await at.ours(issue);
  expect(status).toContain('awaiting approval · 0 of 1');
  expect(more).toEqual([]);
  await heal(at);
  expect(await at.ours(issue)).toHaveLength(2);
  expect(await at.comment('ben', issue, lineOf(status!))).toMatchObject({ reasonCode: 'approval_recorded' });
});

it('lets nobody change a form that was put off, to have it heard as its author’s', async () => {
  const at = await gateSite();
  await say(at, 'halt.declared');
  const { issue } = await at.file('ana');
  await at.rewrite('ben', issue, { paths: '**' });
  await say(at, 'halt.lifted');
  const before = at.refs();
  await heal(at);
  await heal(at);
  expect(at.refs()).toBe(before);
  expect((await at.ours(issue)).at(-1)).toContain('**`proposal_unheard`**');
});
