// Keys of others by reference: out of the supervisor's environment, a file that nobody else may read, or the vault. Keeps and
// prints nothing.
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Failure } from '../../failure.ts';
import { checkSecret, isLoginFile } from '../../kernel/policy/secret.ts';
import type { Secrets, Vault } from '../../ports/secrets.ts';

type Places = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Opened only when something is looked for in it. */
  readonly vault: () => Promise<Pick<Vault, 'read'>>;
};

const FILE_BYTES_MAX = 64 * 1024;
const OTHERS = 0o077;

export function secretsIn({ env, vault }: Places): Secrets {
  return {
    async resolve(reference) {
      const [, kind, where = ''] = /^(env|file|vault):(.*)$/s.exec(reference) ?? [];
      if (kind === 'env') return checked(env[where], reference);
      if (kind === 'file') return checked(await fileText(where, reference), reference);
      if (kind === 'vault') return checked(await (await vault()).read(where), reference);
      throw new Failure('secret_missing', { key: reference });
    },
  };
}

function checked(text: string | undefined, reference: string): string {
  if (text === undefined) throw new Failure('secret_missing', { key: reference });
  const verdict = checkSecret(text, reference);
  if (verdict.is === 'refused') throw new Failure(verdict.code, verdict.facts);
  return verdict.value;
}

async function fileText(path: string, reference: string): Promise<string> {
  if (isLoginFile(path)) throw new Failure('login_not_a_key', { key: reference });
  const file = await opened(path, reference);
  try {
    const { mode, uid, size } = await file.stat().then((found) => {
      if (!found.isFile()) throw new Failure('secret_exposed', { key: reference, because: 'no plain file' });
      return found;
    });
    const isOurs = uid === process.geteuid?.() || uid === 0;
    if ((mode & OTHERS) !== 0 || !isOurs)
      throw new Failure('secret_exposed', { key: reference, mode: (mode & 0o777).toString(8), is_ours: isOurs });
    if (size > FILE_BYTES_MAX) throw new Failure('secret_unusable', { key: reference, bytes_max: FILE_BYTES_MAX });
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** A link could be turned to another file between two looks; a pipe would be waited for. */
async function opened(path: string, reference: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    const error = (cause as NodeJS.ErrnoException).code ?? 'unknown';
    if (error === 'ELOOP') throw new Failure('secret_exposed', { key: reference, because: 'a link' }, { cause });
    throw new Failure('secret_missing', { key: reference, error }, { cause });
  }
}
