// A supervisor of cells as a process of its own, so that tests can make it root or not, plant things in it and kill it.
// Arguments: folder, then JSON options. Prints one JSON line per thing that happened.
import { randomUUID } from 'node:crypto';
import { failureIn } from '../../../src/failure.ts';
import type { z } from 'zod';
import { openCells, openEnvironments } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { openListener } from '../../../src/adapters/listener/listener.ts';
import { Environment } from '../../../src/kernel/policy/environment.ts';
import type { CellLimits, ProjectBase } from '../../../src/ports/cells.ts';
import type { Reach } from '../../../src/ports/network.ts';
import { freshManifest } from '../../support/manifests.ts';

export type SupervisorOptions = {
  readonly shellText: string;
  /** Becomes this user first: root may do what a person's machine would refuse. */
  readonly uid?: number;
  readonly limits?: Partial<CellLimits>;
  readonly canaries?: readonly string[];
  readonly project?: ProjectBase;
  readonly brief?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Takes what the cell left. */
  readonly takesWork?: boolean;
  /** Prepared before. */
  readonly environment?: z.input<typeof Environment>;
  /** Every name is this machine's. */
  readonly reach?: Reach;
};

const [folder, options] = process.argv.slice(2);
const {
  shellText,
  uid,
  limits = {},
  canaries = [],
  project,
  brief = {},
  env = {},
  takesWork = false,
  environment,
  reach,
} = JSON.parse(options!) as SupervisorOptions;

if (uid !== undefined) {
  process.setgroups!([uid]);
  process.setgid!(uid);
  process.setuid!(uid);
}
try {
  const resolve = () => Promise.resolve(['127.0.0.1']);
  const at = {
    folder: folder!,
    repositories: workRepositories,
    listen: (reached: Reach) => openListener(reached, { resolve }),
  };
  const cells = await openCells(at);
  tell({ is: 'probe', probe: await cells.probe() });
  const cellId = randomUUID();
  if (environment !== undefined) {
    const environments = openEnvironments(at);
    const found = await environments.find({
      name: 'test',
      environment: Environment.parse(environment),
      project: project!,
      origin: 'base',
      caFile: null,
      at: 'project',
    });
    const { exitCode, output } = await environments.prepare(found, {
      cellId: randomUUID(),
      requiredLevel: 2,
      requiredLimits: { cpu: 'none', memory: 'none', processes: 'none' },
      canaries,
      signal: new AbortController().signal,
    });
    tell({ is: 'prepared', exitCode, output });
  }
  const cell = await cells.spawn({
    cellId,
    participant: 'agent',
    role: 'executor',
    epoch: 0,
    manifest: await freshManifest(cellId),
    project: project ?? null,
    command: { shellText },
    limits,
    canaries,
    env,
    brief: Object.fromEntries(Object.entries(brief).map(([name, text]) => [name, new TextEncoder().encode(text)])),
    requiredLevel: 2,
    ...(reach === undefined ? {} : { reach }),
  });
  tell({ is: 'running', cell: cellId, facts: cell.facts });
  for await (const chunk of cell.output) tell({ is: 'output', ...chunk });
  tell({ is: 'ended', exit: await cell.exit });
  if (takesWork)
    tell({
      is: 'taken',
      ...(await cell.takeWork({ name: 'runner', email: 'ff@lazarus.invalid', atSeconds: 1, message: 'work\n' })),
    });
  tell({ is: 'closed', residue: await cell.close(), network: cell.network() });
} catch (error) {
  const failure = failureIn(error);
  if (failure === undefined) throw error;
  tell({ is: 'refused', code: failure.code, facts: failure.facts });
}

function tell(what: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
