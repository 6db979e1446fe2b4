// Tells people, outside of what they look at, what is new: each thing once, soonest first, without a secret, and no more at a
// time than anybody reads. What was delivered is remembered afterwards, so that a crash tells somebody twice and nobody never.
import { hex, utf8 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { messageOf, restMessage, topicOf, type MessageText, type News, type Sender } from '../forge-text/message.ts';
import { byUrgency } from '../forge-text/waiting.ts';
import type { Messenger, ToldBefore } from '../ports/messenger.ts';

/** One by one; what is new beyond that is counted in one more. */
const MESSAGES_MAX = 20;
/** How much of a digest names a topic. */
const NAME_CHARACTERS = 16;

export type Telling = {
  readonly news: readonly News[];
  readonly sender: Sender;
  readonly before: ToldBefore;
  readonly messenger: Messenger;
  readonly redacted: (text: string) => string;
  readonly crypto: Crypto;
};

export type TellingResult = {
  readonly told: readonly News[];
  /** New, and nobody knows of it yet: it is told the next time, where it is still so. */
  readonly untold: readonly News[];
  /** Why not. */
  readonly why: string | undefined;
};

export async function tell({ news, sender, before, messenger, redacted, crypto }: Telling): Promise<TellingResult> {
  const known = await before.read();
  const isFresh = (one: News): boolean =>
    known === undefined ? !one.isPast : !known.has(nameOf(crypto, topicOf(one)));
  const fresh = news.filter(isFresh).toSorted(soonestFirst);
  const told: News[] = [];
  const send = async ({ text, fields }: MessageText): Promise<string | undefined> => {
    const delivery = await messenger.send({ text, fields });
    return delivery.is === 'delivered' ? undefined : delivery.why;
  };
  let why: string | undefined;
  for (const one of fresh.slice(0, MESSAGES_MAX)) {
    why = await send(messageOf(withoutSecrets(one, redacted), sender));
    if (why !== undefined) break;
    told.push(one);
  }
  const rest = fresh.slice(MESSAGES_MAX);
  if (why === undefined && rest.length > 0) {
    why = await send(restMessage(rest.length, sender));
    if (why === undefined) told.push(...rest);
  }
  const isUntold = new Set(fresh.slice(told.length));
  if (told.length > 0 || known === undefined)
    await before.keep(new Set(news.filter((one) => !isUntold.has(one)).map((one) => nameOf(crypto, topicOf(one)))));
  return { told, untold: [...isUntold], why };
}

function nameOf(crypto: Crypto, topic: string): string {
  return hex(crypto.hash('sha256', utf8(topic))).slice(0, NAME_CHARACTERS);
}

/** What ends at a stated time in front; a project or a mission that stands still may wait for it. */
function soonestFirst(a: News, b: News): number {
  return byUrgency({ ...a, mission: a.mission ?? '' }, { ...b, mission: b.mission ?? '' });
}

/** Before anything is cut or made plain: half a secret is looked for by nobody. */
function withoutSecrets(news: News, redacted: (text: string) => string): News {
  const said = (text: string | null): string | null => (text === null ? null : redacted(text));
  return {
    ...news,
    goal: redacted(news.goal),
    state: redacted(news.state),
    because: said(news.because),
    line: said(news.line),
    waitsFor: news.waitsFor === null ? null : news.waitsFor.map(redacted),
  };
}
