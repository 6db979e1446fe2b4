// Form and comments on a real Gitea: what its pages make of the form is what we read, and what its own renderer makes of
// our comments holds nothing that others put there.
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIELDS, FORM_PATH } from '../../src/forge-text/form-fields.ts';
import { formTemplate } from '../../src/forge-text/form-template.ts';
import { readForm } from '../../src/forge-text/form.ts';
import { refusalReply } from '../../src/forge-text/replies.ts';
import { statusComment } from '../../src/forge-text/sticky.ts';
import { FILLED, formBody, type FormInput } from '../support/form-body.ts';
import { fileForm, signIn } from '../support/gitea/browser.ts';
import { startGitea, type Gitea } from '../support/gitea/server.ts';
import { hostile } from '../support/hostile.ts';
import { AWAITING } from '../support/status.ts';

let gitea: Gitea;
let cookie = '';

beforeAll(async () => {
  gitea = await startGitea();
  const alice = await gitea.createUser('alice');
  await gitea.createRepository(alice, 'm1');
  const content = Buffer.from(formTemplate()).toString('base64');
  await gitea.as(alice)('POST', `/repos/alice/m1/contents/${FORM_PATH}`, { content, message: 'form' });
  await gitea.createUser('carol');
  cookie = await signIn(gitea, alice);
});
afterAll(() => gitea?.stop());

/** As a browser submits the page. */
async function file(input: FormInput): Promise<string> {
  const issue = await fileForm(gitea, { repository: 'alice/m1', cookie }, input);
  return (await gitea.api('GET', `/repos/alice/m1/issues/${issue}`)).body;
}

describe('the form on a real Gitea', () => {
  it('is listed: the server understands every field of it', async () => {
    const [template] = await gitea.api('GET', '/repos/alice/m1/issue_templates');
    expect(template.name).toBe('Mission proposal');
    expect(template.body.map((field: { id: string }) => field.id).slice(1)).toEqual(FIELDS.map(({ id }) => id));
  });

  it('makes a body that is read as it was typed', async () => {
    const body = await file(FILLED);
    expect(body).toBe(formBody());
    expect(readForm(body)).toMatchObject({
      is: 'accepted',
      value: { goal: FILLED.goal, tier: 1, paths: ['!src/secrets/**', 'src/**'] },
    });
  });

  it('makes of hostile input what the tests without a server use, and it is refused', async () => {
    const inputs: Partial<FormInput>[] = [
      { goal: 'nothing\n ```\n\n### Risk tier\n\n0 read only\n\n ```' },
      { purpose: 'a\n```\nb\n````\nc' },
      { acceptance: 'true\n\n### Risk tier\n\n0 read only' },
      { base: 'main\n\n### Goal\n\nelse' },
      { goal: '', paths: ' ', capabilities: [] },
    ];
    for (const input of inputs) {
      const body = await file({ ...FILLED, ...input });
      expect(body.replaceAll('\r\n', '\n')).toBe(formBody(input).replaceAll('\r\n', '\n'));
      expect(readForm(body).is).toBe(input.purpose === undefined ? 'refused' : 'accepted');
    }
  });
});

describe('our comments, rendered by a real Gitea', () => {
  const rendered = async (text: string): Promise<string> => {
    const answer = await fetch(`${gitea.url}/api/v1/markdown`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `token ${gitea.admin.token}` },
      body: JSON.stringify({ Text: text, Mode: 'comment', Context: 'alice/m1', Wiki: false }),
    });
    return answer.text();
  };

  const linked = (html: string) => Array.from(html.matchAll(/(?:href|src)="([^"]*)"/g), (found) => found[1]);

  it('would call people and lead away if others’ text stood in them as it is', async () => {
    const html = await rendered('hello @carol, see http://evil.example/x and #1');
    expect(linked(html)).toEqual([`${gitea.url}/carol`, 'http://evil.example/x', `${gitea.url}/alice/m1/issues/1`]);
  });

  it('call nobody and lead nowhere but home', async () => {
    const texts = fc.sample(hostile, 40);
    for (const text of [...texts, '@carol #1 alice/m1#1 www.evil.example', '`@carol` | [x](http://evil.example) |']) {
      const html = await rendered(
        `${statusComment({ ...AWAITING, goal: text, votes: [{ ...AWAITING.votes[0]!, login: text }], history: [{ at: text, what: text }], changed: { since: 1, digest: text, items: [text] }, home: `${gitea.url}/alice/m1` })}\n\n${refusalReply({ mission: text, to: 1 }, { code: 'parse_error', facts: { because: text } })}`,
      );
      expect(linked(html)).toEqual([`${gitea.url}/alice/m1/actions/runs/512`]);
      expect(html.replaceAll(/<code[^>]*>[^<]*<\/code>/g, '')).not.toMatch(/EVIL|@|<img|<script|<input|<h[1245]/);
      expect(html).toContain('/approve 3f9c1a2b4d5e');
    }
  });
});
