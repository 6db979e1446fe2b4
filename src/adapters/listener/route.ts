// The host's side of credential routes: `/_route/<name>/<path>` goes to that route's one origin with the key, which is added
// here, and comes back without it. Knows nothing of cells, of who listens, and of other hosts than these.
import { validateHeaderValue, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { Failure } from '../../failure.ts';
import { isAllowed, readRouteCall, type RouteCall } from '../../kernel/network/route-call.ts';
import type { OpenRoute, Reach } from '../../ports/network.ts';
import { deny, type Denial } from './denial.ts';
import { forward, type ForwardLimits } from './forward.ts';
import { systemResolve, type Resolve } from './dial.ts';
import type { Place } from './listener.ts';
import { originOf, type Origin } from './origin.ts';
import { spendingOf, type Cut, type Spending } from './spending.ts';

type RouteLimits = ForwardLimits & { readonly openCallsMax: number };

const LIMITS: RouteLimits = {
  // A model may think for minutes.
  quietTimeoutMs: 10 * 60_000,
  requestBytesMax: 64 * 1024 * 1024,
  answerBytesMax: 64 * 1024 * 1024,
  openCallsMax: 16,
};
const NOT_FORWARDED: ReadonlySet<string> = new Set(['TRACE', 'CONNECT']);

type Settings = Pick<Reach, 'routes' | 'caFile'> & {
  readonly resolve?: Resolve;
  /** Once per route, when its first call was refused for what it had cost. */
  readonly onCut: (route: string, cut: Cut) => void;
  readonly limits?: Partial<RouteLimits>;
};

type Opened = {
  readonly route: OpenRoute;
  readonly key: readonly [name: string, value: string];
  readonly to: Origin;
  readonly spending: Spending;
};
type Shared = { readonly limits: RouteLimits; readonly secrets: readonly string[]; readonly open: Set<ClientRequest> };

export function openRoutes({
  routes,
  caFile,
  resolve = systemResolve,
  onCut,
  limits: some,
}: Settings): Required<Place> {
  const limits = { ...LIMITS, ...some };
  const through = { resolve, caFile };
  const opened = new Map(
    routes.map((route): [string, Opened] => [
      route.name,
      { route, key: keyHeader(route), to: originOf(route, through), spending: spendingOf(route, onCut) },
    ]),
  );
  const shared: Shared = { limits, secrets: routes.map(({ secret }) => secret), open: new Set() };
  return {
    answer(request, response) {
      const call = readRouteCall(request.url ?? '');
      if (call === undefined) return false;
      response.on('error', () => {});
      const method = request.method ?? '';
      if (NOT_FORWARDED.has(method)) deny(response, 'method_refused', method);
      else if (call === 'path_malformed') deny(response, 'path_malformed', '');
      else answerCall(opened.get(call.name), call, { request, response }, shared);
      return true;
    },
    spent: () => [...opened.values()].map(({ spending }) => spending.spent()),
    close() {
      for (const one of shared.open) one.destroy();
      for (const { to } of opened.values()) to.agent.destroy();
    },
  };
}

type Cell = { readonly request: IncomingMessage; readonly response: ServerResponse };

function answerCall(opened: Opened | undefined, call: RouteCall, cell: Cell, shared: Shared): void {
  if (opened === undefined) return deny(cell.response, 'route_unknown', call.name);
  const why = refusal(opened, call, cell.request, shared);
  if (why === undefined) {
    const { limits, secrets, open } = shared;
    const provider = forward(opened, call, cell, { limits, secrets });
    open.add(provider);
    provider.once('close', () => open.delete(provider));
    return undefined;
  }
  const isCut = why === 'max_calls' || why === 'max_tokens';
  if (!isCut) opened.spending.refuse();
  return deny(cell.response, why, why === 'call_not_allowed' ? `${cell.request.method} ${call.path}` : call.name);
}

function refusal(
  { route, spending }: Opened,
  { path }: RouteCall,
  { method = '', headers }: IncomingMessage,
  { limits, open }: Shared,
): Denial | undefined {
  if (!isAllowed(route.allow, method, path)) return 'call_not_allowed';
  if (Number(headers['content-length'] ?? 0) > limits.requestBytesMax) return 'request_too_large';
  if (open.size >= limits.openCallsMax) return 'calls_open';
  return spending.begin();
}

/** A key that is no header would break the first call, far from whoever could mend it. */
function keyHeader({ name, header, scheme, secret }: OpenRoute): readonly [string, string] {
  const value = scheme === '' ? secret : `${scheme} ${secret}`;
  try {
    validateHeaderValue(header, value);
  } catch {
    throw new Failure('secret_unusable', { route: name, because: 'not one line of a header' });
  }
  return [header, value];
}
