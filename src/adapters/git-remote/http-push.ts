// A push as one POST to git-receive-pack: no advertisement is read first, so the server's own reference lock is the
// compare-and-swap. Knows HTTP's answers; leaves the words of the report to receive-pack.ts and outcome.ts.
import { Failure } from '../../failure.ts';
import type { PushOutcome } from '../../ports/remote.ts';
import type { RefUpdate } from '../../ports/repository.ts';
import { isOfType, locationOf, postAuthorized, type HttpServer } from './http-ask.ts';
import type { Reply } from '../system/http.ts';
import { outcomeOf } from './outcome.ts';
import { encodePushRequest, parseReport } from './receive-pack.ts';

type Answer = Extract<Reply, { is: 'answered' }>;

/** `certificate_unknown`: nothing was sent, for Node does not trust the server; git, with the system's list, may. */
export async function pushOverHttp(
  server: HttpServer,
  updates: readonly RefUpdate[],
  pack: Uint8Array,
): Promise<PushOutcome | 'certificate_unknown'> {
  const body = encodePushRequest(updates, pack);
  const reply = await postAuthorized(server, { service: 'git-receive-pack', body });
  if (reply.is === 'not_sent' && reply.isCertificate) return 'certificate_unknown';
  return outcomeOfReply(reply, updates, server.url);
}

function outcomeOfReply(reply: Reply, updates: readonly RefUpdate[], url: string): PushOutcome {
  if (reply.is === 'not_sent') throw new Failure('remote_unreachable', { url, why: reply.why }, { retry: 'later' });
  if (reply.is === 'lost') return { is: 'unknown', why: reply.why };
  if (reply.is === 'too_long') return { is: 'unknown', why: 'remote_protocol: an answer without end' };
  return outcomeOfAnswer(reply, updates, url);
}

function outcomeOfAnswer(answer: Answer, updates: readonly RefUpdate[], url: string): PushOutcome {
  const { status } = answer;
  if (status === 200) return outcomeOfReport(answer, updates);
  if (status >= 300 && status < 400) throw new Failure('remote_redirected', { url, to: locationOf(answer, url) });
  if (status === 404 || status === 410) throw new Failure('remote_not_found', { url });
  // A proxy that gave up, or a server that broke after it read the request: git behind it may have done the work.
  if (status >= 500 || status === 408 || status === 429) return { is: 'unknown', why: `HTTP ${status}` };
  if (status >= 400) return { is: 'refused', ref: updates[0]?.ref ?? '', why: `HTTP ${status}` };
  return { is: 'unknown', why: `remote_protocol: HTTP ${status}` };
}

function outcomeOfReport(answer: Answer, updates: readonly RefUpdate[]): PushOutcome {
  if (!isOfType(answer, 'git-receive-pack')) return { is: 'unknown', why: 'remote_protocol: not an answer of git' };
  const refs = updates.map((update) => update.ref);
  try {
    const report = parseReport(answer.body, refs);
    return outcomeOf(
      refs.map((ref) => ({ ref, why: report.refs.get(ref) ?? (report.unpack === 'ok' ? undefined : report.unpack) })),
      report.said,
    );
  } catch (error) {
    // Garbage says nothing of what was done before it: the push may stand.
    if (error instanceof Failure && error.code === 'remote_protocol') {
      return { is: 'unknown', why: `remote_protocol: ${String(error.facts['found'])}` };
    }
    throw error;
  }
}
