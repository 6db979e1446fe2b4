// Which names a reference may have: Git's own rule, below `refs/`. Knows nothing of what a reference is for.

// A line feed would be another instruction to update-ref, a blank another field, `..` another folder, `*` another set.
const REF_NAME = /^refs(?:\/(?!\.)(?:(?!\.\.|@\{)[^\s\p{Cc}~^:?*[\\/])+(?<!\.lock|\.))+$/u;

export function isRefName(text: string): boolean {
  return REF_NAME.test(text);
}
