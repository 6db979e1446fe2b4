// Looks at the repository that a person works in, through simple-git: which branch, what is staged, what a file used to
// be. Changes nothing. Whoever prepared that repository may have named programs in it, and files like options.
//
// simple-git's guards stay closed: no `-c` that names a program, no `--upload-pack`, no abbreviated option gets past them.
// Open are two for settings that switch off, written in git.ts alone, and two for the person's own environment. Of its
// methods only `raw` is used: the others trim what git says, or take an exit code without words for a yes. After a git
// that prints nothing it waits 50 ms, so whoever has several questions asks them at once.
import { Failure } from '../../failure.ts';
import { notStarted } from '../system/run-program.ts';
import { gitEnvironment, HARDENED, readable, startFailure, type GitAt, type GitResult } from './git.ts';

const OUTPUT_BYTES_MAX = 16 << 20;

/** Any exit code is an answer. `question`: words of ours and names that were checked; `paths` are only ever paths. */
export async function look(
  place: GitAt,
  question: readonly string[],
  paths: readonly string[] = [],
): Promise<GitResult> {
  const { simpleGit } = await import('simple-git');
  const env = personsEnvironment();
  const tooLong = new AbortController();
  const end = { exitCode: 0, stderr: '' };
  const git = simpleGit({
    baseDir: place.cwd,
    config: [...HARDENED],
    allowEnvironment: Object.keys(env),
    unsafe: {
      allowUnsafeHooksPath: true,
      allowUnsafeFsMonitor: true,
      allowUnsafeConfigPaths: true,
      allowUnsafeConfigEnvCount: true,
    },
    completion: { onClose: true, onExit: false },
    abort: AbortSignal.any([tooLong.signal, ...(place.signal === undefined ? [] : [place.signal])]),
    errors: (_, { exitCode, stdErr }) => {
      end.exitCode = exitCode;
      end.stderr = Buffer.concat(stdErr).toString('utf8');
      return undefined;
    },
  });
  let bytes = 0;
  git.env(env).outputHandler((_, stdout) => {
    stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > OUTPUT_BYTES_MAX) tooLong.abort();
    });
  });
  const command = question[0] ?? '';
  const stdout = await git.raw([...question, ...(paths.length === 0 ? [] : ['--', ...paths])]).catch(() => undefined);
  if (place.signal?.aborted === true) throw new Failure('interrupted');
  if (tooLong.signal.aborted) throw new Failure('git_failed', { command, says: 'too much output' });
  // No cause is kept: its message quotes the command line.
  if (stdout === undefined) throw new Failure('git_failed', { command, says: 'simple-git refuses to ask' });
  // Below zero, no git ever said anything.
  if (end.exitCode < 0) throw startFailure(notStarted('ENOENT', place.cwd));
  return { exitCode: end.exitCode, stdout, stderr: readable(end.stderr) };
}

/** As `gitEnvironment`, but of the settings in it only those that a look needs: others simple-git refuses to hand on. */
function personsEnvironment(): Record<string, string> {
  const all = gitEnvironment(process.env, false);
  const settings = Array.from({ length: Number(all['GIT_CONFIG_COUNT'] ?? 0) }, (_, i) => [
    all[`GIT_CONFIG_KEY_${i}`] ?? '',
    all[`GIT_CONFIG_VALUE_${i}`] ?? '',
  ]).filter(([key]) => /^(?:safe|user)\./i.test(key ?? ''));
  const others = Object.entries(all).filter(([name]) => !/^GIT_CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+)$/.test(name));
  const handed = settings.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return Object.fromEntries([...others, ['GIT_CONFIG_COUNT', String(settings.length)], ...handed]);
}
