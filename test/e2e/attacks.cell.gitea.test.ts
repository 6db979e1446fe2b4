// The attacks that a real server decides, played on one: the attacker has a real account or job and really does it, and what
// the server, the ledgers and the jobs hold afterwards is looked at. docs/attacks.md has all of them, with those played elsewhere.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lazarus } from '../support/cli.ts';
import type { Runner } from '../support/gitea/runner.ts';
import { patientAgent } from '../support/patient-agent.ts';
import { everyObject } from '../support/repos.ts';
import { agents, hostileAgent } from './attacks/agents.ts';
import { floods } from './attacks/floods.ts';
import { names } from './attacks/names.ts';
import { attackedPlace, AT, type Place } from './attacks/place.ts';
import { FOR_CELLS, waiting } from './attacks/waiting.ts';
import { words } from './attacks/words.ts';
import { zombies } from './attacks/zombies.ts';

const AGENT = 'tools/example-agent.sh';
const canary = (): string => `canary-${randomBytes(18).toString('hex')}`;
/** In a variable that is named like a secret, in one that is not, and in a file of the runner's user. */
const CANARIES = { MODEL_TOKEN: canary(), PLAIN_WORDS: canary(), file: canary() };
const { file: inFile, ...inVariables } = CANARIES;

/** What lazarus's own workflows never do, to see that it would work. */
const NAIVE = `on: { workflow_dispatch: { inputs: { text: { type: string } } } }
jobs:
  naive:
    runs-on: lazarus-gate
    steps:
      - run: |
          echo "\${{ inputs.text }}"
`;
const EXPOSED = `on: { workflow_dispatch: { inputs: { text: { type: string } } } }
jobs:
  exposed:
    runs-on: lazarus-cell
    steps:
      - run: test -n "$MODEL_TOKEN" && test -n "$PLAIN_WORDS" && test -s "$HOME/notes.txt" && echo "this job has it"
`;

const agent = patientAgent();
let place: Place;
let cells: Runner;
const at = (): Place => place;

beforeAll(async () => {
  const script = readFileSync(new URL(`../../templates/example/${AGENT}`, import.meta.url), 'utf8');
  place = await attackedPlace((gitea) =>
    Promise.resolve({
      [AGENT]: script.replace(/^(#!.*\n)?/, (first) => `${first}${hostileAgent(gitea, agent)}`),
      '.gitea/workflows/naive.yaml': NAIVE,
      '.gitea/workflows/exposed.yaml': EXPOSED,
    }),
  );
}, 300_000);
afterAll(() => place?.stop());

words(at);
floods(at);
waiting(
  at,
  async () => {
    cells = await place.team.addRunner({ ...FOR_CELLS, env: inVariables });
    writeFileSync(join(cells.home, 'notes.txt'), inFile);
  },
  agent,
);
agents(at, Object.values(CANARIES));
zombies(at, () => cells, agent);
names(at);

describe('after all of that', () => {
  it('every ledger verifies but the one that was forged, and that is said of it', async () => {
    const { code, stdout } = await lazarus(['verify', '--json', '--genesis', place.team.genesis], {
      cwd: place.mirror(),
    });
    const { reports } = JSON.parse(stdout);
    expect(code).toBe(6);
    expect(reports.length).toBeGreaterThan(10);
    type Judged = { readonly integrity: { readonly is: string } };
    expect(reports.filter(({ integrity }: Judged) => integrity.is === 'refused')).toHaveLength(1);
  });

  it('no canary, key or token is anywhere: not in a log, an issue, a comment, a pull request or anything that git keeps', async () => {
    const { team } = place;
    const api = team.ana.api;
    const paged = async (path: string): Promise<string> => {
      let text = '';
      for (let page = 1; ; page++) {
        const found: readonly unknown[] = await api('GET', `${AT}${path}&limit=50&page=${page}`);
        if (found.length === 0) return text;
        text += JSON.stringify(found);
      }
    };
    const seen = {
      logs: await place.logs(),
      issues: await paged('/issues?state=all'),
      comments: await paged('/issues/comments?'),
      objects: everyObject(place.mirror()),
    };
    // Whatever is there is found by this look.
    for (const text of Object.values(seen)) expect(text.length).toBeGreaterThan(10_000);
    expect(seen.comments).toContain('awaiting approval');
    expect(seen.objects).toContain('look around');
    for (const secret of [...Object.values(CANARIES), ...team.secrets])
      for (const spelling of [
        secret,
        Buffer.from(secret).toString('base64').slice(0, -4),
        Array.from(secret).toReversed().join(''),
      ])
        for (const [where, text] of Object.entries(seen))
          expect(text.includes(spelling), `${secret.slice(0, 8)}… in ${where}`).toBe(false);
    expect(seen.logs).not.toMatch(/:\/\/[^/\s:@]+:[^/\s@]+@/);
  });
});
