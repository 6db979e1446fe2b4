// The test runner that StrykerJS asks about each mutant: the kernel's tests, in this process, every module of them made
// anew with the mutant in force. So no mutant is out of reach because it acts while modules load.
import { declareClassPlugin, declareValuePlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  MutantRunStatus,
  TestStatus,
  type DryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
} from '@stryker-mutator/api/test-runner';
import type { InstrumenterContext, Mutant } from '@stryker-mutator/api/core';
import { startTests, type Task, type Test, type VitestRunner } from '@vitest/runner';
import { configureGlobal } from 'fast-check';
import { ruleNames } from './rule-names.ts';
import { loadSuite, type Suite } from './suite.ts';

/** Where instrumented code looks which mutant is in force, and notes which were met. */
const inForce: InstrumenterContext = ((globalThis as { __stryker__?: InstrumenterContext }).__stryker__ ??= {});

class KernelTests implements TestRunner {
  #suite: Suite | undefined;
  /** Mutants that a test file has killed, by the file they stood in: it is asked first about the next one from there. */
  readonly #kills = new Map<string, Map<string, number>>();

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    // The same mutant has to have the same fate tomorrow; nobody reads what a failing property shrinks to.
    configureGlobal({ seed: 1, endOnFailure: true });
    this.#suite = await loadSuite(process.cwd());
  }

  async dryRun(): Promise<DryRunResult> {
    delete inForce.activeMutant;
    delete inForce.hitCount;
    inForce.mutantCoverage = { static: {}, perTest: {} };
    const { files, evaluated } = this.#suite!;
    const load = evaluated();
    const tests: TestResult[] = [];
    for (const file of files) tests.push(...(await run(load, file, () => true)));
    return { status: DryRunStatus.Complete, tests, mutantCoverage: inForce.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }: MutantRunOptions): Promise<MutantRunResult> {
    inForce.activeMutant = activeMutant.id;
    inForce.hitCount = 0;
    if (hitLimit === undefined) delete inForce.hitLimit;
    else inForce.hitLimit = hitLimit;
    const wanted = testFilter === undefined ? undefined : new Set(testFilter);
    const isWanted = (file: string, id: string): boolean =>
      wanted === undefined || wanted.has(id) || wanted.has(collectedId(file));
    let nrOfTests = 0;
    const load = this.#evaluated();
    for (const file of this.#inOrder(activeMutant)) {
      if (testFilter?.some((id) => id.startsWith(`${file} `)) === false) continue;
      const results = await run(load, file, (id) => isWanted(file, id));
      nrOfTests += results.length;
      const limit = determineHitLimitReached(inForce.hitCount, hitLimit);
      if (limit !== undefined) return { status: MutantRunStatus.Timeout, reason: limit.reason ?? 'hit limit reached' };
      const failed = results.find((test) => test.status === TestStatus.Failed);
      if (failed?.status !== TestStatus.Failed) continue;
      const kills = this.#killsOf(activeMutant);
      kills.set(file, (kills.get(file) ?? 0) + 1);
      const { id, failureMessage } = failed;
      return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage, nrOfTests };
    }
    return { status: MutantRunStatus.Survived, nrOfTests };
  }

  /** Where the modules do not even load, no test file does. */
  #evaluated(): (file: string) => void {
    try {
      return this.#suite!.evaluated();
    } catch (cause) {
      return () => {
        throw cause;
      };
    }
  }

  #inOrder(mutant: Mutant): readonly string[] {
    const kills = this.#killsOf(mutant);
    const rank = (file: string): number => kills.get(file) ?? (isOwn(file, mutant) ? 0.5 : 0);
    return [...this.#suite!.files].sort((a, b) => rank(b) - rank(a));
  }

  #killsOf({ fileName }: Mutant): Map<string, number> {
    const kills = this.#kills.get(fileName) ?? new Map<string, number>();
    this.#kills.set(fileName, kills);
    return kills;
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'kernel', KernelTests),
  declareValuePlugin(PluginKind.Ignore, 'rule-names', ruleNames),
];

/** The tests of a mutant's own noun. */
function isOwn(file: string, { fileName }: Mutant): boolean {
  const noun = /src\/kernel\/(?<noun>[^/]+)/u.exec(fileName)?.groups?.['noun'] ?? '';
  return file.split(/[-./]/u).includes(noun);
}

/** The tests of one file, until one of them fails. That they are collected counts as the first of them. */
async function run(
  load: (file: string) => void,
  file: string,
  isWanted: (id: string) => boolean,
): Promise<TestResult[]> {
  let failed = false;
  const began = performance.now();
  const runner: VitestRunner = {
    config: CONFIG,
    importFile: () => {
      inForce.currentTestId = collectedId(file);
      load(file);
    },
    onBeforeRunTask: (test) => {
      if (failed || !isWanted(idOf(test))) test.mode = 'skip';
      inForce.currentTestId = idOf(test);
    },
    onAfterRunTask: (test) => {
      inForce.currentTestId = collectedId(file);
      failed ||= test.result?.state === 'fail';
    },
  };
  const [ran] = await startTests([file], runner);
  delete inForce.currentTestId;
  const tests = testsOf(ran!).map(resultOf);
  const collected = { id: collectedId(file), name: collectedId(file), timeSpentMs: performance.now() - began };
  const flaw = tests.some(({ status }) => status === TestStatus.Failed) ? undefined : flawOf(ran!);
  return flaw === undefined
    ? [{ ...collected, status: TestStatus.Success }, ...tests]
    : [{ ...collected, status: TestStatus.Failed, failureMessage: flaw }];
}

/** What a file does before its first test runs, all its tests may rest on. */
function collectedId(file: string): string {
  return `${file} is collected`;
}

const CONFIG: VitestRunner['config'] = {
  root: '',
  setupFiles: [],
  name: undefined,
  passWithNoTests: true,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { seed: 0, hooks: 'stack', setupFiles: 'list' },
  chaiConfig: undefined,
  maxConcurrency: 1,
  // The supervisor of this process has the limit.
  testTimeout: 0,
  hookTimeout: 0,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
};

function resultOf(test: Test): TestResult {
  const base = { id: idOf(test), name: test.fullName, timeSpentMs: test.result?.duration ?? 0 };
  if (test.result?.state === 'pass') return { ...base, status: TestStatus.Success };
  if (test.result?.state !== 'fail') return { ...base, status: TestStatus.Skipped };
  return { ...base, status: TestStatus.Failed, failureMessage: flawOf(test) ?? 'failed' };
}

function flawOf({ result }: Task): string | undefined {
  return result?.state === 'fail' ? (result.errors?.[0]?.message ?? 'failed') : undefined;
}

/** Titles may be the same, places are not. */
function idOf(test: Test): string {
  return `${test.file.filepath} ${test.id}`;
}

function testsOf(task: Task): Test[] {
  return task.type === 'suite' ? task.tasks.flatMap(testsOf) : [task];
}
