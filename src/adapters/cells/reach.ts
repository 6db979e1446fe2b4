// What a participant may reach, made ready while its cell is laid out: the network namespace with its listener, whoever serves
// it, and the certificates of its team. Nothing at all for a cell that was not given a reach.
import type { Server } from 'node:net';
import { Failure } from '../../failure.ts';
import type { KernelPort } from '../../kernel/port/said.ts';
import type { CellExit } from '../../ports/cells.ts';
import type { NetworkUse, Reach } from '../../ports/network.ts';
import { certificatesIn, systemCertificates } from '../system/certificates.ts';
import type { Backend } from './backend.ts';
import type { Network } from './process/network.ts';

/** Whoever answers on the socket of a participant; what it lets through is not known here. */
type Door = {
  serve(on: Server): void;
  use(): NetworkUse;
  close(): Promise<void>;
};

/**
 * `end`: what the reach allows is used up, and the participant ends for it. `port`: who hears what a participant says there;
 * left out for what has no supervisor to talk to.
 */
export type OpenDoor = (
  reach: Reach,
  end: (reason: Extract<CellExit['reason'], 'route_limit'>) => void,
  port?: KernelPort,
) => Door;

export type Reaching = {
  /** What the participant is started in, its listener served. */
  readonly network: () => Promise<Network>;
  /** `end` is called when the reach is used up. */
  readonly started: (end: (reason: CellExit['reason']) => void) => void;
  readonly use: () => NetworkUse;
  /** As often as wanted. */
  readonly close: () => Promise<void>;
};

export function beginReach(
  { backend, listen }: { readonly backend: Backend; readonly listen?: OpenDoor },
  reach: Reach | undefined,
  port: KernelPort | undefined,
): Reaching | undefined {
  if (reach === undefined) return undefined;
  const { networks } = backend;
  // Without a namespace around it a list of hosts would be a wish.
  if (networks === undefined || listen === undefined)
    throw new Failure('level_unmet', { level: backend.level, reach: 'nothing holds a cell to it' });
  const making = networks.take();
  making.catch(() => undefined);
  let end: (reason: CellExit['reason']) => void = () => undefined;
  let door: Door | undefined;
  let closing: Promise<void> | undefined;
  return {
    async network() {
      const network = await making;
      door = listen(reach, (reason) => end(reason), port);
      door.serve(network.listening);
      return network;
    },
    started(who) {
      end = who;
      // The namespace lives as long as somebody is in it.
      void making.then(({ letGo }) => letGo());
    },
    use: () => door?.use() ?? { reached: [], spent: [] },
    close() {
      closing ??= making.then(
        async (network) => {
          network.letGo();
          // Nobody served it where the cell did not come that far.
          if (door === undefined) network.listening.close();
          await door?.close();
        },
        () => undefined,
      );
      return closing;
    },
  };
}

/** The system's certificates and those of the file, as one text. */
export async function certificatesWith(caFile: string | undefined): Promise<string | undefined> {
  if (caFile === undefined) return undefined;
  const own = await certificatesIn(caFile);
  return [...(await systemCertificates()), ...own, ''].join('\n');
}
