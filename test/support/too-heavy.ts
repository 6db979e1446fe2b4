// Programs that have to start quickly, on a machine where what takes long to read cannot be read at all.

/**
 * `words`: of each library one that stands in it and nowhere else, for our programs are bundled and load nothing by its name.
 * Where a Node of this environment comes to a text that has one, it fails with `too heavy: ` and the library's name.
 */
export function without(words: Readonly<Record<string, string>>): { readonly NODE_OPTIONS: string } {
  const hooks = `export const load = async (url, context, next) => {
    const loaded = await next(url, context);
    const text = String(loaded.source ?? '');
    for (const [name, word] of Object.entries(${JSON.stringify(words)}))
      if (text.includes(word)) throw new Error('too heavy: ' + name);
    return loaded;
  };`;
  const setUp = `import { register } from 'node:module'; register(${JSON.stringify(asModule(hooks))});`;
  return { NODE_OPTIONS: `--import=${asModule(setUp)}` };
}

function asModule(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}
