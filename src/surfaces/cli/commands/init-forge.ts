// `lazarus init --forge <url> --repo <owner/name>`: sets a forge up from a clone of that repository.
import { word } from '../../../app/doctor/typed.ts';
import { ACTION_REPOSITORY } from '../../../app/init/forge/action.ts';
import { initForge } from '../../../app/init/forge/init-forge.ts';
import type { ForgeWorld } from '../../../app/init/forge/world.ts';
import { headCommit } from '../../../app/init/policy-files.ts';
import { projectIn } from '../../../app/init/project.ts';
import type { App } from '../../../compose/app.ts';
import { compose } from '../../../compose/app.ts';
import { inForgeWorld } from '../../../compose/forge.ts';
import { Failure } from '../../../failure.ts';
import type { RepositoryName } from '../../../ports/forge.ts';
import type { Context } from '../command.ts';
import { personOf } from '../init/founders.ts';
import { agreeToPolicy, exitOf, itemLines } from '../init/results.ts';
import type { Line } from '../output.ts';
import type { Values } from '../values.ts';

export async function initOnForge(ctx: Context, url: string, options: Values): Promise<number> {
  const name = repositoryName('repo', options.text('repo'));
  return inForge(compose(ctx), url, name, async (app, world) => {
    await headCommit(world.near);
    const { forge, facts } = world;
    const me = await forge.whoami();
    const login = options.text('forgeUser');
    const account = login === undefined ? me : await forge.user(login);
    if (account === undefined) throw new Failure('forge_not_found', { user: login ?? '' });
    ctx.out.note(`${forge.displayUrl}: ${facts.owner}/${facts.name}, as ${me.login}`);
    const project = projectIn(world.near);
    const { person, keyItems } = await personOf(ctx, app, options, (await project.state())?.roster);
    const home = repositoryName('action', options.text('action') ?? `${facts.owner}/${ACTION_REPOSITORY}`);
    const isDryRun = options.flag('dryRun');
    const items = await initForge(
      world,
      {
        person,
        keyItems: keyItems,
        forgeUserId: account.id,
        templates: { policy: await app.template('policy.yml'), sacred: await app.template('sacred.yml') },
        action: { home, files: await app.builtAction() },
        agree: (revision) => agreeToPolicy(ctx, revision),
        overwrite: options.list('overwrite'),
      },
      { isDryRun, onResult: (result) => itemLines(result).forEach((line) => ctx.out.note(line)) },
    );
    if (!isDryRun) await liveThere(app, world);
    project.changed();
    const state = await project.state();
    const next = items.flatMap(({ next: line }) => (line === undefined ? [] : [line]));
    const runner = runnerLines(
      { forge: forge.displayUrl, repository: facts, genesis: state?.project_genesis ?? '<genesis>' },
      new TextDecoder().decode(await app.template('runner/config.yaml')),
    );
    const open = next.length === 0 ? [] : ['Left to do:', ...next.map((line) => `  ${line}`)];
    const told = isDryRun
      ? ['Nothing was changed. The same command without --dry-run does it.']
      : [...open, `genesis  ${state?.project_genesis ?? ''}`, ...runner, `Then: git pull`];
    ctx.out.emit(told, {
      dry_run: isDryRun,
      forge: forge.displayUrl,
      repository: `${facts.owner}/${facts.name}`,
      items,
      project_id: state?.project_id ?? null,
      genesis: state?.project_genesis ?? null,
      policy: state?.policy ?? null,
      next,
    });
    return exitOf(items);
  });
}

type Project = { readonly forge: string; readonly repository: RepositoryName; readonly genesis: string };

/** What a person does on the machine of a runner, in the order in which it is typed. */
function runnerLines({ forge, repository: { owner, name }, genesis }: Project, configuration: string): Line[] {
  return [
    '',
    { text: 'On each machine that runs missions:', style: 'bold' },
    '  sudo npm install --global lazarus-<version>.tgz   # as `npm pack` made it; `lazarus doctor` says what else is missing there',
    '  sudo useradd --system --create-home gitea-runner  # as whom jobs run; owns nothing else',
    '  # keeps the keys of missions from jobs, and says what is left to type:',
    `  sudo lazarus runner setup --forge ${word(forge)} --repo ${owner}/${name} --genesis ${genesis} --jobs-user gitea-runner --name <name of the machine>`,
    { text: 'There, as gitea-runner:', style: 'bold' },
    `  gitea-runner register --no-interactive --instance ${forge} --name <name of the machine> --token <token>`,
    `     # the token: ${forge}/${owner}/${name}/settings/actions/runners`,
    '  gitea-runner daemon --config config.yaml          # with this config.yaml:',
    ...configuration
      .trimEnd()
      .split('\n')
      .map((line): Line => ({ text: `    ${line}`, style: 'dim' })),
    '',
  ];
}

/** From now on the missions of this clone are the forge's. By the name that git has for it, if it has one. */
async function liveThere(app: App, { near, facts }: ForgeWorld): Promise<void> {
  const bare = (url: string): string => url.replace(/(?:\.git)?\/*$/, '');
  const named = (await app.remotes()).find(({ url }) => bare(url) === bare(facts.cloneUrl));
  await (await app.home(near)).keep(named?.name ?? facts.cloneUrl);
}

export async function inForge<T>(
  outer: App,
  url: string,
  name: RepositoryName,
  use: (app: App, world: ForgeWorld) => Promise<T>,
): Promise<T> {
  const { forge, app } = await outer.forge(url);
  await forge.probe();
  const repository = forge.repository(name);
  const facts = await repository.facts();
  if (facts === undefined) throw new Failure('forge_not_found', { repository: `${name.owner}/${name.name}` });
  if (facts.isEmpty) throw new Failure('forge_repository_empty', { repository: `${name.owner}/${name.name}` });
  return inForgeWorld(app, { forge, name, repository, facts }, (world) => use(app, world));
}

export function repositoryName(option: string, text: string | undefined): RepositoryName {
  const [, owner, name] = /^([\w.-]+)\/([\w.-]+)$/.exec(text ?? '') ?? [];
  if (owner === undefined || name === undefined) throw new Failure('usage', { option, expected: 'owner/name' });
  return { owner, name };
}
