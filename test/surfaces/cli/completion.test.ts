// Completion scripts, run by the shells they are for. bash is everywhere; zsh and fish are read where they exist.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completionScript, type Shell } from '../../../src/surfaces/cli/completion.ts';
import { COMMANDS } from '../../../src/surfaces/cli/commands.ts';
import type { CommandSpec } from '../../../src/surfaces/cli/command.ts';

const load = () => Promise.reject(new Error('completion loads no command'));
const TABLE: readonly CommandSpec[] = [
  { path: 'verify', summary: 'v', options: [{ flags: '--since <oid>', summary: 's' }], load },
  {
    path: 'ledger append',
    summary: 'a',
    options: [
      { flags: '-m, --message <text>', summary: 'm' },
      { flags: '--dry-run', summary: 'd' },
    ],
    load,
  },
  { path: 'ledger log', summary: 'l', load },
  { path: 'completion', summary: 'c', args: [{ name: '<shell>', summary: 's', choices: ['bash', 'fish'] }], load },
];

describe('in bash', () => {
  it.each([
    ['', ['verify', 'ledger', 'completion', '--json', '--help']],
    ['le', ['ledger']],
    ['ledger ', ['append', 'log']],
    ['ledger a', ['append']],
    ['ledger append --', ['--message', '--dry-run', '--json']],
    ['ledger append file --d', ['--dry-run']],
    ['-C ledger verify --s', ['--since']],
    ['--json ledger lo', ['log']],
    ['completion b', ['bash']],
  ])('%j offers %j', (line, expected) => {
    expect(offered(line)).toEqual(expect.arrayContaining(expected));
  });

  it('offers no words of other commands', () => {
    expect(offered('ledger ')).not.toContain('verify');
    expect(offered('ledger log --')).not.toContain('--dry-run');
    expect(offered('verify --since x --d')).toEqual([]);
  });

  it('knows every command of the program', () => {
    for (const { path } of COMMANDS) {
      const [word = '', ...before] = path.split(' ').reverse();
      expect(offered([...before, word].join(' '), COMMANDS)).toContain(word);
    }
  });

  function offered(line: string, table = TABLE): string[] {
    const words = ['lazarus', ...line.split(' ')];
    const script = `${completionScript('bash', table)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _lazarus; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const ran = spawnSync('bash', ['-u', '-c', script], { encoding: 'utf8' });
    expect(ran.stderr).toBe('');
    return ran.stdout.split('\n').filter((word) => word !== '');
  }
});

describe('the script', () => {
  const readers: Record<Shell, string[]> = { bash: ['-n'], zsh: ['-n'], fish: ['--no-execute'] };
  const installed = (['bash', 'zsh', 'fish'] as const).filter((shell) => spawnSync(shell, ['--version']).status === 0);
  it.each(installed)('for %s is one that this shell can read', (shell) => {
    const { status, stderr } = spawnSync(shell, readers[shell], {
      input: completionScript(shell, COMMANDS),
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.each(['bash', 'zsh', 'fish'] as const)(
    'for %s names every command and nothing that must be escaped to be printed',
    (shell) => {
      const script = completionScript(shell, TABLE);
      for (const { path } of TABLE) expect(script).toContain(`'${path}'`);
      expect(script).toMatch(/^[\n -~]+$/);
    },
  );
});
