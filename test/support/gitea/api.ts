// A few lines to ask a throwaway Gitea for things that tests set up: no retries, no schema, a throw when it says no.
// The program's own adapter is not used here, so that it is not tested by itself.

export type Api = (method: string, path: string, body?: unknown) => Promise<any>;

export function withToken(url: string, token: string): Api {
  return createApi(url, `token ${token}`);
}

export function withPassword(url: string, name: string, password: string): Api {
  return createApi(url, `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`);
}

function createApi(url: string, authorization: string): Api {
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}
