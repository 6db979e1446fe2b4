// The portable script on the command line: `node lazarus-check.js proof.json [--genesis sha256:…] [--json]`, with the same
// words and exit codes as `lazarus check`.
import type * as Fs from 'node:fs';
import { BUNDLE_BYTES_MAX } from '../ledger/bundle-format.ts';
import { REASONS } from '../reasons.ts';
import { checkAlone, GENESIS } from './check.ts';

declare const require: (name: 'node:fs') => typeof Fs;

const USAGE = 'usage: node lazarus-check.js <proof.json> [--genesis sha256:<64 hex digits>] [--json]\n';

export function runInNode(): void {
  const asked = parse(process.argv.slice(2));
  if (asked === undefined) return finish(process.stderr, USAGE, REASONS.usage.exit);
  const bytes = read(asked.file);
  if (bytes === undefined) {
    const { says, next, exit } = REASONS.file_unreadable;
    return finish(process.stderr, `file_unreadable: ${says}\n  next: ${next}\n`, exit);
  }
  const view = checkAlone(bytes, asked.genesis);
  const { is, headline, trust, rows, notShown } = view;
  if (asked.json)
    return finish(
      process.stdout,
      `${JSON.stringify({ schema_version: 1, proof: is, headline, trust: trust ?? null, rows })}\n`,
      view.exit,
    );
  const width = Math.max(...rows.map(([label]) => label.length));
  const lines = [
    `${is} ${headline}`,
    ...(trust === undefined ? [] : [`  ${trust}`]),
    ...rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`),
  ];
  if (notShown.length > 0) lines.push('  A proof does not show:', ...notShown.map((what) => `    ${what}`));
  finish(process.stdout, `${lines.join('\n')}\n`, view.exit);
}

type Asked = { readonly file: string; readonly genesis: string | undefined; readonly json: boolean };

/** Undefined for anything that is not understood whole: a mistyped --genesis must not silently check less. */
function parse(argv: readonly string[]): Asked | undefined {
  const files: string[] = [];
  let genesis: string | undefined;
  let json = false;
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i]!;
    if (word === '--json') json = true;
    else if (word === '--genesis' && genesis === undefined && GENESIS.test(argv[i + 1] ?? '')) genesis = argv[++i];
    else if (word.startsWith('-')) return undefined;
    else files.push(word);
  }
  const [file] = files;
  return file === undefined || files.length > 1 ? undefined : { file, genesis, json };
}

function read(file: string): Uint8Array | undefined {
  // The first also inside a package of modules, where nothing is required; the second before Node 20.16.
  const fs = 'getBuiltinModule' in process ? process.getBuiltinModule('node:fs') : require('node:fs');
  try {
    const { size } = fs.statSync(file);
    return size > BUNDLE_BYTES_MAX ? new Uint8Array(BUNDLE_BYTES_MAX + 1) : new Uint8Array(fs.readFileSync(file));
  } catch {
    return undefined;
  }
}

function finish(to: NodeJS.WriteStream, text: string, exit: number): void {
  process.exitCode = exit;
  to.write(text);
}
