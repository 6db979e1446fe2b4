// One call through a credential route, as an agent's would go: the key is added on the way and taken out of the answer. Over a
// pair of streams in this process: on a socket of this machine everybody on it could spend the key meanwhile.
import { createServer, request } from 'node:http';
import { duplexPair } from 'node:stream';
import { openRoutes } from '../adapters/listener/route.ts';
import type { CallRoute } from '../app/doctor/here.ts';

const ANSWER_WITHIN_MS = 20_000;

/** An empty question: a provider says what is wrong with it to whoever has a key, and charges nothing. */
export const callRoute: CallRoute = async (route, caFile) => {
  const call = route.allow.find((one) => !one.endsWith('*')) ?? route.allow[0]!.slice(0, -1);
  const [method = '', path = ''] = call.split(' ');
  const through = caFile === undefined ? {} : { caFile };
  const routes = openRoutes({ routes: [route], ...through, onCut: () => undefined });
  const [ours, theirs] = duplexPair();
  const server = createServer((asked, answer) => void routes.answer(asked, answer));
  server.emit('connection', theirs);
  try {
    return await new Promise((resolve, reject) => {
      const asking = request({
        createConnection: () => ours,
        method,
        path: `/_route/${route.name}${path}`,
        headers: { 'content-type': 'application/json' },
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      asking.once('error', reject);
      asking.once('response', (answer) => {
        answer.resume();
        const denied = answer.headers['x-lazarus-denied'];
        resolve({ call, status: answer.statusCode ?? 0, denied: typeof denied === 'string' ? denied : undefined });
      });
      asking.end(method === 'GET' || method === 'HEAD' ? undefined : '{}');
    });
  } finally {
    routes.close();
    ours.destroy();
    theirs.destroy();
  }
};
