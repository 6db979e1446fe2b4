// The runbook: that each fault has its section, in one form, and that what it quotes of an issue is what people see there
// and what comes of the line that it names, with the jobs of a forge in a plain folder. Its console blocks are run as
// those of every page (test/transcripts).
import { writeFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { workOn } from '../../src/app/gate/turns.ts';
import { git } from '../support/repos.ts';
import { approved, cell, gateTurn, heal, jobSite, writer } from '../app/gate/jobs.ts';
import { gateSite, lineOf, RUNNER, type GateSite } from '../app/gate/gate-site.ts';
import { alike, PARTS, runbook, shows, typedIn, type Section } from './runbook-page.ts';

const { head, sections } = runbook();
const FAULTS = [
  'Dead agent',
  'Dead runner',
  'Forge down',
  'Lost event',
  'Disk full',
  'Expired key',
  'Rolled-back branch',
  'Edited approval',
  'Drifted label',
  'Stuck approval',
  'Zombie writer',
  'Exhausted budget',
];

describe('the page', () => {
  it('has a section for each fault, and a row that leads there with the same line to type', () => {
    expect(sections.map(({ fault }) => fault)).toEqual(FAULTS);
    const rows = head.split('\n').filter((line) => line.startsWith('| ['));
    expect(rows).toHaveLength(FAULTS.length);
    for (const [i, { fault, parts }] of sections.entries()) {
      expect(rows[i]).toContain(`| [${fault}](#${fault.toLowerCase().replaceAll(' ', '-')}) |`);
      for (const line of typedIn(parts[1]!)) expect(rows[i]).toContain(`\`${line}\``);
    }
  });

  it.each(sections.map((section) => [section.fault, section] as const))(
    '%s: what you see, one line to type where it is typed, what comes of it, and the tests',
    (_, { text, parts }) => {
      expect(parts).toHaveLength(PARTS.length);
      const typed = typedIn(parts[1]!);
      expect(typed.length).toBeGreaterThanOrEqual(1);
      // At a terminal, and in an issue.
      expect(typed.filter((line) => line.startsWith('/')).length).toBeLessThanOrEqual(1);
      expect(typed.filter((line) => !line.startsWith('/')).length).toBeLessThanOrEqual(1);
      expect(text).toMatch(/^Tests: .*\]\(\.\.\/test\//m);
    },
  );
});

const held = new Set<readonly string[]>();
afterAll(() => {
  const all = sections.flatMap(({ quotes }) => quotes);
  expect(all.filter((quote) => !held.has(quote))).toEqual([]);
});

/** The next quote of a fault is shown in the issue: by a comment of lazarus, or by its labels. */
function quotesOf(fault: string) {
  const quotes = [...sections.find((one) => one.fault === fault)!.quotes];
  return async (at: GateSite, issue: number): Promise<void> => {
    const quote = quotes.shift()!;
    held.add(quote);
    const labels = (await at.labels(issue)).map((label) => `\`${label}\``);
    const seen = [...(await at.ours(issue)), `Labels: ${labels.join(' ')}`];
    if (!seen.some((text) => shows(text, quote)))
      expect(seen.map(alike).join('\n\n')).toBe(quote.map(alike).join('\n'));
  };
}

/** What the page says to type in the issue; a digest in it is the one that was asked for. */
function lineFor(fault: string, asked?: string): string {
  const line = typedIn(partsOf(fault)[1]!).find((one) => one.startsWith('/'))!;
  if (asked === undefined) return line;
  expect(alike(asked)).toBe(alike(line));
  return asked;
}

function partsOf(fault: string): Section['parts'] {
  return sections.find((one) => one.fault === fault)!.parts;
}

describe('a dead runner', () => {
  it('is taken for dead, and another attempt follows without anybody', async () => {
    const shown = quotesOf('Dead runner');
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    const onPoint = (step: string): void => {
      if (step === 'spawned') throw new Error('the machine is gone');
    };
    await expect(workOn(await jobSite(at, RUNNER, { onPoint }), mission, 'cell')).rejects.toThrow();
    at.clock.aheadSeconds = 60;
    await heal(at);
    await shown(at, issue);
    at.clock.aheadSeconds = 200;
    await heal(at);
    await shown(at, issue);
    await shown(at, issue);
    await gateTurn(at, 'ana', issue, lineFor('Dead runner'));
    await shown(at, issue);
    await cell(at, mission);
    await writer(at, mission);
    await shown(at, issue);
  });
});

describe('a lost event', () => {
  it('is found by the schedule, and what is typed again counts', async () => {
    const shown = quotesOf('Lost event');
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const line = lineOf((await at.ours(issue))[0]!);
    await at.unheard('ben', issue, line);
    await heal(at);
    await shown(at, issue);
    await gateTurn(at, 'ben', issue, lineFor('Lost event', line));
    await shown(at, issue);
  });
});

describe('a full disk of a runner', () => {
  it('costs an attempt; the next one begins when somebody says so', async () => {
    const shown = quotesOf('Disk full');
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    const full = { spawn: () => writeFile('/dev/full', 'x') as never };
    const ran = await cell(at, mission, { cells: (cells) => ({ ...cells, ...full }) });
    expect(ran.outcome).toMatchObject({ decision: 'failure', reasonCode: 'disk_full' });
    await writer(at, mission);
    await shown(at, issue);
    await gateTurn(at, 'ben', issue, lineFor('Disk full'));
    await shown(at, issue);
  });
});

describe('a ledger that was rolled back on the forge', () => {
  it('is named in the place of the status, with the line of the page', async () => {
    const shown = quotesOf('Rolled-back branch');
    const at = await gateSite();
    const { issue, mission } = await approved(at);
    const ref = `refs/heads/lazarus/${mission}`;
    git(at.server, ['update-ref', ref, `${ref}~1`]);
    await heal(at);
    await shown(at, issue);
  });
});

describe('an approval that was edited', () => {
  it('counts as it was typed until whoever gave it takes it back', async () => {
    const shown = quotesOf('Edited approval');
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const voted = await at.say('ben', issue, lineOf((await at.ours(issue))[0]!));
    await at.forge.editComment(voted, 'never mind');
    await heal(at);
    await shown(at, issue);
    await gateTurn(at, 'ben', issue, lineFor('Edited approval'));
    await shown(at, issue);
  });
});

describe('a label that drifted', () => {
  it('changes nothing, and is put right by whoever asks', async () => {
    const shown = quotesOf('Drifted label');
    const at = await gateSite();
    const { issue } = await at.file('ana');
    const refs = at.refs();
    await at.forge.addLabels(issue, ['mission/done']);
    await shown(at, issue);
    await shown(at, issue);
    await gateTurn(at, 'carol', issue, lineFor('Drifted label'));
    await shown(at, issue);
    expect(at.refs()).toBe(refs);
  });
});
