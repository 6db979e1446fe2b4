// The service of a supervisor, out of the template that ships: the same for every machine but for a few paths.
import { Failure } from '../../../failure.ts';
import type { Place } from './place.ts';

/** How this program is started, links resolved. */
export type Program = { readonly node: string; readonly script: string };

/** A unit file has an expansion of its own for much else. */
const PLAIN = /^[A-Za-z0-9/._+-]+$/;

export function unitText(template: string, place: Place, { node, script }: Program): string {
  const values: Readonly<Record<string, string>> = {
    user: place.user,
    group: place.group,
    node,
    program: script,
    config: place.config,
    socket: place.socket,
  };
  return template.replaceAll(/@(\w+)@/g, (_, name: string) => {
    const value = values[name] ?? '';
    if (!PLAIN.test(value))
      throw new Failure('supervisor_unfit', { path: value, because: 'a service cannot name this path' });
    return value;
  });
}
