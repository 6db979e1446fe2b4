// How long a person waits in a clone of a project that has had many missions, whole process: all but a few of them are over,
// and must cost nothing. The clones talk to git's own HTTP server on this machine.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileKeys, keyPath } from '../../../src/adapters/keys/file-keys.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { WORKFLOW_PATHS } from '../../../src/forge-text/workflows.ts';
import type { Signer } from '../../../src/ports/keys.ts';
import { git } from '../../support/repos.ts';
import type { Bench } from '../bench.ts';
import { CLI_MAIN } from '../cli-main.ts';
import { pastReferences, registerPast } from '../inputs/past-missions.ts';
import { inRounds, median, ratios, timedMs } from '../measure.ts';
import { spawnBeside } from '../processes/spawned.ts';
import type { Line, Row } from '../row.ts';

export const manyMissions: Row = { name: 'a project of many missions', run };

const OPEN = 5;
const FEW = 10;
const MANY = 10_000;
const LOOKS_PER_ROUND = 3;
const LIMIT = { unit: '×', budget: { atMost: 1.5 }, needsQuiet: true } as const;
const execute = promisify(execFile);

async function run(bench: Bench): Promise<readonly Line[]> {
  const many = Math.min(MANY, bench.sizes.missions);
  const root = bench.path('many-missions');
  const server = join(root, 'server');
  mkdirSync(server, { recursive: true });
  const env = { ...process.env, HOME: root, GIT_CONFIG_GLOBAL: '/dev/null' };
  bench.say(`two projects with ${OPEN} missions that are open: one has had ${FEW}, one ${many}`);
  const work = join(root, 'work');
  const { missions, genesis } = await projectIn(work, env);
  const ana = await keyIn(root);
  let from = 0;
  for (const [name, had] of [
    ['few', FEW],
    ['many', many],
  ] as const) {
    const over = had - missions.length;
    await registerPast(work, ana, { from, to: over });
    from = over;
    host(work, { bare: join(server, `${name}.git`), missions, over });
  }
  const origin = await spawnBeside(bench, 'server', [server]).line();
  for (const name of ['few', 'many']) {
    git(root, ['clone', '-q', `${origin}/${name}.git`, name]);
    await lazarus(join(root, name), env, ['verify', 'project', '--genesis', genesis]);
  }
  const look = (name: string, args: readonly string[]) => async (): Promise<number> => {
    const each: number[] = [];
    for (let i = 0; i < LOOKS_PER_ROUND; i++) each.push(await timedMs(() => lazarus(join(root, name), env, args)));
    return median(each);
  };
  const lines: Line[] = [];
  for (const args of [
    ['status', missions[0]!],
    ['inbox', '--all'],
  ]) {
    bench.say(`lazarus ${args[0]}`);
    const took = await inRounds(bench.sizes.rounds, { few: look('few', args), many: look('many', args) });
    lines.push({
      ...LIMIT,
      what: `${args[0]}, of ${many} against of ${FEW}`,
      values: ratios(took.many, took.few),
      beside: `${median(took.many).toFixed(0)} ms against ${median(took.few).toFixed(0)} ms; ${OPEN} are open in both`,
    });
  }
  return lines;
}

type Env = NodeJS.ProcessEnv;

async function lazarus(cwd: string, env: Env, args: readonly string[]): Promise<string> {
  return (await execute(process.execPath, [CLI_MAIN, ...args, '--json'], { cwd, env })).stdout;
}

async function projectIn(
  work: string,
  env: Env,
): Promise<{ readonly missions: readonly string[]; readonly genesis: string }> {
  mkdirSync(work);
  git(work, ['init', '-q', '-b', 'main', '.']);
  for (const [name, value] of [
    ['user.name', 'Ana'],
    ['user.email', 'ana@example.org'],
  ])
    git(work, ['config', name!, value!]);
  // The agent that the policy of the template names: nobody runs it here.
  mkdirSync(join(work, 'tools'));
  writeFileSync(join(work, 'tools/example-agent.sh'), '#!/bin/sh\n', { mode: 0o755 });
  // By which clones know that a forge's jobs keep its missions.
  mkdirSync(join(work, '.gitea/workflows'), { recursive: true });
  writeFileSync(join(work, WORKFLOW_PATHS.caller), '# for nobody to run\n');
  git(work, ['add', '.']);
  git(work, ['commit', '-q', '-m', 'an agent']);
  const { genesis } = JSON.parse(await lazarus(work, env, ['init', '--name', 'ana', '--unprotected', '--commit']));
  const missions: string[] = [];
  for (let n = 0; n < OPEN; n++) {
    const args = ['propose', `Mission ${n}`, '--owns', `part-${n}/**`, '--verify', 'true'];
    missions.push(JSON.parse(await lazarus(work, env, args)).mission);
  }
  return { missions, genesis };
}

async function keyIn(home: string): Promise<Signer> {
  const store = fileKeys(keyPath({ HOME: home }), { gpg: undefined as never, crypto: nodeCrypto });
  const [key] = await store.list();
  return store.open(key!.fingerprint, () => Promise.reject(new Error('unprotected')));
}

/** As a forge has it: open missions by their pointers, the others as ledgers that nobody asks for. */
function host(
  work: string,
  { bare, missions, over }: { readonly bare: string; readonly missions: readonly string[]; readonly over: number },
): void {
  git(work, ['init', '-q', '--bare', bare]);
  git(work, ['push', '-q', '--mirror', bare]);
  git(bare, ['symbolic-ref', 'HEAD', 'refs/heads/main']);
  for (const key of ['http.receivepack', 'uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant'])
    git(bare, ['config', key, 'true']);
  const at = git(bare, ['rev-parse', `refs/heads/lazarus/${missions[0]}`]);
  for (const mission of missions) git(bare, ['update-ref', `refs/lazarus/open/${mission}`, at]);
  git(bare, ['fast-import', '--quiet'], pastReferences({ from: 0, to: over }));
  git(bare, ['pack-refs', '--all']);
}
