// `lazarus scope check`: whether a work branch keeps to its mission's paths. What the client hooks ask.
import { checkWork } from '../../../app/work-scope/check.ts';
import { findScope } from '../../../app/work-scope/find.ts';
import { keepScope, missionOfBranch } from '../../../app/work-scope/kept.ts';
import { Failure } from '../../../failure.ts';
import { isOid } from '../../../format/git/object.ts';
import { REASONS } from '../../../reasons.ts';
import type { ScopeVerdict } from '../../../kernel/scope/ownership.ts';
import { headOf } from '../../../ledger/tip.ts';
import type { Context } from '../command.ts';
import { atMission, seen } from '../mission/site.ts';
import { aligned, type Line } from '../output.ts';
import type { Values } from '../values.ts';

export const check = {
  run: (ctx: Context, args: Values, options: Values): Promise<number> => {
    const branch = args.need('branch').replace(/^refs\/heads\//, '');
    const typed = missionOfBranch(branch);
    if (typed === undefined)
      throw new Failure('usage', { branch, expected: 'a branch of a mission’s work: lazarus-work/m-…/<attempt>' });
    return atMission(ctx, { typed, options }, async (site) => {
      const { bench, world, ref, name } = site;
      const { repository, folds } = bench.parts;
      const at = options.text('at') ?? (await repository.resolve(`refs/heads/${branch}`));
      if (at === undefined) throw new Failure('base_unknown', { branch });
      if (!isOid(at)) throw new Failure('usage', { option: 'at', expected: 'the whole name of a commit or tree' });
      const { state, head } = await seen(site);
      const scope = await findScope(world, ref, state);
      await keepScope({ folds }, name, { scope, head, project: headOf(world.project.tip).oid });
      const found = await checkWork({ repository, work: world.work }, scope, at);
      ctx.out.emit(lines({ branch, mission: name, base: scope.base }, found), {
        branch,
        mission: name,
        base: scope.base,
        at,
        ...found,
      });
      return found.verdict === 'inside' ? 0 : REASONS.scope_violated.exit;
    });
  },
};

type About = { readonly branch: string; readonly mission: string; readonly base: string };

function lines({ branch, mission, base }: About, { verdict, changed, violations }: ScopeVerdict): Line[] {
  if (verdict === 'inside')
    return [`${branch} changes ${changed} ${changed === 1 ? 'path' : 'paths'}, all of them of ${mission}`];
  return [
    [{ text: 'scope_violated:', style: 'red' }, ` ${branch} changes what ${mission} may not change`],
    ...aligned(violations.map(({ path, code, why }) => [`  ${path}`, code, why])),
    `  next: git restore --source ${base.slice(0, 12)} <path>; what it may change: lazarus status ${mission}`,
  ];
}
