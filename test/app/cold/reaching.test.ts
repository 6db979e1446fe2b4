// How a machine without a clone gets to a remote: over HTTP as the person's settings and logins say, and through git where
// that does not do. A token goes to its own origin either way.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { machine, served, WAYS, type Served } from '../../support/cold.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { startGitHttpServer, type Fault, type GitHttpServer } from '../../support/http-server.ts';
import { personWith, scratch } from '../../support/repos.ts';
import { taken } from '../../support/taken.ts';

const PASSWORD = 's3cret-of-the-forge';

/** Another server of the same repository, which asks who is there. */
async function locked(at: Served, options: Parameters<typeof startGitHttpServer>[1] = { password: PASSWORD }) {
  const server = await startGitHttpServer(dirname(at.path), options);
  onTestFinished(server.close);
  return { server, url: `${server.origin}/${basename(at.path)}/.git` };
}

const hasAskedGit = ({ seen }: GitHttpServer): boolean => seen.some(({ method }) => method === 'GET');

describe.each(WAYS)('logins, %s', (way, machine) => {
  it('come from the helpers of the person, who are asked once', async () => {
    const at = await served(1);
    const { server, url } = await locked(at);
    const [helper, diary] = ['helper', 'diary'].map((name) => join(scratch('helpers'), name)) as [string, string];
    writeFileSync(
      helper,
      `#!/bin/sh\necho "$1" >> ${diary}\ncat > /dev/null\n[ "$1" = get ] && printf 'username=ana\\npassword=${PASSWORD}\\n'\nexit 0\n`,
    );
    chmodSync(helper, 0o755);
    const { note } = machine(undefined, undefined, personWith(['credential.helper', helper]));
    taken(await note(url, at.ref));
    expect(
      readFileSync(diary, 'utf8')
        .split('\n')
        .filter((verb) => verb === 'get'),
    ).toEqual(['get']);
    expect(hasAskedGit(server)).toBe(way === 'through git');
  });

  it('never are a token that belongs to another origin', async () => {
    const at = await served(1);
    const { server, url } = await locked(at);
    const token = { LAZARUS_TOKEN: PASSWORD, LAZARUS_TOKEN_ORIGIN: 'https://forge.invalid' };
    await expect(machine(undefined, undefined, token).note(url, at.ref)).rejects.toMatchObject({
      code: 'authentication_needed',
    });
    expect(server.seen.length).toBeGreaterThan(0);
    expect(server.seen.every(({ authorization }) => authorization === undefined)).toBe(true);
    const own = { ...token, LAZARUS_TOKEN_ORIGIN: server.origin };
    taken(await machine(undefined, undefined, own).note(url, at.ref));
  });

  it('are not carried to where a redirect points', async () => {
    const at = await served(1);
    const { server, url } = await locked(at);
    const elsewhere = await locked(at);
    server.faults(({ path }) => ({
      do: 'answer',
      status: 307,
      headers: { location: `${elsewhere.server.origin}${path}` },
    }));
    const token = { LAZARUS_TOKEN: PASSWORD, LAZARUS_TOKEN_ORIGIN: server.origin };
    await expect(machine(undefined, undefined, token).note(url, at.ref)).rejects.toMatchObject({
      code: 'remote_redirected',
    });
    expect(elsewhere.server.seen).toEqual([]);
  });
});

describe('a machine without a clone', () => {
  it.each<[string, Fault]>([
    [
      'speaks an older protocol',
      { do: 'answer', status: 200, body: '0000', headers: { 'content-type': 'text/plain' } },
    ],
    ['sends more than memory should hold', { do: 'endless', chunk: Buffer.alloc(1 << 20, '0009\u0002hey\n') }],
    ['does not answer us', { do: 'drop_answer' }],
  ])('has git read from a server that %s, and appends all the same', async (_, fault) => {
    const at = await served(301);
    const { server } = at;
    // Git reads an advertisement first, which tells it apart.
    server.faults(({ path, method }) =>
      method === 'POST' && path.endsWith('upload-pack') && !hasAskedGit(server) ? fault : undefined,
    );
    const { note } = machine();
    expect(taken(await note(at.url, at.ref))).toMatchObject({ way: 'whole' });
    expect(hasAskedGit(server)).toBe(true);
    server.seen.length = 0;
    expect(taken(await note(at.url, at.ref))).toMatchObject({ way: 'pinned' });
    expect(hasAskedGit(server)).toBe(true);
  });

  it('trusts the certificate that the person’s git trusts, and no other', async () => {
    const at = await served(1);
    const tls = selfSignedCertificate();
    const { server, url } = await locked(at, { tls });
    const certificate = join(scratch('authority'), 'ca.pem');
    writeFileSync(certificate, tls.cert);
    await expect(machine().note(url, at.ref)).rejects.toMatchObject({ code: 'certificate_refused' });
    expect(server.seen).toEqual([]);
    taken(await machine(undefined, undefined, personWith(['http.sslCAInfo', certificate])).note(url, at.ref));
    expect(hasAskedGit(server)).toBe(false);
    const trusting = personWith([`http.${server.origin}.sslVerify`, 'false']);
    taken(await machine(undefined, undefined, trusting).note(url, at.ref));
    expect(hasAskedGit(server)).toBe(true);
  });

  it('goes where the person’s own rules lead', async () => {
    const at = await served(1);
    const rules = personWith([`url.${new URL(at.url).origin}/.insteadOf`, 'https://forge.invalid/']);
    const url = at.url.replace(new URL(at.url).origin, 'https://forge.invalid');
    taken(await machine(undefined, undefined, rules).note(url, at.ref));
    expect(hasAskedGit(at.server)).toBe(false);
  });
});
