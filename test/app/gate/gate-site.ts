// A gate on a forge in a plain folder: the example project, a team, and events as their payloads tell them. Fast enough to
// try every answer; what only a server can show is tried on one.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openDirectoryForge } from '../../support/directory-forge/directory-forge.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { introduceShelves } from '../../../src/app/artifacts/documents.ts';
import type { GateDesk } from '../../../src/app/gate/desk.ts';
import type { Heard } from '../../../src/app/gate/heard.ts';
import { readHeard } from '../../../src/app/gate/before.ts';
import { missionOfIssue } from '../../../src/app/gate/issue-index.ts';
import { listen } from '../../../src/app/gate/listen.ts';
import type { Listened } from '../../../src/app/gate/propose.ts';
import { worldAround } from '../../../src/app/mission/world.ts';
import { LABELS } from '../../../src/forge-text/states.ts';
import { PROJECT_REF } from '../../../src/ledger/names.ts';
import type { Comment, ForgeRepository, Review } from '../../../src/ports/forge.ts';
import { FILLED, formBody, type FormInput } from '../../support/form-body.ts';
import { desk, type Desk, type Seat } from '../../support/desk.ts';
import { ANA, BEN, member, testKey, type TestKey } from '../../support/people.ts';
import { git, scratch } from '../../support/repos.ts';
import { exampleProject, RULES } from '../../support/templates.ts';
import { workAt } from '../../support/work.ts';
import { foundProject, reviseRules } from '../../support/workbench.ts';

export const GATE = testKey('gate');
export const WRITER = testKey('writer');
export const RUNNER = testKey('runner');

/** What the gate knows and never shows. */
export const SECRET = 'a-token-of-the-gate';

type Person = 'ana' | 'ben' | 'carol';
const NAME = { owner: 'ana', name: 'm1' };

type Between = { -readonly [part in 'wrap' | 'wrapRemote' | 'parts']?: Seat[part] };

export type GateSite = Desk & {
  /** As a job with this key has it: its own clone, nothing remembered. */
  readonly gate: (key?: TestKey) => Promise<GateDesk>;
  /** What stands between later jobs and what they work with. */
  readonly between: Between;
  readonly forge: ForgeRepository;
  readonly server: string;
  /** The accounts' numbers. */
  readonly ids: Readonly<Record<Person, number>>;
  /** Seconds that the gate's clock is ahead. */
  readonly clock: { aheadSeconds: number };
  readonly file: (by: Person, changes?: Partial<FormInput>) => Promise<{ issue: number; said: Listened }>;
  /** Filed on the page, and the event is lost. */
  readonly fileUnheard: (by: Person, changes?: Partial<FormInput>, body?: string) => Promise<number>;
  /** The event of a filed form, late. */
  readonly opened: (issue: number) => Promise<Listened>;
  /** Changed on the page, and the event is lost. */
  readonly rewrite: (by: Person, issue: number, changes: Partial<FormInput>) => Promise<void>;
  readonly edit: (by: Person, issue: number, changes: Partial<FormInput>) => Promise<Listened>;
  /** The number of a comment that was heard. */
  readonly say: (by: Person, issue: number, body: string) => Promise<number>;
  readonly remove: (comment: number) => Promise<void>;
  readonly comment: (by: Person, issue: number, body: string) => Promise<Listened>;
  /** Its event, for whoever hears it. */
  readonly typed: (by: Person, issue: number, body: string) => Promise<Heard>;
  /** The last event, to be delivered again later. */
  readonly replay: () => () => Promise<Listened>;
  /** The last comment's event once more, as a run that is repeated hears it. */
  readonly again: () => Promise<Listened>;
  /** Written on the page, and the event is lost. */
  readonly unheard: (by: Person, issue: number, body: string) => Promise<number>;
  /** Its comments are those of a closed issue from here on. */
  readonly close: (issue: number) => void;
  /** What people do on the pages of the forge; nobody hears of it. */
  readonly byHand: {
    readonly closeIssue: (issue: number) => Promise<void>;
    readonly deleteIssue: (issue: number) => Promise<void>;
    readonly pinIssue: (issue: number) => Promise<void>;
    readonly review: (by: Person, request: number, says: Review['says']) => Promise<void>;
    readonly merge: (by: Person, request: number) => Promise<void>;
    readonly fileIssue: (by: Person, issue: { readonly title: string; readonly body: string }) => Promise<number>;
  };
  readonly ours: (issue: number) => Promise<readonly string[]>;
  readonly labels: (issue: number) => Promise<readonly string[]>;
  /** All references of the server but the way to the board, as text: the same text means that nothing was written. */
  readonly refs: () => string;
  readonly commitToMain: (path: string, text: string) => void;
};

