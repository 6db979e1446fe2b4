// Builds the command line over what the compiler made of its beginning: a person waits for it to be read at every command,
// and in a file per source that takes longer than most commands. It works without this too.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { bundle, lazily } from '../bundle.mjs';

const folder = new URL('../../../dist/surfaces/cli/', import.meta.url);
const entries = {
  main: new URL('main.ts', import.meta.url),
  // Started by name, beside whoever starts it.
  'second-core-thread': new URL('../../adapters/system/second-core-thread.ts', import.meta.url),
};
// A command is read when it was typed, and nothing at all by a Node that is too old.
const lazies = lazily(/^\.\/(?:start\.ts$|commands\/)/);

for (const name of readdirSync(folder)) if (name.startsWith('part-')) rmSync(new URL(name, folder));
for (const { path, contents } of await bundle('cli', { entries, folder, lazies, extension: '.js', isRead: true }))
  writeFileSync(path, contents);
