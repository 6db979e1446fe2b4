// Builds the portable script and the page that holds it: `node src/portable/build.mjs`, after the compiler has run.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const here = (name) => new URL(name, import.meta.url);
const text = (name) => readFileSync(here(name), 'utf8');
const { version } = JSON.parse(text('../../package.json'));

const NOTICE = `/* lazarus-check ${version}, Apache-2.0. Contains zod (MIT, Copyright (c) 2025 Colin McDonnell) and
   @noble/curves and @noble/hashes (MIT, Copyright (c) 2022 Paul Miller, paulmillr.com). */`;

const NO_SCHEMAS = [
  'createStandardJSONSchemaMethod',
  'createToJSONSchemaMethod',
  'extractDefs',
  'finalize',
  'initializeContext',
  'processSchema',
];

/**
 * Half of the script would be zod's messages in fifty languages, of which none is shown, and its reader and writer of JSON
 * schemas, of which none is read or written. What is asked for by name is there, and nothing calls it.
 */
const withoutTheRest = {
  name: 'without-the-rest',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({ contents: 'export {};' }));
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]classic[/\\]from-json-schema\.js$/ }, () => ({
      contents: 'export const fromJSONSchema = undefined;',
    }));
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]core[/\\]json-schema-processors\.js$/ }, () => ({
      contents: 'export const toJSONSchema = undefined, allProcessors = undefined;',
    }));
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]core[/\\]to-json-schema\.js$/ }, () => ({
      contents: NO_SCHEMAS.map((name) => `export const ${name} = () => undefined;`).join('\n'),
    }));
  },
};

const { outputFiles } = await build({
  entryPoints: [here('main.ts').pathname],
  bundle: true,
  format: 'iife',
  platform: 'neutral',
  target: ['node20', 'chrome109', 'firefox115', 'safari16'],
  minify: true,
  charset: 'ascii',
  legalComments: 'none',
  plugins: [withoutTheRest],
  external: ['node:fs'],
  banner: { js: NOTICE },
  // Of what is not there, no member is.
  logOverride: { 'import-is-undefined': 'silent' },
  write: false,
});

const script = outputFiles[0].text;
const style = text('page.css');
const hash = (content) => `sha256-${createHash('sha256').update(content).digest('base64')}`;
const values = { SCRIPT: script, STYLE: style, SCRIPT_HASH: hash(script), STYLE_HASH: hash(style), VERSION: version };
// Not a space beside the script or the style: the policy names the hash of exactly what stands in the element.
const template = text('page.html').replace(/\s*%(STYLE|SCRIPT)%\s*/g, '%$1%');
// One pass and a function: neither may a value hold a placeholder, nor a `$&` of the script be read as a pattern.
const page = template.replace(/%([A-Z_]+)%/g, (_, name) => values[name]);

const out = here('../../dist/portable/');
mkdirSync(out, { recursive: true });
writeFileSync(new URL('lazarus-check.js', out), script);
writeFileSync(new URL('lazarus-check.html', out), page);
