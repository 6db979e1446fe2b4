// Payloads as Gitea 1.27.3 really sends them, what is kept of them, and what is refused.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { parsePayload } from '../../../src/surfaces/action/payload.ts';

const FOLDER = new URL('../../fixtures/gitea-1.27.3/', import.meta.url);
const RECORDED = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

const recorded = (name: string): Uint8Array => readFileSync(new URL(name, FOLDER));
const eventOf = (name: string): string => name.split('.')[0]!;
const changed = (name: string, change: (payload: any) => void): Uint8Array => {
  const payload = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'));
  change(payload);
  return utf8(JSON.stringify(payload));
};

const CREATED = 'issue_comment.created_by_nonowner.3.json';

describe('recorded payloads', () => {
  it.each(RECORDED)('%s is read, and nothing of a person but a number is kept', (name) => {
    const payload = JSON.stringify(parsePayload(eventOf(name), recorded(name)));
    expect(payload).not.toMatch(/@|"login"|_at"|https?:/);
  });

  it('a comment keeps its words exactly, its author and its sender', () => {
    expect(parsePayload('issue_comment', recorded(CREATED))).toEqual({
      is: 'comment',
      action: 'created',
      repositoryId: 1,
      senderId: 4,
      issue: {
        number: 2,
        authorId: 4,
        title: 'second',
        updatedAt: '2026-11-18T09:49:48.000Z',
        body: 'hello\nworld',
        isOpen: true,
        isPullRequest: false,
      },
      comment: { id: 1, authorId: 4, body: '/approve 3f9c1a2b4d5e\n' },
    });
  });

  it('an edit by somebody else shows who wrote and who edited', () => {
    const payload = parsePayload('issue_comment', recorded('issue_comment.edited_by_other_writer.4.json'));
    expect(payload).toMatchObject({ is: 'comment', action: 'edited', senderId: 3, comment: { authorId: 4 } });
  });

  it.each([
    ['issues.opened_by_reader.2.json', 'opened'],
    ['issues.edited_body_by_author.6.json', 'edited'],
    ['issues.closed.13.json', 'closed'],
    ['issues.reopened.14.json', 'reopened'],
    ['issues.labeled.8.json', 'other'],
  ])('%s is %s', (name, action) => {
    expect(parsePayload('issues', recorded(name))).toMatchObject({ is: 'issue', action });
  });

  it('a schedule and a call by hand say nothing', () => {
    expect(parsePayload('schedule', recorded('schedule.json'))).toEqual({ is: 'none', repositoryId: 19 });
    expect(parsePayload('workflow_dispatch', recorded('workflow_dispatch.json'))).toMatchObject({ is: 'none' });
  });

  it('a comment on a pull request is known as one', () => {
    const onPull = changed(CREATED, (payload) => (payload.is_pull = true));
    expect(parsePayload('issue_comment', onPull)).toMatchObject({ issue: { isPullRequest: true } });
  });

  it('what a deleted account wrote has nobody as its author', () => {
    const orphaned = changed(CREATED, (payload) => (payload.issue.user = null));
    expect(parsePayload('issue_comment', orphaned)).toMatchObject({ issue: { authorId: -1 } });
  });
});

describe('other payloads', () => {
  it.each<[string, string, Uint8Array]>([
    ['an event nobody subscribed to', 'push', recorded('schedule.json')],
    ['a called workflow’s own event name', 'workflow_call', recorded(CREATED)],
    ['a name from an object’s prototype', 'constructor', recorded(CREATED)],
    ['a comment under the name of an issue without one', 'issue_comment', recorded('issues.opened_by_reader.2.json')],
    ['nothing', 'issues', utf8('')],
    ['no object', 'issues', utf8('null')],
    ['bytes that are no text', 'issues', new Uint8Array([0xff, 0xfe, 0x7b])],
    ['a sender that is a name', 'issue_comment', changed(CREATED, (payload) => (payload.sender.id = '4'))],
    ['no sender', 'issue_comment', changed(CREATED, (payload) => delete payload.sender)],
    ['a comment without id', 'issue_comment', changed(CREATED, (payload) => delete payload.comment.id)],
    ['an id with a fraction', 'issue_comment', changed(CREATED, (payload) => (payload.comment.id = 1.5))],
    ['an unknown action on a comment', 'issue_comment', changed(CREATED, (payload) => (payload.action = 'pinned'))],
    ['a body that is a list', 'issue_comment', changed(CREATED, (payload) => (payload.comment.body = ['/approve']))],
  ])('%s is refused', (_, event, bytes) => {
    expect(() => parsePayload(event, bytes)).toThrow(expect.objectContaining({ code: 'payload_unexpected' }));
  });

  it('a refusal quotes nothing of the payload', () => {
    const bad = changed(CREATED, (payload) => (payload.comment.id = 'carol@example.com'));
    const cut = recorded(CREATED).subarray(0, 900);
    for (const bytes of [bad, cut]) {
      try {
        parsePayload('issue_comment', bytes);
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
        expect(JSON.stringify(error) + (error as Error).stack + String((error as Error).cause)).not.toContain('carol');
      }
    }
  });
});
