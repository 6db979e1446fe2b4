// `lazarus policy show|check|adopt`: the policy in force, the files that would be the next one, and the step between.
import { identityOf } from '../../../app/init/identity.ts';
import { branchFiles } from '../../../app/init/policy-changes.ts';
import type { PolicySource } from '../../../app/init/policy-files.ts';
import { isInForce, policyItem, rulesIn } from '../../../app/init/policy.ts';
import { projectIn } from '../../../app/init/project.ts';
import { setUp } from '../../../app/init/items.ts';
import { Failure } from '../../../failure.ts';
import type { Crypto } from '../../../format/crypto.ts';
import type { Context } from '../command.ts';
import { agreeToPolicy, itemLine } from '../init/results.ts';
import { whereTheyLive } from '../mission/home.ts';
import type { Values } from '../values.ts';
import { signerOf, unwrap, withWorkbench, type Workspace } from '../workspace.ts';

export const show = inWorkTree('where they live', async ({ ctx, crypto, source, project }) => {
  const policy = (await project.state())?.policy;
  if (policy === undefined) {
    ctx.out.emit(['no policy is in force', '  next: lazarus init'], { in_force: null });
    return;
  }
  const rules = await rulesIn(crypto, source);
  const isHere = rules.is === 'accepted' && isInForce((await project.state())!, rules.value);
  ctx.out.emit(
    [
      `policy revision ${policy.revision}`,
      `  policy  ${policy.policy}`,
      `  sacred  ${policy.sacred}`,
      isHere ? '  the files on this branch are these' : '  the files on this branch are others: lazarus policy adopt',
    ],
    { in_force: policy, matches_branch: isHere },
  );
});

export const check = inWorkTree('here', async ({ ctx, crypto, source, project }) => {
  const rules = unwrap(await rulesIn(crypto, source, 'written'));
  const state = await project.state();
  const inForce = state !== undefined && isInForce(state, rules);
  ctx.out.emit(`${rules.profile}: readable, ${inForce ? 'in force' : 'not in force until committed and adopted'}`, {
    ...rules,
    in_force: inForce,
  });
});

export const adopt = inWorkTree(
  'where they live',
  async ({ ctx, crypto, source, project, workspace, args, options }) => {
    const state = await project.state();
    if (state === undefined) throw new Failure('ledger_not_found', { ledger: 'project' }, { next: 'lazarus init' });
    const named = args.text('digest');
    if (named !== undefined) assertMeant(named, unwrap(await rulesIn(crypto, source)).policy);
    const signer = await signerOf(workspace.app, options, state.roster);
    const person = identityOf(signer.stored.userId.split(' ')[0]!, signer);
    const step = policyItem(source, { project, person, agree: (revision) => agreeToPolicy(ctx, revision) });
    const [result] = await setUp([step], { isDryRun: options.flag('dryRun') });
    ctx.out.emit([itemLine(result!)], { ...result, policy: (await project.state())?.policy ?? null });
  },
);

/** Whoever read a digest somewhere adopts what it stands for, or nothing. */
function assertMeant(named: string, found: string): void {
  const digits = named.replace(/^sha256:/, '');
  if (!/^[0-9a-f]{12,64}$/.test(digits)) throw new Failure('usage', { digest: named, expected: '12 to 64 hex digits' });
  if (!found.startsWith(`sha256:${digits}`)) throw new Failure('policy_not_meant', { named, found });
}

type Here = {
  readonly ctx: Context;
  readonly workspace: Workspace;
  readonly crypto: Crypto;
  readonly source: PolicySource;
  readonly project: ReturnType<typeof projectIn>;
  readonly args: Values;
  readonly options: Values;
};

/**
 * `where they live`: in a clone of a forge's repository that is the forge, as for missions, unless a remote was named. `here`:
 * what is being written is checked without anybody.
 */
function inWorkTree(ledgers: 'where they live' | 'here', use: (here: Here) => Promise<void>) {
  async function run(ctx: Context, args: Values, options: Values): Promise<void> {
    const inPlace = async (workspace: Workspace): Promise<void> => {
      const { app, bench } = workspace;
      const source = branchFiles({ bench, workTree: await app.workTree() });
      await use({ ctx, workspace, crypto: app.crypto, source, project: projectIn(bench), args, options });
    };
    return ledgers === 'here' ? withWorkbench(ctx, options, inPlace) : whereTheyLive(ctx, options, inPlace);
  }
  return { run };
}
