// Where the project lies, seen from here and from the bundle of the command `npm run gitea`, which lies as deep.
export const PROJECT = new URL('../../../', import.meta.url);
