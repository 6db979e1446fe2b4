// Where the value of a key for the vault comes from: the terminal without echo, or one line of standard input. Never an
// argument and never the environment, which other processes can read.
import { Failure } from '../../failure.ts';
import { passphraseFrom } from './passphrase.ts';

const STANDARD_INPUT = 0;

type Source = { readonly isPiped: boolean; readonly prompt: string | undefined };

export async function secretFrom({ isPiped, prompt }: Source): Promise<string> {
  try {
    const where = isPiped ? { fd: STANDARD_INPUT } : prompt === undefined ? {} : { prompt };
    return await passphraseFrom({ env: {}, ...where });
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause;
    const isThere = cause.code === 'passphrase_empty' || 'lineBytesMax' in cause.facts;
    if (isThere) throw new Failure('secret_unusable', cause.facts, { cause });
    if (cause.code === 'passphrase_needed') throw new Failure('secret_needed', {}, { cause });
    throw cause;
  }
}
