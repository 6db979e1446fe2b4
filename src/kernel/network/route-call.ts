// What is called on a credential route, and whether the route lets it through. A path has exactly one spelling here: whatever
// a provider's server might read as another path than the one that was compared is refused, not repaired.
import { RouteName } from './hosts.ts';

const PREFIX = '/_route/';
const TARGET_CHARACTERS_MAX = 8 * 1024;

export type RouteCall = {
  readonly name: string;
  /** Begins with a slash. */
  readonly path: string;
  /** Empty, or with its question mark. No route decides by it. */
  readonly query: string;
};

/** Undefined for what is no route's: egress, the kernel port, a stranger's absolute address. */
export function readRouteCall(target: string): RouteCall | 'path_malformed' | undefined {
  if (!target.startsWith(PREFIX)) return undefined;
  if (target.length > TARGET_CHARACTERS_MAX) return 'path_malformed';
  const asked = target.indexOf('?');
  const whole = asked < 0 ? target : target.slice(0, asked);
  const query = asked < 0 ? '' : target.slice(asked);
  const slash = whole.indexOf('/', PREFIX.length);
  const name = slash < 0 ? '' : whole.slice(PREFIX.length, slash);
  const path = whole.slice(slash);
  const isPlain = RouteName.safeParse(name).success && isPlainPath(path) && PLAIN_QUERY.test(query);
  return isPlain ? { name, path, query } : 'path_malformed';
}

/** `POST /v1/responses` is that alone; `GET /v1/models/*` is everything that begins so. */
export function isAllowed(allow: readonly string[], method: string, path: string): boolean {
  const call = `${method} ${path}`;
  return allow.some((one) => (one.endsWith('*') ? call.startsWith(one.slice(0, -1)) : call === one));
}

/** Where a redirect leads to when it stays with the origin, as the cell has to ask for it; undefined where it leaves. */
export function redirectWithin(origin: string, { name, path }: RouteCall, location: string): string | undefined {
  if (!URL.canParse(location, `${origin}${path}`)) return undefined;
  const to = new URL(location, `${origin}${path}`);
  const isWithin = to.origin === new URL(origin).origin && to.username === '' && to.password === '';
  const again = `${PREFIX}${name}${to.pathname}${to.search}`;
  return isWithin && typeof readRouteCall(again) === 'object' ? again : undefined;
}

/**
 * No percent sign (`%2e%2e`, `%2f`), no semicolon (`..;/`), no backslash, no empty and no dot segment: each is read in two
 * ways by some server.
 */
function isPlainPath(path: string): boolean {
  if (!/^\/[A-Za-z0-9._~:@/-]*$/.test(path)) return false;
  const segments = path.slice(1).split('/');
  return segments.every((one, at) => one !== '.' && one !== '..' && (one !== '' || at === segments.length - 1));
}

/** Nothing that could end the line, the address or a header. */
const PLAIN_QUERY = /^(?:\?(?:[A-Za-z0-9._~:@!$&'()*+,;=/?[\]-]|%[0-9A-Fa-f]{2})*)?$/;
