// Artifact keys as files of mode 0600 in the person's data folder, one per artifact, so that destroying one is deleting
// one file. Not in the repository: a copy of the repository must not carry them along.
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { digestHex, encodeArtifactKey, parseArtifactKey } from '../../format/artifact.ts';
import { Failure } from '../../failure.ts';
import type { ArtifactKeys } from '../../ports/artifacts.ts';
import { keyDirectory } from '../system/key-directory.ts';

export function keyFiles(folder: string): ArtifactKeys {
  const directory = keyDirectory(folder);
  return {
    async read(digest) {
      const text = await directory.read(digestHex(digest));
      if (text === undefined) return undefined;
      const found = parseArtifactKey(text);
      if (found?.digest !== digest)
        throw new Failure('artifact_key_malformed', { file: join(folder, digestHex(digest)) });
      return found.key;
    },
    write: (digest, key) => directory.write(digestHex(digest), encodeArtifactKey({ digest, key })),
    async destroy(digest) {
      const isHere = (await directory.names()).includes(digestHex(digest));
      if (isHere) await directory.remove(digestHex(digest));
      return isHere;
    },
  };
}

/** `$XDG_DATA_HOME/lazarus/artifact-keys`; a relative value of the variable does not count, as XDG has it. */
export function artifactKeyPath(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['XDG_DATA_HOME'] ?? '';
  const data = isAbsolute(named) ? named : join(env['HOME'] ?? homedir(), '.local', 'share');
  return join(data, 'lazarus', 'artifact-keys');
}
