// Bundles a program of the tests for any supported Node, as what starts it by hand needs it. Runs nothing.
import { build } from 'esbuild';

// Test support names the test runner for its clean-up; in these programs nothing of it is used, so nothing of it may be loaded.
const withoutTestRunner = {
  name: 'without-test-runner',
  setup: (bundler) =>
    bundler.onResolve({ filter: /^vitest$/ }, () => ({ path: 'vitest', external: true, sideEffects: false })),
};

/** `into`: what of esbuild's settings says where from and where to. */
export function bundled(into) {
  return build({
    ...into,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    plugins: [withoutTestRunner],
    logLevel: 'warning',
  });
}
