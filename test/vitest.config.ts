import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    globalSetup: ['test/support/build.ts'],
    include: ['test/**/*.test.ts'],
    // Real git, gpg and servers: generous limits, so that a slow machine is not a failing one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Nobody's own git configuration, keyring or lazarus home may leak into a test.
    env: { GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0', NO_COLOR: '1' },
  },
});
