// The secrets that the jobs of a forge are given, by name: those that lazarus needs, and the others that any workflow could
// read, those of the repository's owner included. No value is asked for, and none is told.
import { KEY_VARIABLES } from '../gate/job-key.ts';
import { setUpLine } from '../init/forge/world.ts';
import { missing, ok, type Finding } from './finding.ts';
import { ofForges } from './forge.ts';
import type { Here } from './here.ts';

const NEEDED = [KEY_VARIABLES.gate[0], KEY_VARIABLES.writer[0]] as const;

export function lookAtSecrets(here: Here): Promise<readonly Finding[]> {
  return ofForges(here, { item: 'secret', title: 'secrets' }, async (asked, about) => {
    const there = asked.forge.repository(asked.name);
    const [names, owners] = [await there.secretNames(), await there.ownersSecretNames()];
    const lacking = NEEDED.filter((name) => !names.includes(name));
    if (lacking.length > 0) return [missing(about, `${lacking.join(' and ')}: not there`, setUpLine(asked))];
    const says = `${names.toSorted().join(', ')}; every job of the repository can read them`;
    return [ok(about, [says, ...ofOwner(asked.name.owner, owners)].join('; '))];
  });
}

/** What a job reads beside the secrets of its own repository. */
function ofOwner(owner: string, names: readonly string[] | undefined): readonly string[] {
  if (names === undefined)
    return [`which secrets ${owner} gives to every repository beside them is not told to this token`];
  return names.length === 0
    ? []
    : [`and those that ${owner} gives to every repository: ${names.toSorted().join(', ')}`];
}