/** Made once for a file of tests: each of its sites begins as a copy. */
let founded: Promise<string> | undefined;
afterAll(async () => {
  if (founded !== undefined) rmSync(await founded, { recursive: true, force: true });
});

export async function gateSite(): Promise<GateSite> {
  const place = scratch('gate');
  cpSync(await (founded ??= foundedSite()), place, { recursive: true });
  const { server, work, as, bot, ids } = await siteIn(place);
  const home = await desk({ remote: server, folder: join(place, 'home') });
  const forge = bot.repository(NAME);
  const ownId = (await bot.whoami()).id;
  const repository = (await forge.facts())!.id;
  const clock = { aheadSeconds: 0 };
  const between: Between = {};

  async function gate(key = GATE): Promise<GateDesk> {
    const nowSeconds = () => Math.floor(Date.now() / 1000) + clock.aheadSeconds;
    const mine = await desk({ remote: server, clock: { nowSeconds }, ...between });
    const { bench, kit } = mine;
    await bench.place.head(PROJECT_REF).then((head) => bench.place.keep(PROJECT_REF, head!));
    const world = worldAround({ bench, kit, project: await bench.project(), work: workAt(bench) });
    const shown = { home: 'http://forge.invalid/ana/m1', custody: 'actions', run: null } as const;
    const missionOf: GateDesk['missionOf'] = (issue) => missionOfIssue(bench, issue);
    return {
      world,
      signer: key,
      forge,
      ownId,
      owner: 'ana',
      repository: 'm1',
      shown,
      missionOf,
      redacted: (text) => text.replaceAll(SECRET, '***REDACTED***'),
    };
  }

  /** As a job does: what is none of ours ends before anything is opened. */
  async function hear(heard: Heard): Promise<Listened> {
    const read = readHeard(heard);
    return read.is === 'ignored' ? read : listen(await gate(), read);
  }

  const bodies = new Map<number, { body: string; author: number }>();
  const closed = new Set<number>();
  let last: Heard | undefined;
  /** Filed by whoever answers there. */
  async function onForge(issue: number): Promise<{ body: string; author: number }> {
    const { body, author } = (await forge.issue(issue))!;
    return { body, author: author.id };
  }

  const typed: GateSite['typed'] = async (by, issue, text) => {
    const { id } = await as(by).repository(NAME).createComment(issue, text);
    const { body, author } = bodies.get(issue) ?? (await onForge(issue));
    last = {
      is: 'comment',
      comment: id,
      repository,
      issueUpdatedAt: (await forge.issue(issue))!.updatedAt,
      issue,
      isOpen: !closed.has(issue),
      body: text,
      issueAuthorId: author,
      issueBody: body,
      authorId: ids[by],
      senderId: ids[by],
    };
    return last;
  };
  const comment: GateSite['comment'] = async (by, issue, text) => hear(await typed(by, issue, text));

  async function fileUnheard(by: Person, changes = {}, body = formBody({ ...GREETING, ...changes })): Promise<number> {
    const issue = await as(by).fileIssue(NAME, { title: 'mission: x', body });
    bodies.set(issue, { body, author: ids[by] });
    return issue;
  }

  async function opened(issue: number): Promise<Listened> {
    const { body, author } = bodies.get(issue)!;
    const { updatedAt } = (await forge.issue(issue))!;
    const about = { issue, repository, updatedAt, body, isOpen: true, authorId: author, senderId: author };
    last = { is: 'issue', action: 'opened', ...about };
    return hear(last);
  }

  return {
    ...home,
    gate,
    between,
    forge,
    server,
    ids,
    clock,
    async file(by, changes = {}) {
      const issue = await fileUnheard(by, changes);
      return { issue, said: await opened(issue) };
    },
    fileUnheard,
    opened,
    rewrite: (by, issue, changes) => as(by).editIssue(NAME, issue, formBody({ ...GREETING, ...changes })),
    async edit(by, issue, changes) {
      const body = formBody({ ...GREETING, ...changes });
      const { author } = bodies.get(issue) ?? (await onForge(issue));
      bodies.set(issue, { body, author });
      await as(by).editIssue(NAME, issue, body);
      last = {
        is: 'issue',
        action: 'edited',
        repository,
        updatedAt: (await forge.issue(issue))!.updatedAt,
        issue,
        body,
        isOpen: true,
        authorId: author,
        senderId: ids[by],
      };
      return hear(last);
    },
    comment,
    typed,
    async say(by, issue, text) {
      await comment(by, issue, text);
      return last?.is === 'comment' ? last.comment : 0;
    },
    remove: (id) => bot.deleteComment(NAME, id),
    replay: () => {
      const event = last!;
      return () => hear(event);
    },
    again: () => hear(last!),
    unheard: async (by, issue, text) => (await as(by).repository(NAME).createComment(issue, text)).id,
    close: (issue) => void closed.add(issue),
    byHand: {
      closeIssue: (issue) => as('ana').closeIssue(NAME, issue),
      deleteIssue: (issue) => as('ana').deleteIssue(NAME, issue),
      pinIssue: (issue) => as('ana').pinIssue(NAME, issue),
      review: (by, request, says) => as(by).reviewPullRequest(NAME, request, says),
      merge: (by, request) => as(by).mergePullRequest(NAME, request),
      fileIssue: (by, issue) => as(by).fileIssue(NAME, issue),
    },
    ours: async (issue) =>
      (await forge.comments(issue)).filter(({ author }: Comment) => author.id === ownId).map(({ body }) => body),
    labels: async (issue) => [...(await forge.issue(issue))!.labels].sort(),
    refs: () =>
      git(server, ['for-each-ref'])
        .split('\n')
        .filter((line) => !line.includes('\trefs/lazarus/board/'))
        .join('\n'),
    commitToMain: (path, text) => {
      execFileSync('sh', ['-c', 'mkdir -p "$(dirname "$1")" && printf %s "$2" > "$1"', 'sh', path, text], {
        cwd: work,
      });
      git(work, ['add', '.']);
      git(work, ['commit', '-qm', 'on main']);
      git(work, ['push', '-q', server, 'main']);
    },
  };
}

