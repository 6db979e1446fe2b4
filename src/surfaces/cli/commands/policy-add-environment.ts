// `lazarus policy add-environment --detect`: writes what the lock files of the work tree ask for into its policy file. Runs
// none of it, and puts nothing in force: that is a person's commit, and `lazarus policy adopt`.
import { POLICY_PATH } from '../../../app/init/policy-files.ts';
import { compose } from '../../../compose/app.ts';
import {
  detectEnvironments,
  PROGRAMS,
  TELLING_FILES,
  type Detected,
  type TellingFile,
} from '../../../documents/detect-environment.ts';
import { insertEntry } from '../../../documents/insert-entry.ts';
import { readPolicyFile } from '../../../documents/policy-file.ts';
import { Failure } from '../../../failure.ts';
import { fromUtf8, utf8 } from '../../../format/bytes.ts';
import { Slug } from '../../../kernel/values.ts';
import type { WorkTree } from '../../../ports/work-tree.ts';
import type { CommandModule } from '../command.ts';
import { unwrap } from '../workspace.ts';

export const addEnvironment: CommandModule = {
  async run(ctx, _args, options) {
    const app = compose(ctx);
    const workTree = await app.workTree();
    const files = await tellingFiles(workTree);
    const { found, examples } = detectEnvironments({ files, programs: await app.programs(PROGRAMS) });
    const shown = examples.flatMap((text) => ['', ...text.trimEnd().split('\n').map(indented)]);
    const byHand = examples.length === 0 ? [] : ['for you to write, an example under `environment:`', ...shown];
    if (found.length === 0) {
      byHand.forEach((line) => ctx.out.note(line));
      throw new Failure('environment_undetected', { looked_for: TELLING_FILES });
    }
    const placed = place(await policyOf(workTree), found, options.text('name'));
    const isDryRun = options.flag('dryRun');
    if (!isDryRun) await workTree.write({ path: POLICY_PATH, content: utf8(placed.text) });
    const next = [
      'lazarus policy check',
      `git commit -m "Policy: environments" ${POLICY_PATH}`,
      'lazarus policy adopt',
    ];
    ctx.out.emit(
      [
        ...placed.added.flatMap(({ under, name, text }) => [
          `${isDryRun ? 'would add' : 'added'}  ${under}: ${name}`,
          ...(isDryRun ? ['', `${under}:`, ...text.trimEnd().split('\n').map(indented), ''] : []),
        ]),
        ...(isDryRun ? [] : [`nothing is in force yet: read it in ${POLICY_PATH}, then type`, ...next.map(indented)]),
        ...byHand,
      ],
      { dry_run: isDryRun, added: placed.added, examples, next },
    );
  },
};

type Added = { readonly under: 'environment' | 'rules'; readonly name: string; readonly text: string };

/** Every environment and the rule that opens its hosts; one that has the name already is somebody else's decision. */
function place(policy: string, found: readonly Detected[], name: string | undefined) {
  if (name !== undefined && (found.length > 1 || !Slug.safeParse(name).success))
    throw new Failure('usage', {
      option: 'name',
      got: name,
      expected: 'small letters, digits and - between them; and one environment to be called so',
      found: found.map((one) => one.name),
    });
  let text = policy;
  const added: Added[] = [];
  const put = (entry: Added): void => {
    text = unwrap(insertEntry(text, entry, POLICY_PATH));
    added.push(entry);
  };
  for (const one of found) {
    const called = name ?? one.name;
    const profile = unwrap(readPolicyFile(text, POLICY_PATH));
    put({ under: 'environment', name: called, text: one.text(called) });
    const rule = one.rule(called);
    if (rule.text !== '' && profile.rules.every((other) => other.name !== rule.name)) put({ under: 'rules', ...rule });
  }
  unwrap(readPolicyFile(text, POLICY_PATH));
  return { text, added };
}

async function policyOf(workTree: WorkTree): Promise<string> {
  const there = await workTree.read(POLICY_PATH);
  const text = there === undefined ? undefined : fromUtf8(there);
  unwrap(readPolicyFile(text, POLICY_PATH));
  return text!;
}

async function tellingFiles(workTree: WorkTree): Promise<Partial<Record<TellingFile, string>>> {
  const files: Partial<Record<TellingFile, string>> = {};
  for (const path of TELLING_FILES) {
    const bytes = await workTree.read(path);
    if (bytes !== undefined) files[path] = Buffer.from(bytes).toString('utf8');
  }
  return files;
}

function indented(line: string): string {
  return line === '' ? '' : `  ${line}`;
}
