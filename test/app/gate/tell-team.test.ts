// What the schedule tells people outside of the forge: each thing once, without secrets and without marks that call anybody;
// twice rather than never where a job dies; and that no receiver keeps a mission waiting.
import { expect, it, onTestFinished } from 'vitest';
import { webhook } from '../../../src/adapters/messengers/webhook.ts';
import { reconcile } from '../../../src/app/gate/schedule.ts';
import type { Messenger } from '../../../src/ports/messenger.ts';
import { git } from '../../support/repos.ts';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { GATE, gateSite, lineOf, SECRET, type GateSite } from './gate-site.ts';
import { heal, jobSite } from './jobs.ts';

const TOLD = 'refs/lazarus/told';
const HOUR_SECONDS = 3600;

type Told = { readonly at: GateSite; readonly receiver: Receiver; readonly messenger: Messenger };

async function told(): Promise<Told> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const messenger = webhook(receiver.url, { connectTimeoutMs: 2000, answerTimeoutMs: 2000, answerBytesMax: 1000 });
  onTestFinished(() => messenger.close());
  return { at: await gateSite(), receiver, messenger };
}

const look = ({ at, messenger }: Told) => heal(at, () => Promise.resolve(), messenger);
const kinds = ({ receiver }: Told): string[] => receiver.received.map(({ body }) => String(body['kind']));

it('tells once that people are asked, once that it runs out soon, and once that it is over', async () => {
  const here = await told();
  const { at, receiver } = here;
  const { issue } = await at.file('ana');
  const line = lineOf((await at.ours(issue))[0]!);
  await look(here);
  await look(here);
  expect(receiver.received).toHaveLength(1);
  const url = `http://forge.invalid/ana/m1/issues/${issue}`;
  expect(receiver.received[0]!.body).toMatchObject({
    schema_version: 1,
    repository: 'ana/m1',
    kind: 'asked',
    state: 'awaiting approval',
    goal: 'Greet people by their name',
    waits_for: ['ben'],
    issue,
    url,
    line,
  });
  expect(receiver.received[0]!.body['text']).toMatch(
    new RegExp(
      `^ana/m1: m-[0-9a-f]{12} awaiting approval, waits for ben, until \\S+\nGreet people by their name\npaste in ${url}: ${line}\n$`,
    ),
  );
  at.clock.aheadSeconds = 60 * HOUR_SECONDS;
  await look(here);
  await look(here);
  at.clock.aheadSeconds = 73 * HOUR_SECONDS;
  await look(here);
  await look(here);
  expect(kinds(here)).toEqual(['asked', 'due', 'ended']);
  expect(receiver.received[2]!.body).toMatchObject({ state: 'expired', url });
});

it('tells again what a new plan asks for, and says that a mission is held, stuck or broken', async () => {
  const here = await told();
  const { at, receiver } = here;
  const { issue } = await at.file('ana');
  await look(here);
  await at.edit('ana', issue, { goal: 'Greet everybody by their name' });
  await look(here);
  await at.comment('ben', issue, '/hold');
  await look(here);
  const mission = String(receiver.received[0]!.body['mission']);
  git(at.server, ['update-ref', '-d', `refs/heads/lazarus/${mission}`]);
  await look(here);
  await look(here);
  expect(kinds(here)).toEqual(['asked', 'asked', 'people', 'broken']);
  expect(receiver.received[3]!.body['text']).toContain(`${mission} its ledger is missing (ledger_not_found)`);
});

it('takes secrets out before anything is cut, leaves references to them, and lets no mark of others through', async () => {
  const here = await told();
  const goal = `${'x'.repeat(280)} ${SECRET} @all <!here> vault:openai [a](https://evil.example) \u202e`;
  await here.at.file('ana', { goal: goal.replace(' \u202e', '') });
  await here.at.file('ana', {
    goal: 'Ask <!here> @all to read vault:openai at https://evil.example',
    paths: 'docs/**',
  });
  await look(here);
  const said = JSON.stringify(here.receiver.received);
  expect(said).not.toContain(SECRET.slice(0, 6));
  const [first, second] = here.receiver.received.map(({ body }) => String(body['text']));
  const texts = [first, second].join('\n');
  expect(texts).toContain('vault:openai');
  expect(texts).toContain('Ask ·!here· ·all to read vault:openai at https: evil.example');
  expect(texts.replaceAll('http://forge.invalid', '')).not.toMatch(/[@<>`*_[\]|]|:\/\//);
});

it('holds nobody up and loses nothing where the receiver is away: what ended meanwhile is told when it is back', async () => {
  const here = await told();
  const { at, receiver } = here;
  const { issue } = await at.file('ana');
  receiver.answer = { status: 503 };
  expect((await look(here)).told).toEqual([{ count: 0, why: 'it answered 503', untold: new Set() }]);
  await at.comment('ana', issue, '/cancel');
  await look(here);
  expect(receiver.received.map(({ body }) => body['kind'])).toEqual(['asked', 'ended']);
  receiver.answer = { status: 200 };
  await look(here);
  await look(here);
  expect(kinds(here)).toEqual(['asked', 'ended', 'ended']);
  expect(git(at.server, ['for-each-ref', 'refs/lazarus/open'])).toBe('');
});

it('tells twice, and not never, where the job dies between telling and remembering', async () => {
  const here = await told();
  const { at, messenger } = here;
  await at.file('ana');
  const dying: Messenger = {
    send: async (message) => {
      await messenger.send(message);
      throw new Error('killed');
    },
  };
  const site = await jobSite(at, GATE);
  const options = { pause: () => Promise.resolve(), watch: () => Promise.resolve(), onSkipped: () => undefined };
  await expect(reconcile(site, { ...options, messenger: dying })).rejects.toThrow('killed');
  await look(here);
  await look(here);
  expect(kinds(here)).toEqual(['asked', 'asked']);
});

it('asks nobody and keeps nothing where no address was given; what somebody put in its place is told anew', async () => {
  const here = await told();
  const { at } = here;
  await at.file('ana');
  await heal(at);
  expect(git(at.server, ['for-each-ref', TOLD])).toBe('');
  await look(here);
  git(at.server, ['update-ref', TOLD, git(at.server, ['rev-parse', 'refs/heads/main'])]);
  await look(here);
  expect(kinds(here)).toEqual(['asked', 'asked']);
});
