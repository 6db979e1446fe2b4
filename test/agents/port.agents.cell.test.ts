// The agents of the shipped presets as clients of the kernel port: told by one setting where it is, they find its tools by the
// protocol, call them by their own means, and what they say arrives.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readPreset, ready, type Ready } from '../support/agents.ts';
import { project, spawnIn } from '../support/cells.ts';
import { startModel } from '../support/models/endpoint.ts';
import type { ToolCall } from '../support/models/script.ts';

const MCP = 'http://127.0.0.1:3128/_port/mcp';
const ASKED = { what: 'host', target: 'pypi.org' };

type Client = {
  readonly setting: (home: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  readonly call: (tool: string, given: object) => ToolCall;
};

const CLIENTS: Readonly<Record<string, Client>> = {
  codex: {
    setting: (home) => ({
      ...home,
      '.codex/config.toml': `${home['.codex/config.toml']}\n[mcp_servers.lazarus]\nurl = "${MCP}"\n`,
    }),
    call: (tool, given) => ({
      tool: 'exec',
      text: `text(JSON.stringify(await tools.mcp__lazarus__${tool}(${JSON.stringify(given)})))`,
    }),
  },
  opencode: {
    setting(home) {
      const [path, text] = Object.entries(home).find(([name]) => name.endsWith('opencode.json'))!;
      const mcp = { lazarus: { type: 'remote', url: MCP, oauth: false } };
      return { ...home, [path]: JSON.stringify({ ...JSON.parse(text), mcp }) };
    },
    call: (tool, given) => ({ tool: `lazarus_${tool}`, arguments: { ...given } }),
  },
};

describe.each(Object.keys(CLIENTS))('%s', (name) => {
  const { setting, call } = CLIENTS[name]!;
  const { agent, route } = readPreset(name);
  let at: Ready | undefined;
  beforeAll(async () => {
    at = await ready(agent);
  }, 15 * 60_000);
  afterAll(() => at?.close());

  test('finds the tools of the kernel port, and is answered', async () => {
    const key = 'sk-example-0123456789abcdef';
    const model = await startModel({
      key,
      script: [
        { calls: [call('brief', {})] },
        { calls: [call('request', ASKED)] },
        { calls: [call('note', { text: 'The manual was wrong.' })] },
        { say: 'Nothing to do.' },
      ],
    });
    onTestFinished(model.close);
    const cell = await spawnIn(at!.cells, {
      ...at!.mounted,
      project: project({ 'README.md': 'hello\n' }),
      command: { argv: agent.command },
      env: agent.env,
      home: setting(agent.home),
      input: Buffer.from('Ask your supervisor.\n'),
      brief: { 'brief.md': Buffer.from('## Mission\nMake it say friday.\n') },
      reach: {
        hosts: agent.hosts,
        routes: [{ ...route, name: 'openai', origin: model.origin, range: '127.0.0.0/8', secret: key }],
      },
      limits: { wallMs: 100_000 },
    });
    let printed = '';
    for await (const { text } of cell.output) printed += text;
    const { code, usage } = await cell.exit;
    expect(code, printed).toBe(0);
    expect(model.asked[1]!.body).toContain('Make it say friday.');
    expect(model.asked[2]!.body).toContain('host_not_listed');
    expect(cell.port()).toMatchObject({
      notes: ['The manual was wrong.'],
      requests: [{ ...ASKED, answer: { is: 'refused', because: 'host_not_listed' } }],
    });
    expect(usage).toMatchObject({ portMessages: 3, portRefused: 0 });
    await cell.close();
  });
});
