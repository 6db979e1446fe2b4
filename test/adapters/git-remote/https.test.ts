// Certificates: nothing is told to a stranger, and a team’s own authority is trusted where git trusts it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openTestRemote } from '../../contract/remote.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { createBareRepository, startGitHttpServer, type GitHttpServer } from '../../support/http-server.ts';
import { git, personWith, scratch, scratchRepository } from '../../support/repos.ts';
import { steps, type Step } from '../../support/transactions.ts';

const X = 'refs/heads/lazarus/x';

describe('a remote over https with a certificate of the team’s own', () => {
  const [one, two] = steps(2, 'tls') as [Step, Step];
  const create = { objects: one.objects, updates: [{ ref: X, old: undefined, next: one.oid }] };
  const append = { objects: two.objects, updates: [{ ref: X, old: one.oid, next: two.oid }] };
  let server: GitHttpServer;
  let bare: string;
  let local: string;
  let certificate: string;

  beforeEach(async () => {
    const root = scratch('served');
    const tls = selfSignedCertificate();
    server = await startGitHttpServer(root, { password: 'secret', tls });
    onTestFinished(server.close);
    bare = createBareRepository(root, 'r.git');
    local = scratchRepository();
    certificate = join(root, 'ca.pem');
    writeFileSync(certificate, tls.cert);
  });

  const open = async (env: Record<string, string>) =>
    openTestRemote({
      cwd: local,
      where: { url: server.url('r.git') },
      env: { LAZARUS_TOKEN: 'secret', LAZARUS_TOKEN_ORIGIN: server.origin, ...env },
    });

  it('tells it nothing, not even a token, until its certificate is trusted', async () => {
    const remote = await open({});
    await expect(remote.push(create)).rejects.toMatchObject({ code: 'certificate_refused' });
    await expect(remote.heads([X])).rejects.toMatchObject({ code: 'certificate_refused' });
    expect(server.seen).toEqual([]);
  });

  it.each([
    ['GIT_SSL_CAINFO', (): Record<string, string> => ({ GIT_SSL_CAINFO: certificate })],
    ['http.sslCAInfo', (): Record<string, string> => personWith(['http.sslCAInfo', certificate])],
  ])('pushes in one request and fetches once %s names the certificate', async (_case, env) => {
    const remote = await open(env());
    expect(await remote.push(create)).toEqual({ is: 'landed' });
    expect(server.seen.map(({ path }) => path)).toEqual(['/r.git/git-receive-pack']);
    expect(await remote.heads([X])).toEqual(new Map([[X, one.oid]]));
  });

  it('knows that a push was sent when the encrypted answer breaks off', async () => {
    const remote = await open({ GIT_SSL_CAINFO: certificate });
    await remote.push(create);
    const cold = await open({ GIT_SSL_CAINFO: certificate });
    server.faults(() => ({ do: 'drop_answer' }));
    expect(await cold.push(append)).toMatchObject({ is: 'unknown' });
    expect(git(bare, ['rev-parse', X])).toBe(two.oid);
  });
});
