// The one decision about a host that a cell asks for, whichever way it asks: a tunnel, a plain request, another request on the
// same connection. Dials when it says yes, and writes down what it said.
import type { Socket } from 'node:net';
import { lineFor, type Refusal } from '../../kernel/network/decide.ts';
import type { AllowedHost } from '../../kernel/network/hosts.ts';
import type { Target } from '../../kernel/network/target.ts';
import { dial, type NotDialled, type Resolve } from './dial.ts';
import type { Limits } from './limits.ts';
import type { Passed, Record } from './record.ts';

export type Denied = NotDialled | 'no_such_place';
type Opened =
  | { readonly is: 'open'; readonly socket: Socket }
  | { readonly is: 'denied'; readonly because: Denied; readonly status: number };

export type Egress = {
  readonly limits: Limits;
  readonly open: (target: Target | undefined) => Promise<Opened>;
  /** Once per connection that was opened; what is returned is told what it moved. */
  readonly allowed: (target: Target) => (passed: Passed) => void;
  readonly refused: (target: Target | undefined, because: Refusal) => void;
  /** False once the cell has moved as much as it may: whoever moved it ends. */
  readonly mayMove: (bytes: number) => boolean;
};

export function egressOf(
  hosts: readonly AllowedHost[],
  { record, resolve, limits }: { readonly record: Record; readonly resolve: Resolve; readonly limits: Limits },
): Egress {
  let moved = 0;
  let open = 0;
  const denied = (target: Target | undefined, because: Refusal, status = 403): Opened => {
    record.note(target, { decision: 'refused', because });
    return { is: 'denied', because, status };
  };
  return {
    limits,
    async open(target) {
      if (target === undefined) return denied(undefined, 'name_malformed', 400);
      const line = lineFor(hosts, target);
      if (line === undefined) return denied(target, 'host_not_listed');
      if (moved > limits.bytes) return denied(target, 'too_many_bytes');
      // One connection can carry any number of requests at once.
      if (open >= limits.connections) return denied(target, 'too_many_connections');
      open += 1;
      const dialled = await dial(line, resolve);
      if (dialled.is === 'open') {
        dialled.socket.once('close', () => (open -= 1));
        return dialled;
      }
      open -= 1;
      const { because } = dialled;
      if (because !== 'unreachable' && because !== 'name_unknown') return denied(target, because);
      record.note(target, { decision: 'allowed', because });
      return { is: 'denied', because, status: 502 };
    },
    allowed: (target) => record.note(target, { decision: 'allowed', because: 'listed' }),
    refused: (target, because) => void record.note(target, { decision: 'refused', because }),
    mayMove(bytes) {
      moved += bytes;
      return moved <= limits.bytes;
    },
  };
}
