// Where the built programs are, seen from the bundled bench.
export const CLI_MAIN = new URL('../../../dist/surfaces/cli/main.js', import.meta.url).pathname;
export const ACTION_MAIN = new URL('../../../dist/action/main.mjs', import.meta.url).pathname;
export const SECOND_CORE_THREAD = new URL('../../../dist/adapters/system/second-core-thread.js', import.meta.url);
