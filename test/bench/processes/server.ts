// A Git server over loopback in a process of its own, so that its work is not done on the client's time.
// Ends when its standard input does.
import { startGitHttpServer } from '../../support/http-server.ts';

const server = await startGitHttpServer(process.argv[2]!);
process.stdout.write(`${server.origin}\n`);
process.stdin.resume().once('end', () => void server.close().then(() => process.exit(0)));
