// `npm run mutate`: has StrykerJS change the rules of src/kernel one place at a time, asks the kernel's tests about each
// change, and says by noun how many they noticed.
import { readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { survivors, table } from './summary.ts';

const ROOT = new URL('../', import.meta.url).pathname;
const OUT = '.mutation';

const HELP = `npm run mutate -- [--concurrency <n>] [<noun>...]

  <noun>         a folder of src/kernel, or \`kernel\` for the files beside the folders; all of them if none is named
  --concurrency  mutants at a time, each in its own process; 1 unless told

Prints a line per noun, and every mutant that no test noticed. The same as JSON and as a page for a browser goes to
${OUT}/. Ends with 0 whatever the score is.
`;

const { values: asked, positionals: nouns } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});

/** The files beside the folders. */
const BESIDE = 'kernel';

process.chdir(ROOT);
process.exitCode = asked.help ? help() : await main();

function help(): number {
  process.stdout.write(HELP);
  return 0;
}

async function main(): Promise<number> {
  const known = readdirSync('src/kernel', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const all = [...known.map(({ name }) => name), BESIDE];
  const unknown = nouns.filter((noun) => !all.includes(noun));
  const concurrency = Number(asked.concurrency);
  if (!Number.isInteger(concurrency) || concurrency < 1)
    return misuse(`--concurrency ${asked.concurrency} is no number of processes`);
  if (unknown.length > 0) return misuse(`src/kernel has no folder ${unknown.join(', ')}; it has ${all.join(' ')}`);
  const chosen = nouns.length > 0 ? nouns : all;
  const stryker = new Stryker({
    mutate: chosen.map((noun) => (noun === BESIDE ? 'src/kernel/*.ts' : `src/kernel/${noun}/**/*.ts`)),
    testRunner: 'kernel',
    plugins: [`${ROOT}${OUT}/test-runner.mjs`],
    ignorers: ['rule-names'],
    coverageAnalysis: 'perTest',
    concurrency,
    // Work is done in a copy, outside of `test/`, where nobody takes its tests for ours.
    tempDirName: `${OUT}/work`,
    ignorePatterns: ['**', '!package.json', '!src/**', '!test/kernel/**', '!test/support/**'],
    // There is no TypeScript compiler of the interface that StrykerJS knows: types are not asked, configuration is not read.
    disableTypeChecks: false,
    tsconfigFile: 'none.json',
    timeoutMS: 5_000,
    reporters: ['progress-append-only', 'html', 'json'],
    htmlReporter: { fileName: `${OUT}/report.html` },
    jsonReporter: { fileName: `${OUT}/report.json` },
    // That static mutants are slow, which here they are not.
    warnings: { slow: false, unknownOptions: true, preprocessorErrors: true, unserializableOptions: true },
    allowConsoleColors: false,
    cleanTempDir: 'always',
  });
  const mutants = await stryker.runMutationTest();
  const text = `${survivors(mutants)}\n${table(mutants)}`;
  writeFileSync(`${OUT}/summary.txt`, text);
  process.stdout.write(text);
  return 0;
}

function misuse(why: string): number {
  process.stderr.write(`${why}\n\n${HELP}`);
  return 2;
}
