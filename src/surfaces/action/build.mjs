// Builds the action as a few files that need nothing beside them: the same sources give the same bytes, so that a commit
// pins it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { bundle } from '../bundle.mjs';
import { inParts } from '../parts.mjs';

const here = (name) => new URL(name, import.meta.url);
const out = here('../../../dist/action/');
mkdirSync(out, { recursive: true });

const parts = {
  supervised: { holds: ['surfaces/action/supervised.ts'] },
  // A job asks its first questions before it reads what it works with, and that while the forge answers.
  questions: { holds: ['compose/first-questions.ts', 'app/gate/ahead.ts'] },
  wake: { on: 'questions', holds: ['compose/wake.ts'] },
  site: {
    on: 'questions',
    holds: ['compose/job.ts', 'adapters/artifacts/aes-cipher.ts', 'adapters/artifacts/key-files.ts'],
  },
  turns: { on: 'site', holds: ['app/gate/turns.ts'] },
  rules: { on: 'turns', holds: ['documents/policy-file.ts', 'documents/sacred-file.ts'] },
  // With a clone, cells, or the schedule: jobs of more than a second.
  long: { on: 'turns' },
};
const outputFiles = await bundle('action', {
  entries: { main: here('start.ts') },
  folder: out,
  lazies: inParts(parts, {
    first: 'surfaces/action/jobs.ts',
    folders: ['adapters', 'app', 'compose', 'surfaces/action'],
  }),
});

// Files that did not change are left alone: a job may be reading them.
const built = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
built.set('action.yml', readFileSync(here('../../../action.yml')));
for (const [name, bytes] of built) {
  const file = new URL(name, out);
  if (!existsSync(file) || !readFileSync(file).equals(bytes)) writeFileSync(file, bytes);
}
for (const name of readdirSync(out)) if (!built.has(name)) rmSync(new URL(name, out), { recursive: true });
