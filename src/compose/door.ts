// Whoever answers on a participant's listener: egress and credential routes, put together. Knows no cell.
import { addressOf } from '../adapters/listener/dial.ts';
import { openListener } from '../adapters/listener/listener.ts';
import { openRoutes } from '../adapters/listener/route.ts';
import type { OpenDoor } from '../adapters/cells/reach.ts';

export const openDoor: OpenDoor = (reach, end) => {
  const { hosts, routes, caFile } = reach;
  const answering = openRoutes({
    routes,
    ...(caFile === undefined ? {} : { caFile }),
    lookUp: addressOf,
    onCut: () => end('route_limit'),
  });
  return openListener({ hosts }, { places: [answering] });
};
