// Where the built command line is, seen from the bundled bench.
export const CLI_MAIN = new URL('../../../dist/surfaces/cli/main.js', import.meta.url).pathname;
