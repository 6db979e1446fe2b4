// `lazarus quickstart`: a whole mission once, for real, in a scratch folder: two people, a project, an agent in a cell,
// receipts, an auditor, and a forgery that is caught.
import type { Context } from '../command.ts';
import { tellStory } from '../quickstart/story.ts';
import { setStage } from '../quickstart/world.ts';
import type { Values } from '../values.ts';

export async function run(ctx: Context, _args: Values, options: Values): Promise<void> {
  const stage = await setStage(ctx, options.text('dir'));
  const steps: { readonly step: string; readonly facts: readonly string[] }[] = [];
  const told = (step: string, ...facts: readonly string[]): void => {
    steps.push({ step, facts });
    ctx.out.note([{ text: `${steps.length}. ${step}`, style: 'bold' }]);
    for (const fact of facts) ctx.out.note(`   ${fact}`);
  };
  try {
    const { mission, genesis, ...rest } = await tellStory(stage, told);
    const { scratch } = stage;
    ctx.out.emit(
      [
        `Everything is in ${scratch.path}`,
        `Next: ${calledAs(ctx)} -C ${scratch.at('laptop')} verify ${mission} --genesis ${genesis}`,
      ],
      { path: scratch.path, mission, genesis, ...rest, steps },
    );
  } finally {
    await stage.scratch.remove();
  }
}

/**
 * As it was started here. `npx` looks into a project first; where it fetched this program for one run it would look for the
 * name in the registry the next time, and run whatever somebody put there.
 */
function calledAs({ env }: Context): string {
  const isOfProject = env['npm_command'] === 'exec' && env['PATH']?.includes('/_npx/') !== true;
  return isOfProject ? 'npx lazarus' : 'lazarus';
}
