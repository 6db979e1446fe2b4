// The secrets that the jobs of a forge are given, by name: those that lazarus needs, and how many others any workflow could
// read. No value is asked for, and none is told.
import { KEY_VARIABLES } from '../gate/job-key.ts';
import { setUpLine } from '../init/forge/world.ts';
import { missing, ok, type Finding } from './finding.ts';
import { ofForges } from './forge.ts';
import type { Here } from './here.ts';

const NEEDED = [KEY_VARIABLES.gate[0], KEY_VARIABLES.writer[0]] as const;

export function lookAtSecrets(here: Here): Promise<readonly Finding[]> {
  return ofForges(here, { item: 'secret', title: 'secrets' }, async (asked, about) => {
    const names = await asked.forge.repository(asked.name).secretNames();
    const lacking = NEEDED.filter((name) => !names.includes(name));
    if (lacking.length > 0) return [missing(about, `${lacking.join(' and ')}: not there`, setUpLine(asked))];
    return [ok(about, `${names.toSorted().join(', ')}; every job of the repository can read them`)];
  });
}
