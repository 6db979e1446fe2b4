// Which headers pass a credential route, in both directions: those that providers and their clients need, by name. What is
// not known does not pass, so that no header names another key, another account, another path or another address.

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;
type Added = {
  /** In lower case, with its value. */
  readonly key: readonly [name: string, value: string];
  readonly fixed: Readonly<Record<string, string>>;
};

/** From the cell to the provider. Never authorization, cookie, proxy-*, x-api-key, x-forwarded-* or x-http-method-*. */
const ASKS =
  /^(?:accept|accept-language|content-type|content-encoding|user-agent|idempotency-key|originator|session[_-]id|conversation[_-]id|x-client-request-id|anthropic-(?:version|beta|dangerous-direct-browser-access)|openai-beta|x-stainless-[a-z-]+|x-codex-[a-z-]+)$/;
/** From the provider to the cell. Never set-cookie, location, alt-svc, www-authenticate, link or refresh. */
const ANSWERS =
  /^(?:content-type|cache-control|date|retry-after(?:-ms)?|(?:x-)?request-id|x-should-retry|(?:x|anthropic)-ratelimit-[a-z-]+|openai-(?:model|version|processing-ms))$/;

/** What is sent instead of what the cell sent. The answer has to come as it is, or it could be neither metered nor searched. */
export function headersToProvider(from: Headers, { key, fixed }: Added): Record<string, string | readonly string[]> {
  return { ...only(from, ASKS), ...fixed, 'accept-encoding': 'identity', [key[0]]: key[1] };
}

export function headersToCell(from: Headers, cleaned: (value: string) => string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(only(from, ANSWERS)).map(([name, value]) => [
      name,
      cleaned(typeof value === 'string' ? value : value.join(', ')),
    ]),
  );
}

function only(headers: Headers, names: RegExp): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value !== undefined && names.test(name) ? [[name, value]] : [],
    ),
  );
}
