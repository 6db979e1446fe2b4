// The one way to say that a remote does not speak git, and the one way to show words that a stranger wrote.
import { Failure } from '../../failure.ts';

export function protocolFailure(found: string): Failure {
  return new Failure('remote_protocol', { found }, { retry: 'later' });
}

/** One printable line: a server's words must not move the cursor, colour the terminal or fill the log. */
export function printable(text: string, charsMax: number): string {
  const line = text
    // oxlint-disable-next-line no-control-regex -- the escape character itself is what is looked for
    .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length <= charsMax ? line : `${line.slice(0, charsMax - 1)}…`;
}
