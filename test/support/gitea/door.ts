// A door of loopback before a server: what goes in and out passes through it as it is, until somebody cuts it.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { PROJECT } from './project-folder.ts';

export type Door = {
  readonly port: number;
  /** Where connections go from now on. */
  leadTo(port: number): void;
  /** Ends every connection, and each one that comes, until it is opened again; answers when that many had come. */
  shut(until: number): Promise<void>;
  open(): void;
  /** Ends the connections of this moment, and no other. */
  slam(): void;
  close(): Promise<void>;
};

export async function openDoor(address: string): Promise<Door> {
  const thread = new Worker(new URL('test/support/gitea/door-thread.mjs', PROJECT), { workerData: { address } });
  const [{ port }] = (await once(thread, 'message')) as [{ port: number }];
  return {
    port,
    leadTo: (to) => thread.postMessage({ is: 'lead to', port: to }),
    shut: async (until) => {
      const turnedAway = once(thread, 'message');
      thread.postMessage({ is: 'shut', until });
      await turnedAway;
    },
    open: () => thread.postMessage({ is: 'open' }),
    slam: () => thread.postMessage({ is: 'slam' }),
    close: async () => {
      await thread.terminate();
    },
  };
}
