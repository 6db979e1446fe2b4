// From a running cell to what is handed over: what it said and did, its work judged path by path, and the checks run
// again in fresh cells on exactly that commit. Every way it can go wrong ends in a reason, never in silence.
import { Failure } from '../../failure.ts';
import { utf8 } from '../../format/bytes.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import { jcs } from '../../format/jcs.ts';
import { parseDone } from '../../kernel/contract/done.ts';
import type { HandOver } from '../../kernel/decide/work.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import { auditOwnership, type OwnershipAudit } from '../../kernel/scope/audit.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { Cell, CellExit, CheckRun, Residue, Work } from '../../ports/cells.ts';
import type { NewDocument } from '../artifacts/documents.ts';
import { MINUTE_SECONDS, type Acting } from './world.ts';
import type { Rules } from './rules.ts';
import type { Running } from './run.ts';
import { judgeWork } from './judge-work.ts';

const OUTPUT_BYTES_MAX = 256 * 1024;
const CLAIMS_MAX = 16;

export type Collected = {
  readonly documents: ReadonlyMap<string, NewDocument>;
  /** The hand-over, once the documents have their digests. */
  readonly describe: (digestOf: (name: string) => string) => HandOver;
  readonly work: { readonly commit: Oid; readonly objects: readonly GitObject[] } | undefined;
};

type Setting = {
  readonly state: MissionState;
  readonly document: PlanDocument;
  readonly rules: Rules;
  readonly by: Acting;
};

export async function collect(start: () => Promise<Cell>, running: Running, setting: Setting): Promise<Collected> {
  let cell: Cell;
  try {
    cell = await start();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return summary({ ...NOTHING_SEEN, failure: error.code });
  }
  const seen = await watch(cell, running);
  const taken = await takeWork(cell, running, setting, seen);
  const residue = await cell.close();
  const checked = taken.failure === undefined ? await check(running, setting, taken.work!) : undefined;
  return summary({ cell, ...seen, ...taken, residue, ...checked, failure: taken.failure ?? checked?.failure });
}

type Watched = {
  readonly exit: CellExit;
  readonly output: string;
  readonly claim: string | undefined;
  readonly blocked: readonly string[];
};

async function watch(cell: Cell, { onOutput }: Running): Promise<Watched> {
  let output = '';
  let claim: string | undefined;
  const blocked: string[] = [];
  const listening = (async () => {
    for await (const { kind, body } of cell.events) {
      if (kind === 'done') claim ??= JSON.stringify(body);
      if (kind === 'blocked' && blocked.length < CLAIMS_MAX) blocked.push(JSON.stringify(body));
    }
  })();
  const reading = (async () => {
    for await (const chunk of cell.output) {
      if (output.length < OUTPUT_BYTES_MAX) output += chunk.text;
      onOutput?.(chunk);
    }
  })();
  const exit = await cell.exit;
  await Promise.all([listening, reading]);
  return { exit, output: output.slice(0, OUTPUT_BYTES_MAX), claim: claim ?? (await cell.claim()), blocked };
}

type Taken = {
  readonly failure: ReasonCode | undefined;
  readonly work?: Work;
  readonly audit?: OwnershipAudit;
  readonly objects?: readonly GitObject[];
};

const EXIT_FAILURE: Readonly<Record<CellExit['reason'], ReasonCode>> = {
  exited: 'cell_failed',
  signalled: 'cell_failed',
  timeout: 'cell_timeout',
  output_limit: 'cell_output_limit',
  memory_limit: 'cell_failed',
  disk_limit: 'cell_failed',
  killed: 'interrupted',
};

