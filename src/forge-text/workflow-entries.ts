// A YAML file as a flat list of paths and values with their lines, for rules that ask what stands anywhere in it. Refuses
// what readers of YAML could take in two ways: anchors, tags, a key twice, more than one document.
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseAllDocuments, visit, type Node } from 'yaml';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';

/** `value`: null where the path holds a map or a list. */
export type Entry = { readonly path: readonly string[]; readonly value: string | null; readonly line: number };

const CHARACTERS_MAX = 100_000;

export function workflowEntries(text: string): Verdict<readonly Entry[]> {
  if (text.length > CHARACTERS_MAX) return unreadable('the file is too large');
  const counter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: counter, uniqueKeys: true });
  const [document] = documents;
  if (!Array.isArray(documents) || document === undefined || documents.length !== 1)
    return unreadable('not one document');
  if (document.errors.length > 0) return unreadable(`line ${document.errors[0]?.linePos?.[0].line ?? 1} is no YAML`);
  const found: Entry[] = [];
  let isAmbiguous = false;
  visit(document, (_, node) => {
    if (isAlias(node) || (isNode(node) && (node.anchor !== undefined || node.tag !== undefined))) isAmbiguous = true;
  });
  const walk = (node: Node | null, path: readonly string[]) => {
    const line = counter.linePos(node?.range?.[0] ?? 0).line;
    if (isMap<Node, Node | null>(node)) {
      found.push({ path, value: null, line });
      for (const { key, value } of node.items) walk(value, [...path, isScalar(key) ? String(key.value) : '']);
    } else if (isSeq<Node>(node)) {
      found.push({ path, value: null, line });
      node.items.forEach((item, i) => walk(item, [...path, String(i)]));
    } else {
      found.push({ path, value: scalarText(node), line });
    }
  };
  walk(document.contents, []);
  return isAmbiguous ? unreadable('it uses anchors or tags') : accept(found);
}

function scalarText(node: Node | null): string {
  if (!isScalar(node)) return '';
  return typeof node.value === 'string' ? node.value : (node.source ?? '');
}

function unreadable(why: string): Verdict<never> {
  return refuse('workflow_unsafe', { problems: [why] });
}
