// A log that is lines on standard error, so that standard output stays data.
import { stderr } from 'node:process';
import type { Log } from '../../ports/log.ts';

export const stderrLog: Log = { debug: (message) => void stderr.write(`${message}\n`) };

export const silentLog: Log = { debug: () => {} };
