// How a receiver reads a brief: ten sections, all of them, once, in order, and nothing outside. The second opinion on what
// the renderer writes.

const SECTIONS = [
  'Mission',
  'Purpose',
  'Context',
  "What's Done",
  'Current Task',
  'Done Criteria',
  'Verify Command',
  'Key Decisions',
  'Files in Scope',
  'Relevant Memories',
];

/** The sections by name, each as it was before it was rendered. */
export function sectionsOf(text: string): Readonly<Record<string, string>> {
  const names = [...text.matchAll(/^## (.*)$/gm)].map(([, name]) => name);
  if (names.join('\n') !== SECTIONS.join('\n')) throw new Error(`other sections: ${names.join(', ')}`);
  const [before, ...bodies] = text.split(/^## .*\n?/m);
  if (before !== '') throw new Error('text before the first section');
  const asWritten = (body: string): string => body.trim().replace(/^\\(?=\\*## )/gm, '');
  return Object.fromEntries(SECTIONS.map((name, i) => [name, asWritten(bodies[i]!)]));
}
