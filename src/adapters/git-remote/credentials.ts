// Which credential goes to an HTTP remote, in which order, and where it must never go. Knows no protocol and no socket.
import { Failure } from '../../failure.ts';
import type { Address, Login } from './address.ts';

export type Credential = Required<Login> & {
  readonly password: string;
  readonly from: 'environment' | 'url' | 'helper' | 'netrc';
};

/** The places outside this process where a login may be kept. */
export type LoginSources = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly helper: {
    fill(user: string | undefined): Promise<Login | undefined>;
    approve(login: Login): Promise<void>;
    reject(login: Login): Promise<void>;
  };
  readonly netrc: () => Promise<Login | undefined>;
};

export type Credentials = {
  /** What to send before the server asks: undefined is nobody. Throws `insecure_transport`. */
  first(): Promise<Credential | undefined>;
  /** The server did not accept `refused`: the next one to try. Throws `authentication_needed` when there is none. */
  next(refused: Credential | undefined): Promise<Credential>;
  accepted(credential: Credential | undefined): Promise<void>;
};

type Source = () => Promise<Credential | undefined>;

// Gitea, GitHub and GitLab take a token as the password of any user name.
const DEFAULT_USER = 'lazarus';

/** Throws `token_origin_needed`. */
export function credentialsFor(address: Address, displayUrl: string, sources: LoginSources): Credentials {
  // Now and not when it is asked for: a token without an origin stops whatever was to be done with this remote.
  const fromOutside = fromEnvironment(sources.env, address);
  const given: Source[] = [async () => fromOutside, async () => fromUrl(address)];
  const asked: Source[] = [
    async () => named(await sources.helper.fill(address.login?.user), 'helper'),
    async () => named(await sources.netrc(), 'netrc'),
  ];
  const left = [...given, ...asked];
  let current: Credential | undefined;
  let lastRefused: Credential | undefined;
  let isStarted = false;
  let isApproved = false;
  let turn: Promise<unknown> = Promise.resolve();

  /** One at a time: of two calls that are refused at once, the second gets what the first one finds. */
  async function inTurn<T>(step: () => Promise<T>): Promise<T> {
    const mine = turn.then(step);
    turn = mine.catch(() => undefined);
    return mine;
  }

  async function draw(candidates: Source[]): Promise<Credential | undefined> {
    for (;;) {
      const source = candidates.shift();
      if (source === undefined) return undefined;
      const credential = await source();
      if (credential !== undefined) return credential;
    }
  }

  async function first(): Promise<Credential | undefined> {
    if (!address.isConfidential) {
      await assertNothingToSend(given, sources.netrc, displayUrl);
      return undefined;
    }
    if (!isStarted) {
      isStarted = true;
      current = await draw(left.splice(0, given.length));
    }
    return current;
  }

  async function next(refused: Credential | undefined): Promise<Credential> {
    if (!address.isConfidential) throw insecure(displayUrl);
    if (current !== undefined && current !== refused) return current;
    if (refused?.from === 'helper') await sources.helper.reject(refused);
    lastRefused = refused ?? lastRefused;
    isApproved = false;
    current = await draw(left);
    if (current === undefined) throw needed(displayUrl, lastRefused);
    return current;
  }

  async function accepted(credential: Credential | undefined): Promise<void> {
    if (isApproved || credential?.from !== 'helper') return;
    isApproved = true;
    await sources.helper.approve(credential);
  }

  return {
    first: async () => inTurn(first),
    next: async (refused) => inTurn(async () => next(refused)),
    accepted,
  };
}

export function basicAuthorization({ user, password }: Credential): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/**
 * A remote's address comes out of a repository's configuration or an argument, which others may have written: the token
 * goes to the one server that its owner named beside it, whatever remote lazarus is pointed at.
 */
function fromEnvironment(env: LoginSources['env'], { url }: Address): Credential | undefined {
  const password = env['LAZARUS_TOKEN'];
  if (password === undefined || password === '') return undefined;
  if (tokenOrigin(env['LAZARUS_TOKEN_ORIGIN']) !== new URL(url).origin) return undefined;
  return { user: env['LAZARUS_USER'] || DEFAULT_USER, password, from: 'environment' };
}

/** Throws `token_origin_needed`: a token that could go anywhere goes nowhere, and says so. */
function tokenOrigin(text: string | undefined): string {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (!isOrigin) throw new Failure('token_origin_needed', { why: text ? 'it is not an origin' : 'it is not set' });
  return url.origin;
}

function fromUrl(address: Address): Credential | undefined {
  return named(address.login, 'url');
}

function named(login: Login | undefined, from: Credential['from']): Credential | undefined {
  if (login?.password === undefined) return undefined;
  return { user: login.user, password: login.password, from };
}

/** git hands a .netrc login to any host that it names, encrypted or not: so it is looked for before git starts. */
async function assertNothingToSend(given: Source[], netrc: LoginSources['netrc'], displayUrl: string): Promise<void> {
  for (const source of given) if ((await source()) !== undefined) throw insecure(displayUrl);
  if ((await netrc()) !== undefined) throw insecure(displayUrl);
}

function insecure(url: string): Failure {
  return new Failure('insecure_transport', { url });
}

function needed(url: string, refused: Credential | undefined): Failure {
  return new Failure('authentication_needed', { url, refused: refused === undefined ? null : refused.from });
}
