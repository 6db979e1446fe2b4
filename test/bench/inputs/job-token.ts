// The token of a job of lazarus's gate, which ends with its job: one that a runner started stays until the bench is over. A
// person's token would have the forge start workflows for whatever is written with it, which no job's does.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PERMISSIONS, RUNNER_LABELS } from '../../../src/forge-text/workflows.ts';
import { TEAM_REPOSITORY, type Team } from '../../support/gitea/missions.ts';
import type { Bench } from '../bench.ts';

const WORKFLOW = 'stay.yaml';

export const STAYING: Readonly<Record<string, string>> = {
  [`.gitea/workflows/${WORKFLOW}`]: `on:
  workflow_dispatch:
    inputs: { address: { type: string, required: true } }
permissions: ${JSON.stringify(PERMISSIONS.gate)}
jobs:
  stay:
    runs-on: ${RUNNER_LABELS.gate}
    steps:
      - env: { TOKEN: "\${{ github.token }}", ADDRESS: "\${{ inputs.address }}" }
        run: |
          cat > stay.mjs <<'STAY'
          import { request } from 'node:http';
          const { ADDRESS, TOKEN } = process.env;
          await new Promise((over) => request(ADDRESS, { method: 'POST' }, over).on('error', over).end(TOKEN));
          STAY
          node stay.mjs
`,
};

/** Of a team that was started with these files, and whose runner has room for one job: it has none for others then. */
export async function tokenOfJob(bench: Bench, team: Team): Promise<string> {
  let heard: (token: string) => void;
  const token = new Promise<string>((resolve) => (heard = resolve));
  const waiting: ServerResponse[] = [];
  const server = createServer((incoming, outgoing) => {
    waiting.push(outgoing);
    let said = '';
    incoming.setEncoding('utf8').on('data', (part: string) => (said += part));
    incoming.on('end', () => heard(said.trim()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  bench.atEnd(() => {
    for (const answer of waiting) answer.end();
    server.close();
    server.closeAllConnections();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const dispatches = `/repos/${TEAM_REPOSITORY}/actions/workflows/${WORKFLOW}/dispatches`;
  await team.ana.api('POST', dispatches, { ref: 'main', inputs: { address } });
  return token;
}