/** The form for what the example agent does. */
const GREETING: FormInput = {
  ...FILLED,
  target: 'ana/m1',
  goal: 'Greet people by their name',
  acceptance: 'grep -q greet.sh docs/usage.md',
  verify: 'sh test/greet.test.sh',
  paths: 'src/greet.sh\r\ndocs/**',
};

export function lineOf(status: string): string {
  return /^\/approve [0-9a-f]{12}.*$/m.exec(status)![0];
}

async function siteIn(place: string) {
  const as = (login: string) => openDirectoryForge(join(place, 'forge'), login, nodeCrypto);
  const ids = {
    ana: (await as('ana').whoami()).id,
    ben: (await as('ben').whoami()).id,
    carol: (await as('carol').whoami()).id,
  };
  const server = join(place, 'forge', NAME.owner, `${NAME.name}.git`);
  return { as, ids, bot: as('lazarus-bot'), server, work: join(place, 'work') };
}

/** The forge with the example on it, the founders' clone of that, and the work tree it was pushed from. */
async function foundedSite(): Promise<string> {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-founded-')));
  for (const name of ['forge', 'home', 'work']) mkdirSync(join(place, name));
  const { as, ids, bot, server, work } = await siteIn(place);
  await as('ana').createRepository(NAME, { isPrivate: false });
  exampleProject(work, RULES);
  git(work, ['push', '-q', server, 'main']);
  git(join(place, 'home'), ['init', '-q', '-b', 'main', '.']);
  const home = await desk({ remote: server, folder: join(place, 'home') });
  await found(home, ids);
  await home.bench.place.upToDate();
  const labels = LABELS.map(({ exclusive, ...label }) => ({ ...label, isExclusive: exclusive }));
  await bot.repository(NAME).ensureLabels(labels);
  return place;
}

async function found({ bench }: Desk, ids: Readonly<Record<Person, number>>): Promise<void> {
  const machine = (key: TestKey, type: 'service' | 'runner') =>
    member(key, { roles: [key.principalId as 'gate'], principal_type: type, person_id: null });
  const members = [
    member(ANA, { roles: ['person', 'root'], forge_user_id: ids.ana }),
    member(BEN, { roles: ['person'], forge_user_id: ids.ben }),
    machine(GATE, 'service'),
    machine(WRITER, 'service'),
    machine(RUNNER, 'runner'),
  ];
  await reviseRules(bench, await foundProject(bench, members), RULES);
  await introduceShelves(bench);
}
