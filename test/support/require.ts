// What makes `require` of a bundled program, for libraries that call it; by a name that no library has.
export const REQUIRE =
  "import { createRequire as __testRequire } from 'node:module'; const require = __testRequire(import.meta.url);";
