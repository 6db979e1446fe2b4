// The items that place lazarus' hooks in a clone, and that take them back. Ours are known by their second line. What
// somebody else put there is left as it is: then ours lies beside it, for that one to call.
import type { Hook, HookFolder } from '../../ports/hook-folder.ts';
import type { Found, Item } from './items.ts';

/** Looks once before there are items: somebody else's hook means another list of them. */
export async function placingItems(folder: HookFolder, hooks: readonly Hook[]): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (const hook of hooks) {
    const there = await folder.read(hook.name);
    if (there === undefined || isOurs(there) || !hook.isGits) items.push(placeItem(folder, hook.name, hook));
    else items.push(placeItem(folder, beside(hook), hook), theirsItem(folder, hook));
  }
  return items;
}

export async function removingItems(folder: HookFolder, hooks: readonly Hook[]): Promise<readonly Item[]> {
  const items: Item[] = [];
  // Those that call go before what they call.
  for (const hook of hooks.toReversed())
    for (const name of [hook.name, beside(hook)])
      if (isOurs(await folder.read(name))) items.push(removeItem(folder, name));
  return items;
}

/** What calls ours from a script of somebody else, at its beginning. Two of git's hooks are told on standard input. */
export function callingLines(name: string): readonly string[] {
  if (name === 'pre-commit') return ['[ ! -x "$0.lazarus" ] || "$0.lazarus" "$@" || exit'];
  return [
    'told=$(cat)',
    `[ ! -x "$0.lazarus" ] || printf '%s\\n' "$told" | "$0.lazarus" "$@" || exit`,
    'exec <<END',
    '$told',
    'END',
  ];
}

function placeItem(folder: HookFolder, name: string, { text }: Hook): Item {
  return {
    name: `hook_${name}`,
    title: name,
    async look(): Promise<Found> {
      const there = await folder.read(name);
      if (there === text) return { is: 'there', says: 'as this version has it' };
      if (there !== undefined && !isOurs(there))
        return { is: 'differs', says: 'somebody else’s, and left alone', next: `look at ${folder.path}/${name}` };
      return { is: 'absent', says: there === undefined ? folder.path : 'in the place of an earlier one of ours' };
    },
    async act() {
      await folder.write(name, text);
      return folder.path;
    },
  };
}

function theirsItem(folder: HookFolder, hook: Hook): Item {
  const { name } = hook;
  return {
    name: `hook_${name}`,
    title: name,
    async look(): Promise<Found> {
      const calls = (await folder.read(name))?.includes('"$0.lazarus"') ?? false;
      return calls
        ? { is: 'there', says: `somebody else’s, and calls ${beside(hook)}` }
        : {
            is: 'differs',
            says: 'somebody else’s, and left alone: ours is not run',
            next: `have ${folder.path}/${name} call ${beside(hook)} first`,
          };
    },
    act: () => Promise.reject(new TypeError('nothing is done to what is somebody else’s')),
  };
}

function removeItem(folder: HookFolder, name: string): Item {
  return {
    name: `hook_${name}`,
    title: name,
    look: () => Promise.resolve({ is: 'absent', says: `to be taken out of ${folder.path}` }),
    async act() {
      await folder.remove(name);
      return `no longer in ${folder.path}`;
    },
  };
}

function beside({ name }: Pick<Hook, 'name'>): string {
  return `${name}.lazarus`;
}

function isOurs(text: string | null | undefined): boolean {
  return text?.startsWith('#!/bin/sh\n# lazarus hook ') ?? false;
}
