// The folded parts of the status comment: what is asked for in full, effects, history, receipts.
import { block, code } from './shown.ts';
import type { EffectView, PlanView, StatusView } from './status-view.ts';

export function folded(view: StatusView, entries: number): string[] {
  const { plan, effects, receipts, history, mission } = view;
  const rest = (count: number) =>
    count > entries ? [`- … and ${count - entries} more: ${code(`lazarus status ${mission}`)}`] : [];
  const list = (title: string, items: readonly string[]) =>
    items.length === 0
      ? []
      : [details(`${title} (${items.length})`, [...items.slice(0, entries), ...rest(items.length)].join('\n'))];
  return [
    ...(plan === null ? [] : [details('Paths and checks', asked(plan, entries))]),
    ...list('Effects', effects.map(effectLine)),
    ...list(
      'Receipts',
      receipts.map(({ id, action, outcome }) => `- ${code(id)} ${code(action)}: ${code(outcome)}`),
    ),
    ...list(
      'History',
      history.slice(-HISTORY_MAX).map(({ at, what }) => `- ${code(at)} ${code(what)}`),
    ),
  ];
}

const HISTORY_MAX = 10;

function asked(plan: PlanView, entries: number): string {
  const lines = (items: readonly string[]) => {
    const rest = items.length - entries;
    return block([...items.slice(0, entries), ...(rest > 0 ? [`… and ${rest} more`] : [])]);
  };
  return [
    'Paths that may change:',
    lines(plan.paths),
    'Commands that must exit with 0, the last one the verify command:',
    lines([...plan.acceptance, plan.verifyCommand]),
    ...plan.told.flatMap(({ title, text }) => [
      `The agent is told, as ${title.toLowerCase()}:`,
      lines(text.split('\n')),
    ]),
  ].join('\n\n');
}

function effectLine({ what, target, state, because }: EffectView): string {
  return `- ${code(what)} ${code(target)}: **${state.replace('_', ' ')}**${because === null ? '' : ` (${code(because)})`}`;
}

/** Blank lines around, so that the inside stays Markdown and a block in it ends where it should. */
function details(summary: string, inside: string): string {
  return `<details><summary>${summary}</summary>\n\n${inside}\n\n</details>`;
}
