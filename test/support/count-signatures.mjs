// Read before a program: writes down the message of every Ed25519 signature that the program checks, one line each, into
// the file that the environment names.
import { appendFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const crypto = createRequire(import.meta.url)('node:crypto');
const { verify } = crypto;

crypto.verify = (algorithm, message, ...rest) => {
  appendFileSync(process.env.CHECKED_MESSAGES, `${Buffer.from(message).toString('hex')}\n`);
  return verify(algorithm, message, ...rest);
};
syncBuiltinESMExports();
