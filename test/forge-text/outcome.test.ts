// What a job tells the workflow, its log and its summary: exactly the outputs, whatever stands in the values.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logLine, outputFile, reportOf, type Outcome } from '../../src/forge-text/outcome.ts';
import type { StatusView } from '../../src/forge-text/status-view.ts';
import { missionStatusCheck, receiptsCheck, scopeCheck } from '../../src/forge-text/states.ts';
import { missingThing } from '../../src/forge-text/status-words.ts';
import { hostile } from '../support/hostile.ts';
import { seen } from '../support/markdown.ts';
import { AWAITING } from '../support/status.ts';

const OUTCOME: Outcome = {
  decision: 'continue',
  reasonCode: 'approval_recorded',
  next: 'cell',
  mission: 'm-0123456789ab',
  digest: '3f9c1a2b4d5e',
  seq: 37,
  receipts: ['4f1c', '5a2d'],
  wake: ['m-1111111111aa', 'm-2222222222bb'],
};
const DELIMITER = 'a'.repeat(32);

/** As a runner reads the file: a heredoc per output. */
function read(file: string): Record<string, string> {
  const found: Record<string, string> = {};
  const lines = file.split('\n');
  for (let i = 0; i < lines.length - 1; i++) {
    const [name = '', end = ''] = lines[i]!.split('<<');
    const value: string[] = [];
    for (i += 1; lines[i] !== end; i++) value.push(lines[i]!);
    found[name] = value.join('\n');
  }
  return found;
}

describe('the outputs', () => {
  it('are read back by a runner as they were', () => {
    const { result, ...rest } = read(outputFile(OUTCOME, DELIMITER));
    expect(rest).toEqual({
      decision: 'continue',
      'reason-code': 'approval_recorded',
      next: 'cell',
      mission: 'm-0123456789ab',
      digest: '3f9c1a2b4d5e',
      seq: '37',
      receipts: '4f1c,5a2d',
      wake: 'm-1111111111aa m-2222222222bb',
    });
    expect(JSON.parse(result!)).toMatchObject({
      schema_version: 1,
      reason_code: 'approval_recorded',
      seq: 37,
    });
    expect(
      read(outputFile({ ...OUTCOME, mission: null, digest: null, seq: null, receipts: [] }, DELIMITER)),
    ).toMatchObject({
      mission: '',
      digest: '',
      seq: '',
      receipts: '',
    });
  });

  it('cannot be added to by a value: a line break, or the delimiter itself, is refused', () => {
    for (const mission of [
      'm-1\nEOF\nnext<<X\nwriter\nX',
      `m-1\n${DELIMITER}\nnext=writer`,
      DELIMITER,
      'm\r',
      'm\u2028',
    ])
      expect(() => outputFile({ ...OUTCOME, mission }, DELIMITER)).toThrow(/^internal/);
    fc.assert(
      fc.property(hostile, (mission) => {
        try {
          expect(read(outputFile({ ...OUTCOME, mission }, DELIMITER))).toMatchObject({ next: 'cell', mission });
        } catch (error) {
          expect(String(error)).toMatch(/internal/);
        }
      }),
    );
  });

  it('need a delimiter that nobody guesses', () => {
    for (const delimiter of ['EOF', '', `${DELIMITER}\n`, 'a b'.repeat(10)])
      expect(() => outputFile(OUTCOME, delimiter)).toThrow(/^internal/);
  });
});

describe('a line of the log', () => {
  it('is never an instruction to the runner', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = logLine(text);
        expect(line).not.toMatch(/[\r\n\p{Cc}]/u);
        expect(line.startsWith('| ')).toBe(true);
      }),
    );
    expect(logLine('::add-mask::x\n##[command]y')).toBe('| ::add-mask::x ##[command]y');
  });
});

describe('the job summary', () => {
  it('has decision, effects, receipts and what checks them', () => {
    const view = {
      ...AWAITING,
      effects: [{ what: 'push branch', target: 'main', state: 'refused', because: 'outside_scope' } as const],
      receipts: [{ id: '4f1c', action: 'push_branch', outcome: 'refused' }],
    };
    const text = reportOf({ outcome: OUTCOME, view }).summary;
    expect(text).toContain('### continue: `approval_recorded`');
    expect(text).toContain('| `push branch` | `main` | refused | `outside_scope` |');
    expect(text).toContain('| `4f1c` | `push_branch` | `refused` |');
    expect(seen(text).code.at(-1)).toBe('lazarus verify m-0123456789ab\n');
    const outcome = { ...OUTCOME, next: 'none', decision: 'stop', reasonCode: 'parse_error' } as const;
    expect(reportOf({ outcome, view: null }).summary).toBe('### stop: `parse_error`\n\nNo job follows.\n');
  });

  it('shows hostile targets as code', () => {
    fc.assert(
      fc.property(hostile, (target) => {
        const { prose, links, images, html } = seen(
          reportOf({
            outcome: OUTCOME,
            view: { ...AWAITING, effects: [{ what: target, target, state: 'applied', because: target }] },
          }).summary,
        );
        expect({ links, images, html }).toEqual({ links: [], images: 0, html: [] });
        expect(prose).not.toMatch(/@|EVIL/);
      }),
    );
  });
});

