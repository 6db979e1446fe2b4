// What a person does on the machine of a runner, in the order in which it is typed. Executes nothing.
import type { RepositoryName } from '../../../ports/forge.ts';
import type { Line } from '../output.ts';

export function runnerLines(forge: string, { owner, name }: RepositoryName, configuration: string): Line[] {
  return [
    '',
    { text: 'On each machine that runs missions, as a user of its own that owns nothing else:', style: 'bold' },
    '  npm install --global lazarus-<version>.tgz     # as `npm pack` made it; `lazarus doctor` says what else is missing there',
    '  lazarus keys runner <name of the machine>      # a root types what it prints, with --remote origin',
    `  LAZARUS_TOKEN=… lazarus keys register <name of the machine> --forge ${forge}`,
    `  gitea-runner register --no-interactive --instance ${forge} --name <name of the machine> --token <token>`,
    `     # the token: ${forge}/${owner}/${name}/settings/actions/runners`,
    '  gitea-runner daemon --config config.yaml       # with this config.yaml:',
    ...configuration
      .trimEnd()
      .split('\n')
      .map((line): Line => ({ text: `    ${line}`, style: 'dim' })),
    '',
  ];
}
