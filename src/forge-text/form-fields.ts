// The mission-proposal form: which fields it has, in which order, under which labels. The template that the forge shows
// and the parser of what comes back are both derived from this list. Knows neither YAML nor Markdown.
import { GOAL_CHARACTERS_MAX } from '../kernel/limits.ts';
import { BUDGET_MINUTES, Capability, TTL_MINUTES } from '../kernel/proposal/proposal.ts';

type Common = { readonly id: string; readonly label: string; readonly help?: string };
type Shape =
  /** Hidden in the page, present in the issue: by it a proposal is told from any other issue. */
  | (Common & { readonly is: 'marker'; readonly value: string })
  | (Common & {
      readonly is: 'line';
      readonly placeholder?: string;
      readonly preset?: string;
      readonly pattern: string;
    })
  /** Always a fenced block: raw, a line of it could pass for the next heading. */
  | (Common & { readonly is: 'text'; readonly placeholder?: string; readonly optional?: true })
  | (Common & { readonly is: 'choice'; readonly options: readonly string[]; readonly preset?: number })
  | (Common & { readonly is: 'boxes'; readonly options: readonly string[] });

export const FORM_PATH = '.gitea/ISSUE_TEMPLATE/mission.yaml';
export const FORM_SCHEMA = '1';
export const NO_RESPONSE = '_No response_';

/** The number before each is what counts. No commas: the forge joins the options of some fields by them. */
export const TIERS = ['0 read only', '1 branch + PR', '2 merge or release', '3 infrastructure or secrets'] as const;
export const BACKENDS = ['process', 'docker'] as const;

// Escaped as the browser's pattern attribute wants it, which is stricter than a regular expression elsewhere.
const NAME = String.raw`[A-Za-z0-9_.\-]{1,100}`;
const MINUTES = '[1-9][0-9]{0,3}';

const LIST = [
  { is: 'marker', id: 'schema', label: 'lazarus-schema', value: FORM_SCHEMA },
  { is: 'line', id: 'target', label: 'Target repository', placeholder: 'owner/repo', pattern: `${NAME}/${NAME}` },
  { is: 'line', id: 'base', label: 'Base ref', preset: 'main', pattern: String.raw`[A-Za-z0-9_.\/+@\-]{1,200}` },
  {
    is: 'text',
    id: 'goal',
    label: 'Goal',
    help: `What shall be true afterwards: one line of at most ${GOAL_CHARACTERS_MAX} characters.`,
  },
  { is: 'text', id: 'purpose', label: 'Purpose', help: 'Why it matters, and to whom.', optional: true },
  {
    is: 'text',
    id: 'acceptance',
    label: 'Acceptance checks',
    help: 'One command per line. Each is run in a fresh cell on the finished work and must exit with 0.',
    placeholder: 'npm test',
  },
  {
    is: 'text',
    id: 'verify',
    label: 'Verify command',
    help: 'One command. The work counts as done when it exits with 0 in a fresh cell.',
    placeholder: 'npm run check',
  },
  {
    is: 'text',
    id: 'paths',
    label: 'Paths that may change',
    help: 'One path or glob per line, relative to the repository; a line that begins with ! takes paths away again.',
    placeholder: 'src/**\n!src/secrets/**',
  },
  { is: 'choice', id: 'tier', label: 'Risk tier', help: 'A floor: policy may raise it.', options: TIERS },
  { is: 'boxes', id: 'capabilities', label: 'Capabilities requested', options: Capability.options },
  {
    is: 'line',
    id: 'agent',
    label: 'Agent',
    help: 'The name of an agent in the policy of the repository.',
    pattern: String.raw`[a-z0-9][a-z0-9._\-]{0,62}`,
  },
  { is: 'choice', id: 'backend', label: 'Cell backend', options: BACKENDS, preset: 0 },
  { is: 'line', id: 'budget', label: 'Budget (minutes)', preset: String(BUDGET_MINUTES), pattern: MINUTES },
  { is: 'line', id: 'ttl', label: 'Time to live (minutes)', preset: String(TTL_MINUTES), pattern: MINUTES },
] as const satisfies readonly Shape[];

export type FieldId = (typeof LIST)[number]['id'];
export type Field = Shape & { readonly id: FieldId };
export const FIELDS: readonly Field[] = LIST;
