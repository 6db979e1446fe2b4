// The one step that follows a refusal: there for every reason, to be typed where the reader stands, and understood there.
import { describe, expect, it } from 'vitest';
import { VERBS } from '../src/forge-text/commands.ts';
import { readComment } from '../src/forge-text/grammar.ts';
import { nextForFlaw, nextLine } from '../src/next-line.ts';
import { REASONS, type ReasonCode } from '../src/reasons.ts';
import { COMMANDS } from '../src/surfaces/cli/commands.ts';
import { buildProgram } from '../src/surfaces/cli/program.ts';

const CODES = Object.keys(REASONS) as ReasonCode[];
const COMMENT = new RegExp(String.raw`(?:^|\s)/(?:${VERBS.join('|')})\b`);
const MISSION = 'm-0123456789ab';
const DIGEST = 'a34c9c6a2445'.padEnd(64, '0');

/** Every `lazarus …` of a step, as words, with something in place of what the reader fills in. */
function typed(step: string): string[][] {
  return [...step.matchAll(/(?<![/.\w])lazarus ([^,;]+)/g)].map(([, words]) =>
    words!
      .replaceAll(/<[^>]*>/g, '7')
      .trim()
      .split(' '),
  );
}

/** What the command line says against it; undefined where it takes it. */
async function refusedBy(words: readonly string[]): Promise<string | undefined> {
  const program = buildProgram(COMMANDS, () => Promise.resolve());
  program.configureOutput({ writeOut: () => {} });
  for (const group of program.commands)
    for (const one of [group, ...group.commands]) one.configureOutput({ writeOut: () => {} });
  try {
    await program.parseAsync([...words], { from: 'user' });
    return undefined;
  } catch (error) {
    const { exitCode, message } = error as { exitCode: number; message: string };
    return exitCode === 0 ? undefined : message;
  }
}

describe('the next step', () => {
  it('is there for every reason, at a terminal and in an issue', () => {
    for (const code of CODES)
      for (const reader of ['terminal', 'issue'] as const) expect(nextLine({ code }, reader), code).toMatch(/\S/);
  });

  it('is, where it is a command, one that the command line takes with these options', async () => {
    expect(await refusedBy(['plan'])).toBeDefined();
    expect(await refusedBy(['plan', '7', '--bogus'])).toBeDefined();
    const wrong: string[] = [];
    for (const code of CODES)
      for (const reader of ['terminal', 'issue'] as const)
        for (const words of typed(nextLine({ code }, reader))) {
          const because = await refusedBy(words);
          if (because !== undefined) wrong.push(`${code}: lazarus ${words.join(' ')}: ${because}`);
        }
    expect(wrong).toEqual([]);
  });

  it('is, where it is a comment, one that is understood', () => {
    for (const code of CODES) {
      const line = nextLine({ code, mission: MISSION, waits: DIGEST }, 'issue');
      if (line.startsWith('/')) expect(readComment(line), `${code}: ${line}`).toMatchObject({ is: 'accepted' });
    }
  });

  it('sends nobody in an issue to a terminal without saying so', () => {
    for (const code of CODES) {
      const line = nextLine({ code, mission: MISSION }, 'issue');
      if (/(?:^|[\s:])(?:lazarus|git|gpg|npm|chmod|export|ssh|bwrap|apt) \S|the same command| --[a-z]/.test(line))
        expect(line, code).toMatch(/terminal/);
    }
    expect(nextLine({ code: 'object_missing' }, 'issue')).toContain('whoever keeps the project');
  });

  it('sends nobody at a terminal into a comment without saying so', () => {
    for (const code of CODES) {
      const line = nextLine({ code }, 'terminal');
      if (COMMENT.test(line)) expect(line, code).toMatch(/comment/);
    }
  });

  it('after a vote for no digest or an old one is the same vote for the one that waits', () => {
    for (const code of ['digest_required', 'approval_stale'] as const) {
      const facts = { current: [DIGEST] };
      expect(nextLine({ code, facts, mission: MISSION }, 'terminal')).toBe(`lazarus approve ${MISSION} a34c9c6a2445`);
      expect(nextLine({ code, facts, mission: MISSION, verb: 'reject' }, 'terminal')).toBe(
        `lazarus reject ${MISSION} a34c9c6a2445`,
      );
      expect(nextLine({ code, facts: { command: 'reject' }, waits: DIGEST }, 'issue')).toBe('/reject a34c9c6a2445');
      expect(nextLine({ code, mission: MISSION }, 'issue')).toBe('/status');
    }
  });

  it('after a line that was nearly understood is that line as it should stand, and nothing that somebody else wrote', () => {
    const reading = readComment('/approve a34c9c6a2445 looks good');
    if (reading.is !== 'refused') throw new Error('not refused');
    expect(nextLine(reading, 'issue')).toBe('/approve a34c9c6a2445');
    expect(nextLine({ code: 'parse_error', facts: { instead: '/approve everything' } }, 'issue')).toBe('/help');
  });

  it('names the mission, the ledger and the digest where they are known', () => {
    expect(nextLine({ code: 'quorum_missing', mission: MISSION, facts: { digest: DIGEST } }, 'terminal')).toBe(
      `lazarus approve ${MISSION} a34c9c6a2445`,
    );
    expect(nextLine({ code: 'event_not_found', ledger: 'project' }, 'terminal')).toBe('lazarus ledger log project');
    expect(nextLine({ code: 'event_not_found', facts: { ledger: MISSION } }, 'terminal')).toContain(MISSION);
    expect(nextLine({ code: 'event_not_found', facts: { ledger: 'x; rm -r ~' } }, 'terminal')).toContain('<ledger>');
    expect(nextLine({ code: 'quorum_missing' }, 'terminal')).toBe('lazarus approve <mission> <digest>');
  });

  it('for a rule that a signed commit breaks is the repair, not what would have kept the rule', () => {
    expect(nextForFlaw({ code: 'self_approval', ledger: MISSION })).toBe('lazarus ledger repair --help');
    expect(nextForFlaw({ code: 'object_missing' })).toBe('git fsck');
    expect(nextForFlaw({ code: 'event_version_newer' })).toBe('npm install lazarus@latest');
  });
});
