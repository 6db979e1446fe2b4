// Runs the console blocks of a Markdown page as one shell session and compares what they print: documentation that
// stopped being true fails. In a block, `$ ` starts a command, `> ` continues it, everything else is its expected
// output; `[..]` stands for anything within a line, `[...]` alone for any lines, `? 6` for the exit code (else 0). A block
// `output` has what the last command printed, for pages that show the line to type apart from what comes of it.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { CLI_MAIN } from './build.ts';

export type Step = {
  readonly line: number;
  readonly command: string;
  readonly output: readonly string[];
  readonly code: number;
};

/** Runs a page in a fresh folder and fails at the first step that does not print what the page says. `env`: on top. */
export async function runTranscript(path: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const session = openSession(env);
  try {
    for (const step of parseTranscript(readFileSync(path, 'utf8'))) {
      const { output, code } = await session.run(step.command);
      const where = `${basename(path)}:${step.line}: $ ${step.command}`;
      if (!matches(step.output, output)) expect(output.split('\n'), where).toEqual(step.output);
      expect(code, `${where}\n${output}\nexit code`).toBe(step.code);
    }
  } finally {
    await session.close();
  }
}

export function parseTranscript(markdown: string): Step[] {
  const steps: { line: number; command: string; output: string[]; code: number }[] = [];
  let inside: 'console' | 'output' | undefined;
  let previous: (typeof steps)[number] | undefined;
  markdown.split('\n').forEach((text, i) => {
    if (text.startsWith('```')) {
      inside = text === '```console' ? 'console' : text === '```output' ? 'output' : undefined;
      previous = inside === 'output' ? steps.at(-1) : undefined;
    } else if (inside === 'console' && text.startsWith('$ ')) {
      previous = { line: i + 1, command: text.slice(2), output: [], code: 0 };
      steps.push(previous);
    } else if (inside !== undefined && previous === undefined) {
      throw new Error(`line ${i + 1}: a command comes first`);
    } else if (inside !== undefined && previous !== undefined) {
      if (inside === 'console' && text.startsWith('> ') && previous.output.length === 0)
        previous.command += `\n${text.slice(2)}`;
      else if (/^\? \d+$/.test(text)) previous.code = Number(text.slice(2));
      else previous.output.push(text);
    }
  });
  return steps.map((step) => ({ ...step, output: withoutTrailingBlanks(step.output) }));
}

export function matches(expected: readonly string[], actual: string): boolean {
  const pattern = expected.map((line) =>
    line === '[...]' ? '(?:.*\n)*' : `${line.split('[..]').map(quoted).join('.*')}\n`,
  );
  return new RegExp(`^${pattern.join('')}$`).test(actual === '' ? '' : `${actual}\n`);
}

/** One /bin/sh for the whole page, so that `cd` and `export` last; its home and everything else lie in a new folder. */
function openSession(env: Readonly<Record<string, string>>) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'transcript-')));
  const work = join(root, 'work');
  const shell = spawn('/bin/sh', [], {
    cwd: prepare(root, work),
    env: { ...environment(root), ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(shell, 'close');
  let received = '';
  let wake = () => {};
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    received += text;
    wake();
  });
  let ended = false;
  void closed.then(() => {
    ended = true;
    wake();
  });
  // A command that ends the shell also closes its input; `run` reports that.
  shell.stdin.on('error', () => {});
  shell.stdin.write('exec 2>&1\n');

  return {
    async run(command: string): Promise<{ output: string; code: number }> {
      const mark = randomUUID();
      received = '';
      // The braces keep the command in this shell; without standard input of its own it would read the next command.
      shell.stdin.write(`{\n${command}\n} </dev/null\nprintf '\\n%s %s\\n' ${mark} $?\n`);
      for (;;) {
        const end = received.indexOf(`\n${mark} `);
        const answer = end < 0 ? null : /^ (\d+)\n/.exec(received.slice(end + 1 + mark.length));
        if (answer !== null) return { output: received.slice(0, end).replace(/\n$/, ''), code: Number(answer[1]) };
        if (ended) throw new Error(`the shell ended in: ${command}\n${received}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    async close(): Promise<void> {
      shell.stdin.end();
      await closed;
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function prepare(root: string, work: string): string {
  for (const folder of [work, join(root, 'bin'), join(root, 'home')]) mkdirSync(folder);
  writeFileSync(join(root, 'bin/lazarus'), `#!/bin/sh\nexec '${process.execPath}' '${CLI_MAIN}' "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(
    join(root, 'home/.gitconfig'),
    '[user]\n\tname = Ana\n\temail = ana@example.org\n[init]\n\tdefaultBranch = main\n',
  );
  return work;
}

function environment(root: string): Record<string, string> {
  const home = join(root, 'home');
  return {
    LAZARUS_PORTABLE: join(dirname(CLI_MAIN), '../../portable'),
    PATH: [join(root, 'bin'), dirname(process.execPath), process.env.PATH ?? ''].join(':'),
    HOME: home,
    TMPDIR: root,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    GNUPGHOME: join(home, '.gnupg'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
    TZ: 'UTC',
    NO_COLOR: '1',
  };
}

function withoutTrailingBlanks(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

function quoted(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
