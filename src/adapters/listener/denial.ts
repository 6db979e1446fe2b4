// What a cell hears instead of its provider, in words that its agent shows: a header for programs, a body that the SDKs of
// providers print as their own errors.
import type { ServerResponse } from 'node:http';

const DENIED_HEADER = 'x-lazarus-denied';

export type Denial = keyof typeof DENIALS;

/** By the word in the header: the status, and the sentence, with the route's name or the call in it. */
const DENIALS = {
  path_malformed: [400, () => 'The path of this call has more than one spelling. Only plain paths pass.'],
  method_refused: [405, (about) => `No route passes this method: ${about}.`],
  route_unknown: [404, (about) => `There is no route of this name here: ${about}.`],
  call_not_allowed: [403, (about) => `Policy does not allow this call: ${about}. A route names its methods and paths.`],
  request_too_large: [413, () => 'The request is larger than a route passes.'],
  calls_open: [503, () => 'Too many calls are open at once. Wait for one of them.'],
  max_calls: [429, (about) => `Route ${about} has made all the calls that policy gives it (max_calls).`],
  max_tokens: [429, (about) => `Route ${about} has used all the tokens that policy gives it (max_tokens).`],
  redirect: [502, (about) => `The provider of route ${about} leads to another place. Routes follow nobody there.`],
  encoded: [
    502,
    (about) => `The provider of route ${about} compressed its answer, which cannot be searched for the key.`,
  ],
  address_refused: [
    502,
    (about) =>
      `The provider of route ${about} has no address that may be dialled: it is not public, or not in the range that policy names.`,
  ],
  unreachable: [502, (about) => `The provider of route ${about} cannot be reached, or its certificate is not trusted.`],
  quiet: [504, (about) => `The provider of route ${about} said nothing for too long.`],
  port_from_page: [
    403,
    () => 'A page in a browser asks this. The kernel port hears the agent and nobody who speaks through it.',
  ],
  port_method: [405, () => 'The kernel port takes POST, and begins no stream of its own.'],
  port_too_large: [413, () => 'That is more than the kernel port hears at once.'],
  port_slow: [408, () => 'The rest of what was announced did not come in time.'],
  port_flood: [429, () => 'The kernel port is asked too often. Nothing of this was heard.'],
  port_malformed: [400, () => 'There is no JSON text in this.'],
  port_version: [400, () => 'This version of the protocol is not spoken here; initialize says which are.'],
} satisfies Record<string, readonly [status: number, words: (about: string) => string]>;

export function deny(response: ServerResponse, why: Denial, about: string): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const [status, words] = DENIALS[why];
  const message = words(about);
  response
    // SDKs try a 429 and a 5xx again on their own, unless they are told not to.
    .writeHead(status, {
      'content-type': 'application/json',
      [DENIED_HEADER]: why,
      // Nobody reads the rest of a question that was answered.
      ...(response.req.complete ? {} : { connection: 'close' }),
      ...(why === 'calls_open' || why === 'port_flood' ? { 'retry-after': '1' } : { 'x-should-retry': 'false' }),
    })
    .end(JSON.stringify({ type: 'error', error: { type: `lazarus_${why}`, code: why, message } }));
}
