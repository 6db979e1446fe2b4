// The kernel's tests as one script that can be evaluated again and again: each time all modules are made anew, so that
// a mutant is there when tables and schemas are built, and nothing of the mutant before is left.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { build } from 'esbuild';

const TESTS = 'test/kernel';
/** Reads the sources of the kernel as text: a mutant, which is code around code, is nothing to it. */
const ABOUT_SOURCES = ['folders.test.ts'];

/** Test files by name below test/kernel. `evaluated` makes everything anew that is no test file, and answers how to load one. */
export type Suite = { readonly files: readonly string[]; readonly evaluated: () => (file: string) => void };

export async function loadSuite(root: string): Promise<Suite> {
  const files = readdirSync(join(root, TESTS), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !ABOUT_SOURCES.includes(file))
    .sort();
  const text = await bundled(root, files);
  const script = new Script(`(function (require, module) {${text}\n})`, { filename: join(root, TESTS, 'suite.cjs') });
  const modules = await packagesOf(text);
  const required = (name: string): unknown => modules.get(name);
  const evaluated = (): ((file: string) => void) => {
    const module = { exports: {} as { tests: Record<string, () => unknown>; others: readonly (() => unknown)[] } };
    (script.runInThisContext() as (require: typeof required, into: typeof module) => void)(required, module);
    // First, so that what they do is not laid at the door of the test that happens to come first.
    for (const load of module.exports.others) load();
    return (file) => void module.exports.tests[file]?.();
  };
  return { files, evaluated };
}

async function bundled(root: string, files: readonly string[]): Promise<string> {
  const tests = files.map((file) => `./${TESTS}/${file}`);
  const { metafile } = await esbuilt(root, [], tests);
  const ours = Object.keys(metafile.inputs).map((path) => `./${path}`);
  const { outputFiles } = await esbuilt(
    root,
    ours.filter((path) => path.endsWith('.ts') && !tests.includes(path)),
    tests,
  );
  return outputFiles[0]!.text;
}

function esbuilt(root: string, others: readonly string[], tests: readonly string[]) {
  const load = (path: string): string => `() => require(${JSON.stringify(path)})`;
  const named = tests.map((path) => `${JSON.stringify(path.slice(`./${TESTS}/`.length))}: ${load(path)}`);
  return build({
    stdin: {
      contents: `module.exports = { tests: { ${named.join(', ')} }, others: [${others.map(load).join(', ')}] };`,
      resolveDir: root,
      loader: 'js',
    },
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
}

/** Packages are not mutated: loaded once, which is how the tests come to the runner's own `it` and `expect`. */
async function packagesOf(text: string): Promise<ReadonlyMap<string, unknown>> {
  const names = new Set([...text.matchAll(/\brequire\("([^"./][^"]*)"\)/gu)].map(([, name]) => name!));
  return new Map(await Promise.all([...names].map(async (name) => [name, await import(name)] as const)));
}
