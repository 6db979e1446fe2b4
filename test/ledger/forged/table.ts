// Writes the table of attacks as a page: what each way of verifying answers, in the codes that a person will see.
import type { Attack, Expected, Forgery } from '../../support/forge/attack.ts';
import type { Golden } from '../../support/forge/golden.ts';
import { expected } from './judge.ts';

const HEAD = `# Forgeries

Every row is a ledger that somebody forged; the bytes lie in \`test/vectors/format-1/\`, and a test holds each row to the
answer given here. A refusal names the first event index that is not as it should be and the reason code. *Full* verifies
from the project's first event, whose fingerprint the reader knows. *Since pin* starts from what the reader verified
before: the last good head, unless the attack is about that memory itself. \`not_visible\` says why that way of verifying
cannot see the attack; *co-signed* is a full verify that knows the good head from another member's co-signature.

*Bundle* is the answer to a proof that the forger makes of the forged ledger and shows to somebody who knows the genesis and the
project ledger. A bundle shows the transactions that matter and no trees: what it cannot show, its report says.

*Holds* is what the forger has besides the right to push.
`;

export function page(chapters: Readonly<Record<string, readonly Attack[]>>, golden: Golden): string {
  const count = Object.values(chapters).flat().length;
  const sections = Object.entries(chapters).map(([title, attacks]) => section(title, attacks, golden));
  return `${HEAD}\n${count} attacks.\n\n${sections.join('\n')}`;
}

function section(title: string, attacks: readonly Attack[], golden: Golden): string {
  const rows = attacks.map((attack) => {
    const forgery = attack.forge(golden);
    const full = cell(attack.full, forgery);
    const pinned = cell(attack.sincePin, forgery);
    const bundle = cell(attack.bundle, forgery);
    const same = (other: string): string => (other === full ? 'the same' : other);
    const cosigned = attack.cosigned === undefined ? '' : `; co-signed: ${cell(attack.cosigned, forgery)}`;
    return `| ${attack.name} | ${attack.does} | ${attack.holds} | ${full}${cosigned} | ${same(pinned)} | ${same(bundle)} |\n`;
  });
  return `## ${title}\n\n| attack | the forger | holds | full | since pin | bundle |\n|---|---|---|---|---|---|\n${rows.join('')}`;
}

function cell(expectation: Expected, forgery: Forgery): string {
  const answer = expected(expectation, forgery);
  const own = forgery.ledger === 'project' ? 'project' : 'mission';
  switch (answer.is) {
    case 'refused':
      return `${answer.ledger === own ? '' : `${answer.ledger} `}${answer.index} \`${answer.code}\``;
    case 'stopped':
      return `\`${answer.code}\`, before anything is verified`;
    case 'distrusted':
    case 'accepted': {
      const why = 'why' in expectation ? expectation.why : '';
      const word = expectation.is === 'distrusted' ? expectation.trust : expectation.is;
      return `${expectation.is === 'distrusted' ? 'trust ' : ''}\`${word}\`: ${why}`;
    }
  }
}