describe('an attempt that failed', () => {
  const attempt = {
    no: 2,
    took: [
      { what: 'waiting', seconds: 4 },
      { what: 'agent', seconds: 3725 },
      { what: 'checks', seconds: 61 },
    ],
    failure: {
      paths: [{ path: 'src/@all `#1`.sh', because: 'outside_scope' }],
      commands: [{ command: 'npm test', how: 'exit 1' }],
      known: ['the agent ended with exit code 3'],
      printed: { by: 'npm test', lines: ['1 failed', '::error::EVIL', '</details>'] },
      kept: { commit: 'c'.repeat(40), until: '2026-12-03', line: 'lazarus diff m-0123456789ab --attempt 2' },
    },
  };
  const view: StatusView = {
    ...AWAITING,
    state: 'failed',
    because: { code: 'verify_failed', says: 'it says', next: 'do this' },
    attempt,
  };

  it('stands in the log with what is known, who does what next, and nothing that the runner obeys', () => {
    expect(reportOf({ outcome: OUTCOME, view, failed: 'verify_failed' }).lines.map(logLine)).toEqual([
      '| verify_failed: The work did not pass its checks in a fresh cell.',
      '|   path: src/@all `#1`.sh (outside_scope)',
      '|   check: npm test (exit 1)',
      '|   known: the agent ended with exit code 3',
      '|   printed: 1 failed',
      '|   printed: ::error::EVIL',
      '|   printed: </details>',
      '|   kept: the work, until 2026-12-03: lazarus diff m-0123456789ab --attempt 2',
      '|   attempt: 2, waiting 4 s, agent 1 h 2 min, checks 1 min 1 s',
      '|   next: do this',
    ]);
  });

  it('says what to do where there is no page about it', () => {
    const [says, next, ...more] = reportOf({ outcome: OUTCOME, view: null, failed: 'agent_missing' }).lines;
    expect(says).toMatch(/^agent_missing: The agent’s program/);
    expect(next).toMatch(/^ {2}next: install it below \/usr/);
    expect(more).toEqual([]);
  });

  it('heads the summary, with the same', () => {
    const text = reportOf({ outcome: OUTCOME, view, failed: 'verify_failed' }).summary;
    expect(text).toMatch(/^### Failed: `verify_failed`\n\n`The work did not pass .*` Next: `do this`\n/);
    expect(text).toContain('- `` src/@all `#1`.sh `` (`outside_scope`)\n- the check `npm test`: `exit 1`\n');
    expect(text).toContain('Attempt 2 (`waiting 4 s`, `agent 1 h 2 min`, `checks 1 min 1 s`).');
    const { links, images, prose } = seen(text);
    expect({ links, images }).toEqual({ links: [], images: 0 });
    expect(prose).not.toMatch(/@all|EVIL/);
  });

  it('is told where lazarus itself could not go on', () => {
    const outcome = { ...OUTCOME, next: 'none', decision: 'failure', reasonCode: 'sandbox_missing' } as const;
    expect(reportOf({ outcome, view: null }).summary).toMatch(
      /Bubblewrap is not installed.*Next: `whoever keeps the runner/s,
    );
  });
});

describe('commit statuses', () => {
  it('say the one missing thing', () => {
    expect(missionStatusCheck('awaiting', missingThing(AWAITING))).toEqual({
      context: 'lazarus/mission',
      state: 'pending',
      description: 'awaiting approval: 1 of 2 approvals of the plan 3f9c1a2b4d5e',
    });
    expect(missionStatusCheck('done', '')).toEqual({
      context: 'lazarus/mission',
      state: 'success',
      description: 'done',
    });
    expect(missingThing({ ...AWAITING, asked: null, because: { code: 'ref_moved', says: '' } })).toBe('ref_moved');
    expect(missingThing({ ...AWAITING, asked: null, waitsFor: 'm-1111111111aa' })).toBe('m-1111111111aa holds a path');
  });

  it('are red for a state that is none to merge under', () => {
    for (const state of ['rejected', 'failed', 'cancelled', 'expired', 'invalid'] as const)
      expect(missionStatusCheck(state, '').state).toBe('failure');
    expect(receiptsCheck('m-0123456789ab', 1, true)).toMatchObject({
      state: 'success',
      description: expect.stringContaining('1 receipt of'),
    });
    expect(receiptsCheck('m-0123456789ab', 3, false).state).toBe('pending');
    expect(scopeCheck(2, [])).toMatchObject({ state: 'success' });
    expect(scopeCheck(2, ['.gitea/x'])).toMatchObject({
      state: 'failure',
      description: expect.stringContaining('.gitea/x'),
    });
  });

  it('fit into 140 characters, whatever a path is called', () => {
    for (const path of ['x'.repeat(500), '\u202e\n\u0007'.repeat(100)]) {
      const { description } = scopeCheck(1, [path]);
      expect(description.length).toBeLessThanOrEqual(140);
      expect(description).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });
});
