// Places that are left as they are: the name in `enforced('…')`. It does nothing but let walks of adversaries switch a rule
// off, and which name is whose is for those walks to say.
import type { Ignorer, NodePath } from '@stryker-mutator/api/ignore';

export const ruleNames: Ignorer = {
  shouldIgnore: (path) => (isNameOfRule(path as Seen) ? 'the name of a rule, for tests that switch it off' : undefined),
};

/** As much of a place in the syntax tree as is looked at. */
type Seen = NodePath & {
  readonly node: { readonly type: string };
  readonly parent?: { readonly type: string; readonly callee?: { readonly name?: string } };
};

function isNameOfRule({ node, parent }: Seen): boolean {
  return node.type === 'StringLiteral' && parent?.type === 'CallExpression' && parent.callee?.name === 'enforced';
}
