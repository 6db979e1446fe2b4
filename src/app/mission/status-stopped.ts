// That the project is stopped, for people to see: by whom, since when, and who may let it go on.
import type { StatusView } from '../../forge-text/status-view.ts';
import type { ProjectState } from '../../kernel/state.ts';

export function stoppedView({ halt, roster }: ProjectState): StatusView['stopped'] {
  if (halt === null) return null;
  const roots = roster.members.filter(({ roles }) => roles.includes('root')).map(({ principal_id }) => principal_id);
  // Whoever stopped it by the word of the policy may let it go on by the same.
  const who = halt.root || roots.includes(halt.by) ? roots : [halt.by, ...roots];
  return { by: halt.by, since: halt.since, who };
}
