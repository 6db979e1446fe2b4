// Packages in a throwaway Gitea's own registries, put there as `npm publish` and `twine upload` do, and what a lock file says of
// them afterwards. Reads back what the server says, so that a test that installs one believes the registry and not itself.
import { createHash, type BinaryToTextEncoding } from 'node:crypto';
import type { Gitea } from './server.ts';

type Owner = Awaited<ReturnType<Gitea['createUser']>>;

export type Registries = {
  /** Of both. */
  readonly at: { readonly host: string; readonly port: number };
  readonly npm: string;
  readonly pypi: string;
};

export function registriesOf({ url }: Pick<Gitea, 'url'>, owner: Owner): Registries {
  const { hostname, port } = new URL(url);
  const packages = `${url}/api/packages/${owner.name}`;
  return { at: { host: hostname, port: Number(port) }, npm: `${packages}/npm/`, pypi: `${packages}/pypi/` };
}

/** As npm writes it into a lock file: where the tarball is, and its digest. */
export type Locked = { readonly resolved: string; readonly integrity: string };

export async function publishNpm(gitea: Gitea, owner: Owner, name: string, tarball: Uint8Array): Promise<Locked> {
  const { npm } = registriesOf(gitea, owner);
  const body = {
    _id: name,
    name,
    'dist-tags': { latest: '1.0.0' },
    versions: {
      '1.0.0': { name, version: '1.0.0', dist: { integrity: `sha512-${digest(tarball, 'sha512', 'base64')}` } },
    },
    _attachments: {
      [`${name}-1.0.0.tgz`]: {
        content_type: 'application/octet-stream',
        data: Buffer.from(tarball).toString('base64'),
        length: tarball.length,
      },
    },
  };
  const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' };
  await accepted(await fetch(npm + name, { method: 'PUT', headers, body: JSON.stringify(body) }));
  // As anybody reads it: what prepares dependencies has no token.
  const told = await accepted(await fetch(npm + name));
  const { tarball: resolved, integrity } = JSON.parse(told).versions['1.0.0'].dist;
  return { resolved, integrity };
}

export async function publishWheel(gitea: Gitea, owner: Owner, wheel: { file: string; bytes: Uint8Array }) {
  const [name = '', version = ''] = wheel.file.split('-');
  const form = new FormData();
  form.set('name', name);
  form.set('version', version);
  form.set('sha256_digest', digest(wheel.bytes, 'sha256', 'hex'));
  form.set('content', new Blob([Buffer.from(wheel.bytes)]), wheel.file);
  const authorization = `Basic ${Buffer.from(`${owner.name}:${owner.token}`).toString('base64')}`;
  const { pypi } = registriesOf(gitea, owner);
  await accepted(await fetch(pypi, { method: 'POST', headers: { authorization }, body: form }));
}

async function accepted(response: Response): Promise<string> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text.slice(0, 500)}`);
  return text;
}

function digest(bytes: Uint8Array, algorithm: string, encoding: BinaryToTextEncoding): string {
  return createHash(algorithm).update(bytes).digest(encoding);
}
