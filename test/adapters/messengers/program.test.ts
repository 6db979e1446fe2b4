// A program that is told: its input and arguments, what it is not given, and how it ends.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { programMessenger } from '../../../src/adapters/messengers/program.ts';
import { scratch } from '../../support/repos.ts';

const MESSAGE = { text: 'm-1 waits\n', fields: {} };

function messenger(argv: readonly string[], cwd = scratch('told')) {
  const env = { PATH: process.env['PATH'], LAZARUS_TOKEN: 's3cret-token', SHOWN: 'yes' };
  return programMessenger({ argv, cwd, env, secrets: ['s3cret-token'] });
}

it('has the message on its standard input, its arguments as they were typed, and no secret around it', async () => {
  const cwd = scratch('told');
  const script = 'cat > input; printf "%s\\n" "$@" > arguments; env > environment';
  const sent = messenger(['sh', '-c', script, 'sh', 'a b', '$(id)'], cwd).send(MESSAGE);
  expect(await sent).toEqual({ is: 'delivered' });
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  expect(read('input')).toBe(MESSAGE.text);
  expect(read('arguments')).toBe('a b\n$(id)\n');
  expect(read('environment')).toContain('SHOWN=yes');
  expect(read('environment')).not.toContain('s3cret-token');
});

it('ends in another way, or is not there: that is an answer', async () => {
  expect(await messenger(['sh', '-c', 'echo s3cret >&2; exit 3']).send(MESSAGE)).toEqual({
    is: 'failed',
    why: 'it ended with 3',
  });
  expect(await messenger(['/no/such/program']).send(MESSAGE)).toEqual({ is: 'failed', why: 'it cannot be started' });
});
