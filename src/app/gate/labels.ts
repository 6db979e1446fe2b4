// The labels of an issue, made those that its mission has now. They show a state and never are one.
import { LABELS } from '../../forge-text/states.ts';
import type { ForgeRepository, Issue } from '../../ports/forge.ts';

/** Labels of ours that somebody changed are put back; nothing follows from them. */
export async function showLabels(
  forge: ForgeRepository,
  { number, labels: now }: Pick<Issue, 'number' | 'labels'>,
  wanted: readonly string[],
): Promise<void> {
  const ours = new Set(LABELS.map(({ name }) => name));
  const missing = wanted.filter((one) => !now.includes(one));
  if (missing.length > 0) await forge.addLabels(number, missing);
  // Of a scope that is exclusive, the new one took the place of the old one.
  const scopes = new Set(missing.map(scopeOf));
  const others = now.filter((one) => ours.has(one) && !wanted.includes(one) && !scopes.has(scopeOf(one)));
  for (const name of others) await forge.removeLabel(number, name);
}

function scopeOf(label: string): string {
  return label.slice(0, label.lastIndexOf('/'));
}
