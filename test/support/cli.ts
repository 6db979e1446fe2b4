// Runs the built command line as a user would: its own process, its own home, nothing of the tester's environment.
import { spawn } from 'node:child_process';
import { CLI_MAIN } from './build.ts';

export type Ran = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type RunSettings = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Instead of the built program: another script, such as one with commands of its own. */
  readonly script?: string;
  readonly nodeArgs?: readonly string[];
  /** Its standard input; without it there is none. */
  readonly input?: string;
  /** Sends this signal when standard error first contains the text. */
  readonly signalOn?: { readonly text: string; readonly signal: NodeJS.Signals };
  /** Does something else then, while the program goes on; a failure of it ends the program. */
  readonly onText?: { readonly text: string; readonly react: (end: (signal: NodeJS.Signals) => void) => Promise<void> };
};

export function lazarus(args: readonly string[], settings: RunSettings = {}): Promise<Ran> {
  const { cwd, env, script = CLI_MAIN, nodeArgs = [], input, signalOn, onText } = settings;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeArgs, script, ...args], {
      cwd,
      env: { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', ...env },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    child.stdin?.on('error', () => {}).end(input);
    let stdout = '';
    let stderr = '';
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      const before = stderr;
      stderr += text;
      if (signalOn && stderr.includes(signalOn.text) && !before.includes(signalOn.text)) child.kill(signalOn.signal);
      if (onText && stderr.includes(onText.text) && !before.includes(onText.text))
        onText
          .react((signal) => child.kill(signal))
          .catch((error: unknown) => {
            child.kill('SIGKILL');
            reject(error);
          });
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
