// What the hooks of a clone ask first about a work branch: `<branch> <commit or tree>`. Ends with 0 where what was found out
// before still holds and the branch keeps to it. Says nothing and ends with 1 otherwise: then the command line looks.
import { checkWork } from '../../app/work-scope/check.ts';
import { keptScope, missionOfBranch } from '../../app/work-scope/kept.ts';
import { openHookWorld } from '../../compose/hook.ts';
import { isOid } from '../../format/git/object.ts';

const [branch = '', at = ''] = process.argv.slice(2);
process.exitCode = (await keepsToScope(branch, at).catch(() => false)) ? 0 : 1;

async function keepsToScope(branch: string, at: string): Promise<boolean> {
  const mission = missionOfBranch(branch);
  if (mission === undefined || !isOid(at)) return false;
  const world = await openHookWorld(process.cwd());
  try {
    const scope = await keptScope(world, mission);
    return scope !== undefined && (await checkWork(world, scope, at)).verdict === 'inside';
  } finally {
    await world.repository.close();
  }
}
