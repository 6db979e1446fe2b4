// With what an agent ran, on every surface that is about it: version, prepared environment, hosts and routes, tokens stand in
// its birth, in the receipt of its run, and in the status.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startModel, type Model } from '../../support/models/endpoint.ts';
import { git } from '../../support/repos.ts';
import { json, ok, workshop, type Workshop } from '../../support/workshop.ts';

const KEY = 'sk-example-0123456789abcdef';
const POLICY = '.gitea/lazarus/policy.yml';
const REACH = ['hosts/docs.example.org:443', 'routes/model'];

/** Asks its model once, and does the example's work. */
const ASKS = String.raw`use IO::Socket::INET;
my $s = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => 3128) or die "no listener";
my $b = '{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"x","parameters":{}}}]}';
print $s "POST /_route/model/v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: " . length($b) . "\r\n\r\n$b";
local $/; print <$s>; exec '/bin/sh', 'tools/example-agent.sh';
`;

let at: Workshop;
let model: Model;
let mission = '';
beforeAll(async () => {
  model = await startModel({ key: KEY, script: [{ say: 'done', usage: null }] });
  at = await workshop();
  const agent = {
    command: ['/usr/bin/perl', '/cell/home/agent/asks.pl'],
    home: { 'asks.pl': ASKS },
    routes: ['model'],
    hosts: ['docs.example.org'],
    version: '1.2.3',
  };
  const route = `{ origin: '${model.origin}', range: 127.0.0.0/8, key: env:MODEL_KEY, allow: [POST /v1/chat/completions], usage: openai }`;
  const deps = `{ prepare: [[/bin/sh, -c, 'mkdir deps && echo said > deps/said']], makes: [deps] }`;
  const rules = [
    '{ name: ask, actions: [credentialed_api_call], resources: [routes/model], answer: require_approval }',
    `{ name: read, actions: [network_read], resources: ['hosts/docs.example.org:443'], answer: require_approval }`,
  ];
  const path = join(at.folder, POLICY);
  const text = readFileSync(path, 'utf8')
    .replace(
      /^agents:$/m,
      `routes:\n  model: ${route}\nenvironment:\n  deps: ${deps}\nagents:\n  asking: ${JSON.stringify(agent)}`,
    )
    .replace(/^rules:$/m, `rules:\n${rules.map((rule) => `  - ${rule}`).join('\n')}`);
  writeFileSync(path, text);
  git(at.folder, ['commit', '-q', '-am', 'policy']);
  await ok(at.run(['policy', 'adopt', '--yes', '--key', 'ana']));
  const one = await at.propose({ 'agent: example': 'agent: asking' });
  await at.approve(one);
  ({ mission } = one);
  await ok(at.run(['run', mission, '--quiet'], { env: { MODEL_KEY: KEY } }));
});
afterAll(async () => {
  at?.remove();
  await model?.close();
});

type Event = { readonly event_type: string; readonly payload: Readonly<Record<string, unknown>> };

it('the plan names agent and version', async () => {
  const { plan } = await json<{ plan: object }>(at.run(['status', mission, '--json']));
  expect(plan).toMatchObject({ agent: 'asking', agent_version: '1.2.3', reach: REACH });
});

it('its birth says what stands in its cell and what that opens, its end what it spent', async () => {
  const { events } = await json<{ events: readonly Event[] }>(at.run(['explain', mission, '--json']));
  const born = events.find(({ event_type, payload }) => event_type === 'cell.spawned' && payload.purpose === 'agent')!;
  expect(born.payload).toMatchObject({ reach: REACH, environment: [expect.stringMatching(/^sha256:/)] });
  const spent = events.flatMap(({ payload }) => (payload.spent as readonly object[] | undefined) ?? []);
  expect(spent).toMatchObject([{ route: 'model', calls: 1, guessed: 1 }]);
  const { stdout } = await ok(at.run(['explain', mission]));
  expect(stdout).toMatch(/closed the cell: exited, exit 0; spent on model: 1 call, \d+ tokens in, \d+ out \(guessed/);
});

it('the receipt of the run and the status say all of it', async () => {
  const { receipts } = await json<{ receipts: readonly { id: string; receipt_class: string }[] }>(
    at.run(['receipt', 'list', mission, '--json']),
  );
  const { id } = receipts.find(({ receipt_class }) => receipt_class === 'command_execution')!;
  const receipt = await json<{ ran: { environment: string[] }; cell: object }>(
    at.run(['receipt', 'show', mission, id, '--json']),
  );
  expect(receipt.ran).toMatchObject({ reach: REACH, spent: [{ route: 'model', calls: 1, guessed: 1 }] });
  expect(receipt.cell).toMatchObject({ agent: { name: 'asking', version: '1.2.3' } });
  const status = await json<{ environment: string[] }>(at.run(['status', mission, '--json']));
  expect(status).toMatchObject({ spent: [{ route: 'model', calls: 1, guessed: 1 }] });
  expect(status.environment).toEqual(receipt.ran.environment);
  const [key] = status.environment;
  for (const args of [
    ['receipt', 'show', mission, id],
    ['status', mission],
  ]) {
    const { stdout } = await ok(at.run(args));
    expect(stdout).toMatch(/agent +asking 1\.2\.3\n/);
    expect(stdout).toMatch(new RegExp(`prepared +${key}\n`));
    for (const reached of REACH) expect(stdout).toContain(reached);
    expect(stdout).toMatch(/spent +model: 1 call, \d+ tokens in, \d+ out \(guessed for all\)\n/);
  }
});
