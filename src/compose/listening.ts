// Builds what answers on a participant's one socket: hosts that policy lists, routes with their keys, and the kernel port. What
// opens it is a cell's business, and so is what a limit ends and what comes of what is said.
import { openListener, type Listener } from '../adapters/listener/listener.ts';
import { portPlace } from '../adapters/listener/port.ts';
import { openRoutes } from '../adapters/listener/route.ts';
import type { KernelPort } from '../kernel/port/said.ts';
import type { Reach } from '../ports/network.ts';

export function listening(reach: Reach, end: (reason: 'route_limit') => void, port?: KernelPort): Listener {
  const routes = openRoutes({ ...reach, onCut: () => end('route_limit') });
  return openListener(reach, { places: port === undefined ? [routes] : [routes, portPlace(port)] });
}
