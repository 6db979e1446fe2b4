// Builds the action as a few files that need nothing beside them: the same sources give the same bytes, so that a commit
// pins it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { bundle } from '../bundle.mjs';

const here = (name) => new URL(name, import.meta.url);
const out = here('../../../dist/action/');
mkdirSync(out, { recursive: true });

const outputFiles = await bundle('action', {
  entries: { main: here('start.ts') },
  folder: out,
  // What most events do without, what is read while the forge answers, and YAML.
  apart: /\/(?:jobs|first-questions|job|turns|policy-file|sacred-file)\.ts$/,
});

// Files that did not change are left alone: a job may be reading them.
const built = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
built.set('action.yml', readFileSync(here('../../../action.yml')));
for (const [name, bytes] of built) {
  const file = new URL(name, out);
  if (!existsSync(file) || !readFileSync(file).equals(bytes)) writeFileSync(file, bytes);
}
for (const name of readdirSync(out)) if (!built.has(name)) rmSync(new URL(name, out), { recursive: true });
