// What the words of a command say of where its program is; whoever plans looks there, and refuses what cannot begin.
import { expect, it } from 'vitest';
import { Environment } from '../../../src/kernel/policy/environment.ts';
import { startedBy, startedByText, type Around } from '../../../src/kernel/policy/programs.ts';

const node = Environment.parse({
  tools: ['/opt/node'],
  prepare: [['npm', 'ci']],
  makes: ['node_modules'],
  path: ['node_modules/.bin'],
});
const AROUND: Around = { backend: 'process', environments: [node] };
const starts = (path: string) => ({ is: 'of_tree', path, how: 'starts' });
const reads = (path: string) => ({ is: 'of_tree', path, how: 'reads' });
const nowhere = (path: string) => ({ is: 'nowhere', path });
const UNKNOWN = { is: 'unknown' };

it.each<[readonly string[], object]>([
  [['tools/agent'], starts('tools/agent')],
  [['./tools//agent', '--fast'], starts('tools/agent')],
  [['/cell/project/tools/agent'], starts('tools/agent')],
  [['/bin/sh', 'tools/agent.sh'], reads('tools/agent.sh')],
  [['python3.12', 'agent.py'], reads('agent.py')],
  [['/usr/bin/env', 'node', 'agent.mjs'], reads('agent.mjs')],
  [['/opt/node/bin/node', 'agent.mjs'], reads('agent.mjs')],
  [['/opt/agent/bin/run'], nowhere('/opt/agent/bin/run')],
  [['/opt/nodes/bin/node', 'agent.mjs'], nowhere('/opt/nodes/bin/node')],
  [['/cell/agent/bin/codex'], nowhere('/cell/agent/bin/codex')],
  [['/home/ana/agent'], nowhere('/home/ana/agent')],
  // Somebody else's to say: a name that is searched for, a place of the host, what is prepared, a text for a shell.
  [['codex', 'exec'], UNKNOWN],
  [['/usr/bin/codex'], UNKNOWN],
  [['/bin/sh', '-c', 'tools/agent.sh'], UNKNOWN],
  [['node_modules/.bin/agent'], UNKNOWN],
  [['node', 'node_modules/agent/main.js'], UNKNOWN],
  [['../elsewhere/agent'], UNKNOWN],
  [['node', '.'], UNKNOWN],
  [['env'], UNKNOWN],
])('%j', (argv, says) => {
  expect(startedBy(argv, AROUND)).toEqual(says);
});

it('knows what the agent’s own `install` brings, and what is of its toolchains', () => {
  const install = Environment.parse({ tools: ['/opt/agent'], prepare: [['x']], makes: ['bin'] });
  expect(startedBy(['/cell/agent/bin/codex'], { ...AROUND, install })).toEqual(UNKNOWN);
  expect(startedBy(['/opt/agent/run'], { ...AROUND, install })).toEqual(UNKNOWN);
});

it('says nothing of the places of another backend', () => {
  expect(startedBy(['/opt/agent/bin/run'], { ...AROUND, backend: 'docker' })).toEqual(UNKNOWN);
});

it.each<[string, object]>([
  ['sh test/greet.test.sh', reads('test/greet.test.sh')],
  ['  ./check.sh --all; echo done', starts('check.sh')],
  ['tools/check|tee log', starts('tools/check')],
  ['sh test/a.sh\nsh test/b.sh', reads('test/a.sh')],
  ['test "$(sh src/greet.sh Ada)" = x', UNKNOWN],
  ['"tools/my check"', UNKNOWN],
  ['tools/$NAME', UNKNOWN],
  ['sh "$FILE"', UNKNOWN],
  ['cd sub && ./run', UNKNOWN],
  ['NAME=x ./run', UNKNOWN],
  ['npm test', UNKNOWN],
  ['', UNKNOWN],
])('of the text for a shell %j', (text, says) => {
  expect(startedByText(text, AROUND)).toEqual(says);
});
