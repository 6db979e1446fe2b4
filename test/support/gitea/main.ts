// `npm run gitea -- build|serve`: builds the forge that tests use, or runs one with a runner for a person to look at.
import { obtainGitea } from './obtain.ts';
import { startRunner } from './runner.ts';
import { startGitea } from './server.ts';

const command = process.argv[2];

if (command === 'build') {
  const { gitea, runner } = await obtainGitea(say);
  say(`ready: ${gitea}\nready: ${runner}`);
} else if (command === 'serve') await serve();
else {
  say('usage: npm run gitea -- build   fetch and build Gitea and its runner, once');
  say('       npm run gitea -- serve   run a throwaway server and runner until Ctrl-C');
  process.exitCode = 2;
}

async function serve(): Promise<void> {
  await obtainGitea(say);
  const gitea = await startGitea();
  const runner = await startRunner(gitea);
  say(`${gitea.url}\nuser ${gitea.admin.name}, password ${gitea.admin.password}; everything is gone after Ctrl-C`);
  const held = setInterval(() => {}, 60_000);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  clearInterval(held);
  await runner.stop();
  await gitea.stop();
}

function say(line: string): void {
  console.error(line);
}
