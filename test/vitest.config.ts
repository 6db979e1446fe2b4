import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { leftOut } from './support/components.ts';
import { LongestFirst } from './support/longest-first.ts';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut()],
    globalSetup: ['test/support/build.ts'],
    // Real git, gpg and servers: generous limits, so that a slow machine is not a failing one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // One more than there are cores: much of the time is spent waiting for disks, other programs and a minute to be over.
    maxWorkers: 1 + Math.max(2, availableParallelism()),
    // Nobody's own git configuration, keyring or lazarus home may leak into a test.
    env: { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0', NO_COLOR: '1' },
  },
});
