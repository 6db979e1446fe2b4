// What a participant says at its listener, and through its inherited socket, from inside of a cell: both arrive in one stream,
// and both are answered alike.
import { expect, test } from 'vitest';
import { openCells } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { listening } from '../../../src/compose/listening.ts';
import type { Cell, CellSpec, PortMessage } from '../../../src/ports/cells.ts';
import { passableScratch, runIn } from '../../support/cells.ts';

const HOST = { host: 'pypi.org', port: 443, range: null };
const REACHING: Partial<CellSpec> = {
  reach: { hosts: [HOST], routes: [] },
  effects: ['push_branch'],
  brief: { 'brief.md': Buffer.from('## Mission\nGreet.\n'), 'brief.json': Buffer.from('{"mission":"Greet."}') },
};

async function ranIn(script: string, spec: Partial<CellSpec> = REACHING) {
  const cells = await openCells({ folder: passableScratch(), repositories: workRepositories, listen: listening });
  const ran = await runIn(cells, script, spec);
  await ran.cell.close();
  return ran;
}

async function saidBy({ events }: Cell): Promise<readonly PortMessage[]> {
  const messages: PortMessage[] = [];
  for await (const message of events) messages.push(message);
  return messages;
}

const post = (place: string, body: object): string =>
  `curl -sS http://127.0.0.1:3128${place} --data-binary '${JSON.stringify(body)}'; echo`;
const call = (name: string, given: object): string =>
  post('/_port/mcp', { jsonrpc: '2.0', id: name, method: 'tools/call', params: { name, arguments: given } });

test('lines, calls and the socket say the same, in order, and what was asked for is kept with its answer', async () => {
  const { cell, exit, out } = await ranIn(
    [
      post('/_port', { kind: 'heartbeat', body: { seq: 1 } }),
      call('heartbeat', { seq: 2 }),
      'sh /cell/.lazarus/port heartbeat 3',
      'sh /cell/.lazarus/port request push_branch',
      post('/_port', { kind: 'request', body: { what: 'host', target: 'pypi.org' } }),
      call('request', { what: 'host', target: 'evil.example.org:8080', why: 'curious' }),
      call('note', { text: 'The clock is off by an hour.' }),
      call('brief', {}),
      post('/_port', { kind: 'done', body: { all: 'well' } }),
    ].join('\n'),
  );
  expect(exit).toMatchObject({ reason: 'exited', code: 0, usage: { portMessages: 9, portRefused: 0 } });
  expect(await saidBy(cell)).toEqual([
    { kind: 'heartbeat', body: { seq: 1 } },
    { kind: 'heartbeat', body: { seq: 2 } },
    { kind: 'heartbeat', body: { seq: 3 } },
    { kind: 'done', body: { all: 'well' } },
  ]);
  expect(cell.port()).toMatchObject({
    notes: ['The clock is off by an hour.'],
    requests: [
      { what: 'push_branch', answer: { is: 'granted' } },
      { what: 'host', target: 'pypi.org', answer: { is: 'granted' } },
      {
        what: 'host',
        target: 'evil.example.org:8080',
        why: 'curious',
        answer: { is: 'refused', because: 'host_not_listed', allowing: 'hosts: ["evil.example.org:8080"]' },
      },
    ],
  });
  expect(out).toContain('## Mission\\nGreet.');
  expect(out).toMatch(/^\{"is":"granted".*after your work was verified/m);
});

test('a cell without a listener asks through its socket, and a script sees the answer', async () => {
  const ask = ['push_branch', 'post_comment', 'host evil.example.org:8080', "host 'a\"b'"];
  const { cell, out, err } = await ranIn(
    ask.map((words) => `sh /cell/.lazarus/port request ${words}; echo "exit $?"`).join('\n'),
    { effects: ['push_branch'] },
  );
  expect(out.match(/^exit .*$/gm)).toEqual(['exit 0', 'exit 1', 'exit 1', 'exit 2']);
  expect(err).toContain('no name that could be asked for');
  expect(cell.port().requests.map(({ answer }) => answer)).toMatchObject([
    { is: 'granted' },
    { is: 'refused', because: 'effect_unplanned', allowing: 'capabilities: [issue:comment]' },
    { is: 'refused', because: 'host_not_listed' },
  ]);
});
