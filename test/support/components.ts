// Programs that some tests need and a developer's machine may lack. What is missing leaves tests out and is named in one
// line each; where CI is set it is an error, because a check that was not run must not look like one that passed.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { giteaPrograms, TO_INCLUDE } from './gitea/obtain.ts';
import { sshdPath } from './ssh-server.ts';

type Component = {
  readonly name: string;
  readonly suffix: string;
  readonly install: string;
  readonly present: () => boolean;
};

const COMPONENTS: readonly Component[] = [
  { name: 'gpg', suffix: 'gpg', install: 'install gnupg', present: () => onPath('gpg') !== undefined },
  { name: 'sshd', suffix: 'sshd', install: 'install openssh-server', present: () => sshdPath() !== undefined },
  { name: 'a browser', suffix: 'browser', install: 'install chromium', present: () => chromiumPath() !== undefined },
  { name: 'bubblewrap', suffix: 'cell', install: 'install bubblewrap', present: () => onPath('bwrap') !== undefined },
  {
    name: 'root, to be several users',
    suffix: 'users',
    install: 'run them as root, with util-linux',
    present: () => process.getuid?.() === 0 && onPath('setpriv') !== undefined,
  },
  {
    name: 'real agents',
    suffix: 'agents',
    install: 'use Linux on x64, for which their presets are, with npm',
    // What they install is fetched by the first test that needs it: it is an error where that cannot be.
    present: () => process.platform === 'linux' && process.arch === 'x64' && onPath('npm') !== undefined,
  },
  { name: 'python3', suffix: 'python', install: 'install python3', present: () => onPath('python3') !== undefined },
  { name: 'a real Gitea', suffix: 'gitea', install: TO_INCLUDE, present: () => giteaPrograms() !== undefined },
];

export function chromiumPath(): string | undefined {
  return onPath('chromium') ?? onPath('chromium-browser') ?? onPath('google-chrome');
}

/** Test files to leave out on this machine. */
export function leftOut(): string[] {
  const missing = COMPONENTS.filter((component) => !component.present());
  const lines = missing.map(
    ({ name, suffix, install }) =>
      `left out: tests that need ${name} (*.${suffix}.test.ts); to include them, ${install}`,
  );
  if (lines.length > 0 && process.env['CI'] !== undefined)
    throw new Error(`CI must run every test:\n${lines.join('\n')}`);
  for (const line of lines) console.error(line);
  return missing.map(({ suffix }) => `test/**/*.${suffix}.{*.,}test.ts`);
}

function onPath(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
}