async function takeWork(
  cell: Cell,
  running: Running,
  { state, document, rules, by }: Setting,
  { exit }: Watched,
): Promise<Taken> {
  if (exit.reason !== 'exited' || exit.code !== 0) return { failure: EXIT_FAILURE[exit.reason] };
  const { mission_id: mission, proposal } = document;
  try {
    const work = await cell.takeWork({
      name: by.principal,
      email: `${by.signer.fingerprint}@lazarus.invalid`,
      atSeconds: by.world.bench.parts.clock.nowSeconds(),
      message: `${proposal.goal}\n\nMission: ${missionName(mission)}\nAttempt: ${state.course!.attempt!.no}\n`,
    });
    const changes = await judgeWork(running.repositories, work);
    const audit = auditOwnership({ base: work.base, head: work.commit }, changes, {
      filesOwned: proposal.paths,
      sacred: rules.sacred,
      allowances: proposal.allowances,
    });
    if (changes.length === 0) return { failure: 'nothing_done', work, audit };
    if (audit.verdict === 'violated') return { failure: 'scope_violated', work, audit };
    return {
      failure: undefined,
      work,
      audit,
      objects: await running.repositories.objectsOf(work.repository, work.base, work.commit),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { failure: error.code };
  }
}

type Checked = {
  readonly failure: ReasonCode | undefined;
  readonly runs: readonly (CheckRun & { readonly check: 'verify' | 'acceptance' })[];
};

/** The verify command and every acceptance check, each in a cell of its own on the exact commit. */
async function check(running: Running, { state, document }: Setting, work: Work): Promise<Checked> {
  const { proposal } = document;
  const plan = state.course!.plan!;
  const wanted = [
    { check: 'verify' as const, shellText: proposal.verifyCommand },
    ...proposal.acceptance.map((shellText) => ({ check: 'acceptance' as const, shellText })),
  ];
  const runs: Checked['runs'][number][] = [];
  for (const { check: kind, shellText } of wanted) {
    const run = await running.cells.runCheck({
      project: { repository: work.repository, commit: work.commit },
      shellText,
      limits: { wallMs: plan.budget_minutes * MINUTE_SECONDS * 1000 },
      requiredLevel: plan.level as Cell['level'],
      env: running.environment,
      canaries: running.canaries,
      tools: running.tools,
    });
    runs.push({ ...run, check: kind });
  }
  return { failure: runs.every(({ exitCode }) => exitCode === 0) ? undefined : 'verify_failed', runs };
}

type Seen = Partial<Watched> &
  Partial<Taken> &
  Partial<Pick<Checked, 'runs'>> & {
    readonly cell?: Cell;
    readonly residue?: Residue;
    readonly failure: ReasonCode | undefined;
  };

const NOTHING_SEEN: Omit<Seen, 'failure'> = {};

function summary(seen: Seen): Collected {
  const { cell, exit, output, claim, blocked = [], residue, work, audit, runs, failure, objects } = seen;
  const documents = new Map<string, NewDocument>();
  const put = (name: string, content: Uint8Array, mediaType = 'application/json'): void => {
    documents.set(name, { content, mediaType });
  };
  if (cell !== undefined) put('facts', utf8(jcs({ facts: cell.facts, residue: residue ?? null, exit: exit ?? null })));
  if (output !== undefined) put('output', utf8(output), 'text/plain');
  if (claim !== undefined) put('claim', utf8(claim));
  blocked.forEach((text, n) => put(`blocked ${n}`, utf8(text)));
  if (audit !== undefined) put('audit', utf8(jcs(audit)));
  runs?.forEach((run, n) => put(`check ${n}`, utf8(run.output), 'text/plain'));
  return {
    documents,
    work: work === undefined || objects === undefined ? undefined : { commit: work.commit, objects },
    describe: (digestOf) => {
      const has = (name: string): string | null => (documents.has(name) ? digestOf(name) : null);
      return {
        claim: claim === undefined ? undefined : { claim: digestOf('claim'), status: statusOf(claim) },
        blocked: blocked.map((_, n) => digestOf(`blocked ${n}`)),
        closed: {
          because: exit?.reason ?? failure ?? 'cell_failed',
          exit_code: exit?.code ?? null,
          facts: has('facts'),
          output: has('output'),
          outcome: outcomeOf(exit),
        },
        work:
          runs === undefined || work === undefined || audit === undefined
            ? undefined
            : {
                base_commit: work.base,
                changed_paths: audit.changed,
                commit: work.commit,
                scope_audit: digestOf('audit'),
                tree: work.tree,
              },
        verification:
          runs === undefined || work === undefined
            ? undefined
            : {
                checks: runs.map((run, n) => ({
                  check: run.check,
                  exit_code: run.exitCode,
                  level: run.level,
                  n,
                  output: digestOf(`check ${n}`),
                })),
                revision: work.commit,
                verdict: failure === undefined ? 'satisfied' : 'unsatisfied',
              },
        failure: failure === undefined ? undefined : { because: failure, audit: has('audit') },
        environment: has('facts'),
      };
    },
  };
}

function outcomeOf(exit: CellExit | undefined): HandOver['closed']['outcome'] {
  if (exit === undefined) return 'failed';
  if (exit.reason === 'timeout') return 'expired';
  return exit.reason === 'exited' && exit.code === 0 ? 'completed' : 'failed';
}

/** A claim is input: what it says is recorded, whether it is even readable, and nothing follows from it. */
function statusOf(claim: string): 'done_clean' | 'pending' | 'failed' | 'unreadable' {
  const done = parseDone(claim);
  return done.is === 'accepted' ? done.value.status : 'unreadable';
}
