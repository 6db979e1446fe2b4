// Messages as JSON to one address that an administrator gave. The address is a secret: it is in no answer of ours, and neither
// is anything that the other side says. Follows no redirect, and waits for nobody longer than a few seconds.
import { utf8 } from '../../format/bytes.ts';
import type { Delivery, Messenger } from '../../ports/messenger.ts';
import { createHttp, type Limits, type Reply } from '../system/http.ts';

const LIMITS: Limits = { connectTimeoutMs: 3_000, answerTimeoutMs: 8_000, answerBytesMax: 65_536 };

export function webhook(address: string, limits: Limits = LIMITS): Messenger & { readonly close: () => void } {
  const http = createHttp(limits);
  const url = usable(address);
  return {
    close: () => http.close(),
    async send({ text, fields }) {
      if (url === undefined) return failed('its address is no http or https address');
      const body = utf8(JSON.stringify({ schema_version: 1, text, ...fields }));
      const headers = { 'content-type': 'application/json', 'user-agent': 'lazarus' };
      // Whatever it throws could quote the address.
      return http.send({ method: 'POST', url, headers, body }).then(deliveryOf, () => failed('it cannot be asked'));
    },
  };
}

function usable(address: string): string | undefined {
  const text = address.trim();
  if (!URL.canParse(text)) return undefined;
  return ['http:', 'https:'].includes(new URL(text).protocol) ? text : undefined;
}

function deliveryOf(reply: Reply): Delivery {
  switch (reply.is) {
    case 'answered':
      return reply.status >= 200 && reply.status < 300 ? { is: 'delivered' } : failed(`it answered ${reply.status}`);
    // It heard us, and has more to say than anybody reads.
    case 'too_long':
      return failed('its answer was too long');
    case 'not_sent':
      return failed(reply.isCertificate ? 'its certificate is not trusted' : 'it cannot be reached');
    case 'lost':
      return failed('it gave no answer in time');
  }
}

function failed(why: string): Delivery {
  return { is: 'failed', why };
}
