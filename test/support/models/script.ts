// What a scripted model does: a list of turns, or a function that chooses the next one by what was asked. Speaks no protocol.

export type ToolCall =
  | { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }
  /** A tool of the Responses API that takes plain text, as Codex's `apply_patch` does. */
  | { readonly tool: string; readonly text: string };

type Answer = {
  readonly say?: string;
  /** With calls the agent runs its tools and asks again; without, its turn is over. */
  readonly calls?: readonly ToolCall[];
  /** What the answer says was spent (100 in, 20 out when left out); null says nothing about it. */
  readonly usage?: Usage | null;
};
export type Usage = { readonly in: number; readonly out: number };

export type Turn =
  | Answer
  /** 429, 529 and their like, in the provider's words. */
  | { readonly refuse: number; readonly retryAfterSeconds?: number }
  /** Half of the answer, then the connection is gone. */
  | { readonly drop: Answer }
  | { readonly redirect: string; readonly status?: 301 | 302 | 303 | 307 | 308 }
  /** Gives the key it was called with back: in a header, in the text, in the text as base64, or as the reason of a 401. */
  | { readonly echo: 'header' | 'text' | 'base64' | 'error' }
  /** Streams text until the other side goes away. */
  | { readonly endless: string };

export type Script = readonly Turn[] | ((asked: Asked) => Turn);

export type ProtocolName = 'responses' | 'chat' | 'anthropic';

/** One request, as tests look at it. The key itself is kept nowhere. */
export type Asked = {
  /** Which turn this takes, from 0; null for a question beside, without tools, such as for a title. */
  readonly turn: number | null;
  readonly protocol: ProtocolName;
  readonly method: string;
  readonly path: string;
  readonly model: string;
  readonly isStream: boolean;
  /** The names of the tools that were offered. */
  readonly tools: readonly string[];
  /** Whether the right key was there, in the header where this provider looks for it. */
  readonly key: 'right' | 'wrong' | 'absent';
  /** Without the values of those that carry credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it came, the key in it replaced. `holdsKey`: there was one to replace. */
  readonly body: string;
  readonly holdsKey: boolean;
};

export function isAnswer(turn: Turn): turn is Answer {
  return !('refuse' in turn || 'drop' in turn || 'redirect' in turn || 'echo' in turn || 'endless' in turn);
}

export const USAGE: Usage = { in: 100, out: 20 };

/** An answer with nothing left out. `usage` is null where nothing is said about it. */
export type Whole = { readonly say: string; readonly calls: readonly ToolCall[]; readonly usage: Usage | null };

export function whole({ say = '', calls = [], usage = USAGE }: Answer): Whole {
  return { say, calls, usage };
}

/** Texts come in pieces, as from a model: word by word. */
export function pieces(text: string): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}
