// A plain folder as a forge: `<owner>/<name>.git` is a bare repository, `<owner>/<name>.json` holds its issues, comments
// and pull requests. No server, no accounts but the names people go by, and nobody who guards it but the file system.
import { join, resolve } from 'node:path';
import type { Crypto } from '../../../src/format/crypto.ts';
import type { Forge } from '../../../src/ports/forge.ts';
import { createBookForge, type ByHand } from './book-forge.ts';
import { bareGit } from './bare-git.ts';
import { fileShelf } from './file-shelf.ts';

export function openDirectoryForge(folder: string, login: string, crypto: Crypto): Forge & ByHand {
  const root = resolve(folder);
  return createBookForge({
    kind: { software: 'directory', version: '1' },
    displayUrl: root,
    shelf: fileShelf(root),
    git: ({ owner, name }) => bareGit(join(root, owner, `${name}.git`)),
    crypto,
    login,
  });
}
