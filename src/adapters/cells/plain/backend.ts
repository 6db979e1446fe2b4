// Level 0: no isolation, for whoever asks for exactly that.
import type { Backend } from '../backend.ts';
import { HOLDS } from '../limits.ts';
import { launchPlainly } from './launch.ts';

export function plainBackend(): Backend {
  return {
    name: 'none',
    level: 0,
    userOf: () => undefined,
    probe: () => Promise.resolve({ is: 'fit', backend: 'none', level: 0, limits: HOLDS.none, facts: {} }),
    probeListener: () => Promise.resolve({ is: 'unfit', why: 'nothing holds a process to a listener here' }),
    version: () => Promise.resolve(null),
    launch: launchPlainly,
    networks: undefined,
    places: ({ root, project, home, view }) => ({ cell: root, project, home, view, temporary: '/tmp' }),
    withLimits: (argv) => argv,
    fence: () =>
      Promise.resolve({
        kind: 'none',
        folders: [],
        hold: () => Promise.resolve(),
        usage: () => ({ cpuMs: null, memoryPeakBytes: null }),
        ranOut: () => false,
        remove: () => Promise.resolve(0),
      }),
  };
}
