// One question to a Git server over HTTP: the credential that goes with it, asked for again where the server wants another,
// and never carried to where a redirect points. Knows neither packets nor what an answer means.
import { basicAuthorization, type Credentials } from './credentials.ts';
import type { Http, Limits, Reply } from '../system/http.ts';
import { printable } from './protocol-failure.ts';

export type HttpServer = {
  /** Of the repository. */
  readonly url: string;
  readonly http: Http;
  readonly credentials: Credentials;
};

export type Question = {
  readonly service: 'git-receive-pack' | 'git-upload-pack';
  readonly body: Uint8Array;
  /** Protocol 2 is understood by servers that are told so, and it needs no advertisement first. */
  readonly version?: 2;
  readonly limits?: Partial<Limits>;
};

/** Throws `authentication_needed` when no credential is left to try. */
export async function postAuthorized({ url, http, credentials }: HttpServer, question: Question): Promise<Reply> {
  const { service, body, version, limits } = question;
  const headers = {
    'content-type': `application/x-${service}-request`,
    accept: resultType(service),
    'user-agent': 'git/lazarus',
    ...(version === undefined ? {} : { 'git-protocol': `version=${version}` }),
  };
  let credential = await credentials.first();
  for (;;) {
    const authorization = credential === undefined ? {} : { authorization: basicAuthorization(credential) };
    const request = { method: 'POST', url: `${url}/${service}`, headers: { ...headers, ...authorization }, body };
    const reply = await http.send(request, limits);
    if (reply.is === 'answered' && (reply.status === 401 || reply.status === 403)) {
      credential = await credentials.next(credential);
      continue;
    }
    if (reply.is === 'answered' && reply.status === 200) await credentials.accepted(credential);
    return reply;
  }
}

function resultType(service: Question['service']): string {
  return `application/x-${service}-result`;
}

/** A captive portal answers 200 to everything. */
export function isOfType({ headers }: Extract<Reply, { is: 'answered' }>, service: Question['service']): boolean {
  return headers['content-type']?.split(';')[0]?.trim() === resultType(service);
}

const LOCATION_CHARS_MAX = 200;

/** Where an answer points to, without what may be secret in it. */
export function locationOf({ headers: { location = '' } }: Extract<Reply, { is: 'answered' }>, base: string): string {
  if (!URL.canParse(location, base)) return '';
  const url = new URL(location, base);
  return printable(`${url.origin}${url.pathname}`.replace(/\/git-(receive|upload)-pack$/, ''), LOCATION_CHARS_MAX);
}
