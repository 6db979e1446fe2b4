// Which git is installed. That there is none is an answer here, not a failure.
import { Failure } from '../../failure.ts';
import { runGit } from './git.ts';

export async function gitVersion(cwd: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { exitCode, stdout } = await runGit({ cwd, signal }, ['--version']);
    return exitCode === 0 ? stdout.trim().replace(/^git version /, '') : undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === 'git_missing') return undefined;
    throw error;
  }
}
