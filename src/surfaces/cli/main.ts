#!/usr/bin/env node
// The `lazarus` program. Looks at the Node version before it loads anything that an old Node could not even parse;
// this file and what it imports statically therefore keep to old syntax (no top-level await).
import { refusalOfNode } from './node-floor.ts';

const refusal = refusalOfNode(process.versions.node);
if (refusal === undefined) {
  void import('./start.ts').then(({ start }) => start(process.argv.slice(2)));
} else {
  process.stderr.write(refusal);
  process.exitCode = 9;
}
