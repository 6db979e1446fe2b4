// What a preparation reaches: the hosts that policy names for it while it downloads, and nobody afterwards.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepare, workshop } from '../../../support/environments.ts';
import { portOf } from '../../listener/hosts.ts';

const asked: string[] = [];
const packages = createServer((request, response) => {
  asked.push(`${request.headers.host}${request.url}`);
  response.end('a package');
});
let port = 0;
beforeAll(async () => {
  port = await portOf(packages);
});
afterAll(() => void packages.close());

function sh(text: string): readonly string[] {
  return ['/bin/sh', '-c', text];
}

test('the hosts that it names, by name and port; commands after that reach nobody', async () => {
  const place = await workshop();
  const hosts = [{ host: 'packages.example', port, range: '127.0.0.0/8' }];
  const { run, name } = await prepare(place, {
    environment: {
      prepare: [[...sh(`mkdir deps; curl -sSf -o deps/got http://packages.example:${port}/dep`)]],
      offline: [[...sh(`curl -sSf -m 5 http://packages.example:${port}/late > deps/late; echo ended with $?`)]],
      hosts,
      makes: ['deps'],
    },
  });
  expect(run.exitCode, run.output).toBe(0);
  expect(readFileSync(join(place.folder, 'environments', name, 'tree/deps/got'), 'utf8')).toBe('a package');
  expect(readFileSync(join(place.folder, 'environments', name, 'tree/deps/late'), 'utf8')).toBe('');
  expect(run.output).toMatch(/ended with (?!0)\d+\n$/);
  expect(asked).toEqual([`packages.example:${port}/dep`]);
});

test('another host is refused, and the output has the words that would let it through', async () => {
  const place = await workshop();
  const { run } = await prepare(place, {
    environment: {
      prepare: [[...sh(`mkdir deps; curl -sSf http://elsewhere.example:${port}/dep`)]],
      hosts: [{ host: 'packages.example', port, range: '127.0.0.0/8' }],
      makes: ['deps'],
    },
  });
  expect(run.exitCode).not.toBe(0);
  expect(run.output).toContain(`lazarus: elsewhere.example:${port} was refused: host_not_listed\n`);
  expect(asked.join()).not.toContain('elsewhere');
});
