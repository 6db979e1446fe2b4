// The shipped presets are policy as it is read, and go into one without changing a byte of what people wrote.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { evaluatePolicy } from '../../src/kernel/policy/evaluate.ts';
import { reachOf } from '../../src/kernel/policy/reach.ts';
import { SETUP_COMMANDS } from '../../src/surfaces/cli/setup-commands.ts';
import { readPolicyFile } from '../../src/documents/policy-file.ts';
import { placePreset } from '../../src/documents/preset.ts';
import { taken } from '../support/taken.ts';

const TEMPLATES = new URL('../../templates/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, TEMPLATES), 'utf8');
const POLICY = read('policy.yml');
const NAMES = readdirSync(new URL('agents/', TEMPLATES)).map((file) => file.replace(/\.yml$/, ''));

const KNOWN = SETUP_COMMANDS.find(({ path }) => path === 'policy add-agent')?.args?.[0]?.choices;

const place = (name: string, as = name, policy: string | undefined = POLICY) =>
  placePreset(policy, { text: read(`agents/${name}.yml`), name, as }, 'policy.yml');

/** What of `text` is not in `after`, in its order. */
function missing(text: string, after: string): readonly string[] {
  const lines = after.split('\n');
  return text.split('\n').filter((line) => {
    const at = lines.indexOf(line);
    if (at >= 0) lines.splice(0, at + 1);
    return at < 0;
  });
}

describe.each(NAMES)('the preset %s', (name) => {
  it('goes into the shipped policy, and every line of that is still there', () => {
    const { text, added } = taken(place(name));
    expect(missing(POLICY, text)).toEqual([]);
    expect(added[0]).toMatchObject({ under: 'agents', name });
    expect(taken(readPolicyFile(text, 'policy.yml')).agents['example']).toBeDefined();
  });

  it('brings all that it says, with its comments', () => {
    const { text } = taken(place(name));
    const said = read(`agents/${name}.yml`)
      .split('\n')
      .filter((line) => line.startsWith('  '));
    for (const line of said) expect(text.split('\n')).toContain(line);
  });

  it('names its agent as it is asked to', () => {
    const { text, added } = taken(place(name, 'robot'));
    expect(added[0]).toMatchObject({ under: 'agents', name: 'robot' });
    expect(Object.keys(taken(readPolicyFile(text, 'policy.yml')).agents)).toEqual(['example', 'robot']);
  });

  it('does not take the place of an agent', () => {
    expect(place(name, 'example')).toMatchObject({ is: 'refused', code: 'entry_not_inserted' });
  });

  it('is put into no policy that cannot be read', () => {
    expect(placePreset(undefined, { text: '', name, as: name }, 'policy.yml')).toMatchObject({
      code: 'policy_unreadable',
    });
    expect(place(name, name, `${POLICY}\nagnts: {}\n`)).toMatchObject({ code: 'policy_unreadable' });
  });

  it('brings a rule for all that its agent reaches: people are asked', () => {
    const profile = taken(readPolicyFile(taken(place(name, 'robot')).text, 'policy.yml'));
    const asked = reachOf(profile.agents['robot']!, {}).map((reaching) =>
      evaluatePolicy({ profile, version: 'sha256:0' }, { ...reaching, reversibility: 'reversible', tier: 1 }),
    );
    expect(asked.map(({ result }) => result)).toEqual(
      name === 'command' ? [] : ['require_approval', 'require_approval'],
    );
  });

  it('shows no agent the files of a branch that configure it', () => {
    const profile = taken(readPolicyFile(taken(place(name)).text, 'policy.yml'));
    expect(profile.agents[name]).toMatchObject({ trusts_base: false });
  });
});

describe('presets', () => {
  it('are those that the command line knows', () => expect(NAMES.toSorted()).toEqual(KNOWN));

  it('share a route and rules, and keep what stands there', () => {
    const { text } = taken(place('codex'));
    const mine = text.replace('max_calls: 300', 'max_calls: 7');
    expect(taken(place('opencode', 'opencode', mine))).toMatchObject({
      added: [{ name: 'opencode' }],
      kept: [{ name: 'openai' }, { name: 'prepare_from_npm' }, { name: 'ask_openai' }],
      routes: ['openai'],
    });
  });

  it('install exactly one package, by its digest and without scripts', () => {
    for (const name of ['codex', 'opencode']) {
      const { install, version } = taken(readPolicyFile(taken(place(name)).text, 'policy.yml')).agents[name]!;
      const lock = JSON.parse(install!.given['package-lock.json']!) as { packages: Record<string, any> };
      const [[path, one] = [], ...others] = Object.entries(lock.packages).filter(([path]) => path !== '');
      expect(others).toEqual([]);
      expect(one).toMatchObject({ integrity: expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/) });
      expect(one.version).toMatch(new RegExp(`^${version}(-linux-x64)?$`));
      expect(JSON.parse(install!.given['package.json']!)).toEqual({
        private: true,
        dependencies: { [path!.replace('node_modules/', '')]: one.version },
      });
      expect(install!.prepare).toEqual([['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund']]);
      expect(install!.offline).toEqual([]);
    }
  });
});
