// Builds what answers on a participant's one socket: hosts that policy lists, and routes with their keys. What opens it is a
// cell's business, and what a limit ends as well.
import { openListener, type Listener } from '../adapters/listener/listener.ts';
import { openRoutes } from '../adapters/listener/route.ts';
import type { Reach } from '../ports/network.ts';

export function listening(reach: Reach, end: (reason: 'route_limit') => void): Listener {
  const routes = openRoutes({ ...reach, onCut: () => end('route_limit') });
  return openListener(reach, { places: [routes] });
}
