// `lazarus policy add-agent`: writes what a person is going to review into the policy file of the work tree. Puts nothing in
// force: that is their commit, and `lazarus policy adopt`.
import { POLICY_PATH } from '../../../app/init/policy-files.ts';
import { compose } from '../../../compose/app.ts';
import { placePreset } from '../../../documents/preset.ts';
import { Failure } from '../../../failure.ts';
import { fromUtf8, utf8 } from '../../../format/bytes.ts';
import { Slug } from '../../../kernel/values.ts';
import type { CommandModule } from '../command.ts';
import { unwrap } from '../workspace.ts';

export const addAgent: CommandModule = {
  async run(ctx, args, options) {
    const name = args.need('preset');
    const as = options.text('name') ?? name;
    if (!Slug.safeParse(as).success)
      throw new Failure('usage', { option: 'name', got: as, expected: 'small letters, digits and - between them' });
    const app = compose(ctx);
    const preset = { text: fromUtf8(await app.template(`agents/${name}.yml`)), name, as };
    const workTree = await app.workTree();
    const there = await workTree.read(POLICY_PATH);
    const placed = unwrap(placePreset(there === undefined ? undefined : fromUtf8(there), preset, POLICY_PATH));
    const isDryRun = options.flag('dryRun');
    if (!isDryRun) await workTree.write({ path: POLICY_PATH, content: utf8(placed.text) });
    const word = ({ under, name }: { readonly under: string; readonly name: string }): string => `${under}: ${name}`;
    const next = nextLines(as, placed.routes);
    ctx.out.emit(
      [
        ...placed.added.map((entry) => `${isDryRun ? 'would add' : 'added'}  ${word(entry)}`),
        ...placed.kept.map((entry) => `kept   ${word(entry)}, as it stands there: see that it fits`),
        ...(isDryRun
          ? placed.added.flatMap(({ under, text }) => ['', `${under}:`, ...text.trimEnd().split('\n').map(indented)])
          : [`nothing is in force yet: read it in ${POLICY_PATH}, then type`, ...next.map(indented)]),
      ],
      { dry_run: isDryRun, agent: as, added: placed.added, kept: placed.kept.map(word), next },
    );
  },
};

function nextLines(agent: string, routes: readonly string[]): readonly string[] {
  return [
    ...routes.map((route) => `lazarus vault set ${route}`),
    'lazarus policy check',
    `git commit -m "Policy: the agent ${agent}" ${POLICY_PATH}`,
    'lazarus policy adopt',
  ];
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}
