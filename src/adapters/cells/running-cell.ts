// One cell from the start of its participant to its end: its port, its output, its limits. Folders and work are
// somebody else's.
import { dirname } from 'node:path';
import type { CellCommand, CellExit, CellLimits, OutputChunk } from '../../ports/cells.ts';
import { freeBytes } from '../system/host.ts';
import type { Backend, Fence } from './backend.ts';
import type { Launch, Running } from './launch.ts';
import { collect } from './errand.ts';
import type { Network } from './process/network.ts';
import { watchOutput, type Meter } from './output.ts';
import { makePipes } from './pipes.ts';
import { readPort, type Port } from './port.ts';
import { watchdog } from './watchdog.ts';
import { queue, type Queue } from './queue.ts';

export type Participant = {
  readonly output: Queue<OutputChunk>;
  readonly exit: Promise<CellExit>;
  readonly running: Running;
  /** Ends the cell for a reason; the first one given stands. */
  readonly end: (reason: CellExit['reason']) => void;
};

type Start = Pick<Launch, 'env' | 'mounts' | 'workingDirectory' | 'hostname' | 'temporaryBytes' | 'tools' | 'user'> & {
  readonly command: CellCommand;
  readonly input: Uint8Array | undefined;
  readonly limits: CellLimits;
  readonly canaries: readonly string[];
  /** Whether it has the kernel port as a descriptor. */
  readonly port: boolean;
  readonly hearing: Port;
  readonly network: Promise<Network> | undefined;
  readonly folder: string;
};

export async function startParticipant(backend: Backend, fencing: Promise<Fence>, start: Start): Promise<Participant> {
  const { limits, canaries, hearing } = start;
  const output = queue<OutputChunk>();
  const meter: Meter = { bytes: 0, redactions: 0 };
  let reason: CellExit['reason'] | undefined;
  let running: Running | undefined;
  const end = (why: CellExit['reason']): void => {
    reason ??= why;
    running?.kill();
  };

  const [fence, { out, err }, freeAtFirst, network] = await Promise.all([
    fencing,
    makePipes(dirname(start.folder), start.user),
    freeBytes(start.folder),
    start.network,
  ]);
  const complaint = collect(err.read);
  const common = {
    canaries,
    meter,
    bytesMax: limits.outputBytes,
    tooMuch: () => end('output_limit'),
    take: output.push,
  };
  const printed = Promise.all([
    watchOutput(out.read, { ...common, stream: 'stdout' }),
    watchOutput(err.read, { ...common, stream: 'stderr' }),
  ]);
  try {
    running = await backend.launch({
      ...start,
      network,
      argv: backend.withLimits(argvOf(start.command), limits, fence),
      input: start.input === undefined ? undefined : true,
      stdout: out.write,
      stderr: err.write,
      onHeld: fence.hold,
      complaint: () => complaint,
    });
  } catch (cause) {
    out.read.destroy();
    err.read.destroy();
    throw cause;
  }
  const from = performance.now();
  // As much as it wants to read: the rest goes with the cell.
  running.input?.end(start.input);
  if (running.port !== undefined) readPort(running.port, hearing);
  // A reason may have come up while the cell was being started.
  if (reason !== undefined) running.kill();
  const timer = setTimeout(() => end('timeout'), limits.wallMs);
  const started = running;
  const { pidNamespace } = running;
  const stopWatching = watchdog(
    { limits, pidNamespace, memoryIsHeld: fence.kind === 'hard', root: start.folder, freeAtFirst },
    end,
  );

  async function finish(): Promise<CellExit> {
    const { code, signal } = await started.ended;
    clearTimeout(timer);
    stopWatching();
    await printed;
    hearing.events.end();
    output.end();
    const usage = {
      wallMs: Math.round(performance.now() - from),
      outputBytes: meter.bytes,
      redactions: meter.redactions,
      portMessages: hearing.count.messages,
      portRefused: hearing.count.refused,
      ...fence.usage(),
    };
    // A process that was killed for its memory is the cell's own affair as long as the participant coped with it.
    const ranOut = code !== 0 && fence.ranOut() ? 'memory_limit' : undefined;
    return { reason: reason ?? ranOut ?? (signal === null ? 'exited' : 'signalled'), code, signal, usage };
  }
  const exit = finish();
  exit.catch(() => undefined);
  return { output, exit, running, end };
}

function argvOf(command: CellCommand): readonly string[] {
  return 'argv' in command ? command.argv : ['/bin/sh', '-c', command.shellText];
}
