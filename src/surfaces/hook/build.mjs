// Builds what the hooks of a clone start: a person waits for it at every push of a work branch.
import { mkdirSync, writeFileSync } from 'node:fs';
import { bundle, lazily } from '../bundle.mjs';

const folder = new URL('../../../dist/hook/', import.meta.url);
mkdirSync(folder, { recursive: true });
const entries = { main: new URL('start.ts', import.meta.url) };
for (const { path, contents } of await bundle('hook', { entries, folder, lazies: lazily(/./) }))
  writeFileSync(path, contents);
