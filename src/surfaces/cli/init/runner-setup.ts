// What a person does on the machine of a runner, in the order in which it is typed. Executes nothing.
import { word } from '../../../app/doctor/typed.ts';
import type { RepositoryName } from '../../../ports/forge.ts';
import type { Line } from '../output.ts';

type Project = { readonly forge: string; readonly repository: RepositoryName; readonly genesis: string };

export function runnerLines({ forge, repository: { owner, name }, genesis }: Project, configuration: string): Line[] {
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
