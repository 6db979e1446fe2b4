// What a forge shows of a mission, read as a person reads it: comments, labels, and the words of the status. Reads nothing of
// a ledger, and nothing that lazarus parses either.
import { asked } from './asked.ts';
import { AT, type Town } from './town.ts';

export type Comment = {
  readonly id: number;
  readonly body: string;
  readonly user: { readonly id: number; readonly login: string };
};

const STATUS = '<!-- lazarus:status ';
const REPLY = /^<!-- lazarus:reply v1 mission=\S+ to=(\S+) -->/;
const PAGE = 50;

export async function commentsOf(town: Town, issue: number): Promise<readonly Comment[]> {
  return asked(() => town.ask('GET', `${AT}/issues/${issue}/comments`));
}

export async function allPages(town: Town, path: string): Promise<readonly any[]> {
  const found: any[] = [];
  for (let page = 1; ; page++) {
    const answer = await asked(() =>
      town.ask('GET', `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}&page=${page}`),
    );
    const rows: readonly any[] = Array.isArray(answer) ? answer : (answer.workflow_runs ?? answer.jobs ?? []);
    found.push(...rows);
    if (rows.length < PAGE) return found;
  }
}

export function isStatus({ body }: Pick<Comment, 'body'>): boolean {
  return body.startsWith(STATUS);
}

/** The comment that a reply answers, with `.2` behind it for the second command. */
export function answersTo({ body }: Pick<Comment, 'body'>): string | undefined {
  return REPLY.exec(body)?.[1];
}

export async function statusOf(town: Town, issue: number): Promise<string | undefined> {
  return (await commentsOf(town, issue)).find(isStatus)?.body;
}

export type Told = {
  /** Undefined where its heading names none: somebody may have edited it. */
  readonly mission: string | undefined;
  /** In the words of its heading, such as `awaiting approval`. */
  readonly state: string;
  readonly rows: Readonly<Record<string, string>>;
  /** The line that stands ready to be pasted, and the words before it. */
  readonly paste: { readonly says: string; readonly line: string } | undefined;
  readonly because: string | undefined;
  /** The step that it names for that. */
  readonly next: string | undefined;
  readonly receipts: readonly string[];
  /** Comments that it says were edited. */
  readonly edited: readonly RegExpMatchArray[];
};

export function readStatus(body: string): Told {
  const [, mission, heading = ''] = /^### (m-[0-9a-f]{12}) · (.*)$/m.exec(body) ?? [];
  const [open = ''] = body.split('<details>');
  const rows = [...open.matchAll(/^\| ([A-Z][^|]*) \| (.*) \|$/gm)].map(([, name = '', value = '']) => [name, value]);
  const ready = /^(?<says>[^\n]+):\n\n```text\n(?<line>[^\n]+)\n```$/m.exec(open)?.groups;
  return {
    mission,
    state: heading.split(' · ')[0]!,
    rows: Object.fromEntries(rows),
    paste: ready === undefined ? undefined : { says: ready['says']!, line: ready['line']! },
    because: /^\*\*Because\*\* `([a-z_]+)`/m.exec(open)?.[1],
    next: /^\*\*Because\*\* .* Next: `([^`]+)`/m.exec(open)?.[1],
    receipts: [...body.matchAll(/^- `[0-9a-f-]{36}` `\w+`: `\w+`$/gm)].map(([line]) => line),
    edited: [...open.matchAll(/Comment (\d+) with the vote of [^\n]* was edited/g)],
  };
}

/** The accounts that a row or a sentence names. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/`@([a-z]+)`/g)].map(([, name]) => name!);
}
