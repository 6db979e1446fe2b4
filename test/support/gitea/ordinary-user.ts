// As whom servers and runners of the tests run: as ourselves, or, where the tests are run by root, as nobody in particular.
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Owner = { readonly uid: number; readonly gid: number } | undefined;

let known: { owner: Owner } | undefined;

/** Undefined: no change of user is needed. */
export function ordinaryUser(): Owner {
  known ??= { owner: process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined };
  return known.owner;
}

/** A folder of that user's own, below the temporary folder. */
export function ownedFolder(name: string, below: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), `lazarus-${name}-`));
  own(folder);
  for (const part of below) {
    mkdirSync(join(folder, part), { mode: 0o700 });
    own(join(folder, part));
  }
  return folder;
}

export function ownedFile(path: string, content: string): void {
  writeFileSync(path, content, { mode: 0o600 });
  own(path);
}

function own(path: string): void {
  const owner = ordinaryUser();
  if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
}
