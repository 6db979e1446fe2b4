// Of the thousand routes that octokit knows those that our sources name: reading the others takes as long as verifying a
// project. The same table in the same form, only shorter.
import { readdirSync, readFileSync } from 'node:fs';

const ADAPTER = new URL('../adapters/gitea/', import.meta.url);

/** How one of them is asked for, and nothing else may be done with all of them: `(rest) => rest.issues.get`. */
const asked = /\(rest\) => rest\.(\w+)\.(\w+)\b/g;

/** A plugin of esbuild's. */
export const octokitRoutes = {
  name: 'octokit-routes',
  setup: (bundler) =>
    bundler.onLoad(
      { filter: /\/plugin-rest-endpoint-methods\/dist-src\/generated\/endpoints\.js$/ },
      async ({ path }) => {
        const { default: all } = await import(path);
        const routes = {};
        for (const [scope, method] of routesAskedFor()) (routes[scope] ??= {})[method] = all[scope][method];
        return { contents: `export default ${JSON.stringify(routes)};` };
      },
    ),
};

function routesAskedFor() {
  return readdirSync(ADAPTER).flatMap((name) => {
    const text = readFileSync(new URL(name, ADAPTER), 'utf8');
    const found = [...text.matchAll(asked)];
    if (found.length !== text.split('(rest)').length - 1)
      throw new Error(`${name} asks octokit in a way that hides which routes it needs`);
    return found.map(([, scope, method]) => [scope, method]);
  });
}
