// What every backend needs to start one command in a cell, and what it gets back. A cell's first command, its agent and
// its last step are all started this way.
import type { Duplex, Writable } from 'node:stream';
import type { Network } from './process/network.ts';

export type Launch = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly mounts: readonly { readonly path: string; readonly at: string; readonly writable: boolean }[];
  readonly workingDirectory: string;
  readonly hostname: string;
  readonly temporaryBytes: number;
  readonly tools: readonly string[];
  /** Whom to become first; undefined: stay who we are. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  /** Open descriptors; whoever launches closes both as soon as the command has them, or cannot be started. */
  readonly stdout: number;
  readonly stderr: number;
  /** Given when something is to be written to the command's input. */
  readonly input?: true | undefined;
  readonly port: boolean;
  /** Where the participant's listener is; left out: a network namespace with nothing in it. */
  readonly network?: Network | undefined;
  /** Called while the first process is still held back: the moment to put it under limits. */
  readonly onHeld?: (pid: number) => Promise<void>;
  /** What came out on the error stream, for a start that failed. */
  readonly complaint: () => Promise<string>;
};

export type Running = {
  readonly pid: number;
  readonly pidNamespace: string | undefined;
  readonly namespaces: readonly string[];
  readonly seccomp: boolean;
  readonly port: Duplex | undefined;
  readonly input: Writable | undefined;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  kill(): void;
  /** Once nobody asks for its processes any more. */
  letGo(): void;
};
