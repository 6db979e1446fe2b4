// Raw ed25519 signatures by gpg-agent, through gpg-connect-agent: the private key never leaves the agent, and what is signed
// is a digest made here. Knows keygrips and digests, not keys or user ids.
import { Failure } from '../../failure.ts';
import { hex } from '../../format/bytes.ts';
import { runGpg } from './gpg-process.ts';
import type { RawSign } from './signer.ts';

/** Shown by the agent's passphrase dialog; `+` is a space in this protocol. */
const DESCRIPTION = 'lazarus+signs+a+ledger+entry+with+your+key';
const KEYGRIP = /^[0-9A-F]{40}$/;

export function agentRawSigner(keygrip: string, env: NodeJS.ProcessEnv): RawSign {
  if (!KEYGRIP.test(keygrip)) throw new Failure('gpg_failed', { what: 'keygrip' });
  return async (digest) => {
    const commands = [
      `SIGKEY ${keygrip}`,
      `SETKEYDESC ${DESCRIPTION}`,
      `SETHASH --hash=sha512 ${hex(digest).toUpperCase()}`,
      'PKSIGN',
      '/bye',
    ];
    const answer = await runGpg({ program: 'gpg-connect-agent', env }, [], `${commands.join('\n')}\n`);
    return signatureOf(answer.toString('latin1'), keygrip);
  };
}

function signatureOf(answer: string, keygrip: string): Uint8Array {
  const lines = answer.split('\n');
  const error = lines.find((line) => line.startsWith('ERR '));
  if (error !== undefined) throw new Failure('gpg_agent_refused', { keygrip, says: error.slice(4) });
  const data = lines.filter((line) => line.startsWith('D ')).map((line) => line.slice(2));
  const expression = Buffer.from(unescaped(data.join('')), 'latin1');
  const signature = new Uint8Array(64);
  signature.set(integer(expression, '(1:r'), 0);
  signature.set(integer(expression, '(1:s'), 32);
  return signature;
}

// The protocol escapes percent signs and line ends in data, so that a line stays a line.
function unescaped(data: string): string {
  return data.replaceAll(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The bytes after `name` in a canonical s-expression: `(1:r32:…`. EdDSA values always have 32 bytes. */
function integer(expression: Buffer, name: string): Uint8Array {
  const start = expression.indexOf(name, 0, 'latin1');
  const length = start < 0 ? '' : expression.toString('latin1', start + name.length, start + name.length + 3);
  const value = expression.subarray(start + name.length + 3, start + name.length + 35);
  if (length !== '32:' || value.length !== 32) throw new Failure('gpg_failed', { what: 'signature of the agent' });
  return value;
}
