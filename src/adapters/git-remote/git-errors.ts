// From what git wrote on stderr to a reason by name. Reads English: the runner sets LC_ALL=C.
import { Failure, type Retry } from '../../failure.ts';
import type { ReasonCode } from '../../reasons.ts';
import { printable } from './protocol-failure.ts';

const DETAIL_CHARS_MAX = 300;

// In order: the first that matches wins, so the particular stands before the general
// (`Could not read from remote repository` follows most of ssh's complaints).
const MEANINGS: readonly [RegExp, ReasonCode, Retry][] = [
  [/transport '[^']*' not allowed|unable to find remote helper|is not a git command/, 'remote_url_refused', 'never'],
  [/Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED/, 'host_key_refused', 'never'],
  [
    /Authentication failed|could not read (?:Username|Password)|returned error: 40[13]|Permission denied \(|HTTP Basic: Access denied/,
    'authentication_needed',
    'never',
  ],
  [/server certificate|SSL certificate|certificate verif|SSL: no alternative/i, 'certificate_refused', 'never'],
  [/returned error: 30\d|unable to update url base from redirection/, 'remote_redirected', 'never'],
  // Not after `remote: `: it is the local history that has a hole, and git cannot send on from there.
  [
    /^(?:fatal|error): (?:Failed to traverse|Could not read [0-9a-f]{40}|unable to read [0-9a-f]{40}|bad object)/m,
    'object_missing',
    'never',
  ],
  [/couldn't find remote ref/, 'remote_ref_missing', 'never'],
  [/does not support --atomic/, 'remote_not_atomic', 'never'],
  [
    /repository '[^']*' not found|does not appear to be a git repository|returned error: 404|does not exist$|not a git repository/m,
    'remote_not_found',
    'never',
  ],
  [
    /bad line length|protocol error|invalid server response|valid: is this a git repository|unexpected|unknown object format|mismatched|did not send all|index-pack (?:failed|abnormal)|inflate|bad pack|pack has|missing necessary|expected (?:flush|shallow|packfile|'|\w+ got)|invalid (?:ls-refs|index-pack)|unable to parse|not our ref/i,
    'remote_protocol',
    'later',
  ],
  [
    /Could not resolve|Couldn't resolve|Failed to connect|Couldn't connect|Connection (?:refused|reset|closed|timed out)|timed out|Empty reply|returned error: [45]\d\d|Recv failure|Send failure|too slow|hung up|early EOF|Could not read from remote|Network is unreachable|No route to host|disconnect/i,
    'remote_unreachable',
    'later',
  ],
];

/** Words that mean git never got as far as sending a push: the remote's list of references had not even arrived. */
const BEFORE_THE_PUSH =
  /Could not read from remote repository|unable to access|transport '[^']*' not allowed|does not appear to be|^fatal: repository '[^']*' not found$/m;

export function failureFromGit(stderr: string, url: string): Failure {
  const detail = detailFrom(stderr);
  for (const [words, code, retry] of MEANINGS)
    if (words.test(stderr)) return new Failure(code, { url, detail }, { retry });
  return new Failure('git_failed', { url, detail });
}

export function failedBeforePush(stderr: string): boolean {
  return BEFORE_THE_PUSH.test(stderr) && !/remote end hung up|disconnect/.test(stderr);
}

/** The last words are git's verdict; what goes before is progress and talk. No URL in them keeps its password. */
export function detailFrom(stderr: string): string {
  const lines = stderr
    .split('\n')
    .filter((line) => /^(?:fatal|error|ssh|warning|remote|ERROR|!|Host|Permission)/.test(line.trim()));
  const text = (lines.length === 0 ? stderr : lines.join(' ')).replace(/(\w+:\/\/)[^@/\s]*@/g, '$1');
  return printable(text, DETAIL_CHARS_MAX);
}
