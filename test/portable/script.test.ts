// The portable script as an auditor runs it: one file in an empty folder, plain Node, nothing installed.
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundleOf, missionMaterial, world, type World } from '../support/bundles.ts';
import { attacks } from '../support/bundle-attacks.ts';
import { scratch } from '../support/repos.ts';

const SCRIPT = new URL('../../dist/portable/lazarus-check.js', import.meta.url).pathname;
/** A page that is mailed around must stay small. */
const SCRIPT_BYTES_MAX = 400 * 1024;

let w: World;
beforeAll(() => {
  w = world();
});

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** An empty folder with the script and a proof. */
function prepared(proof: Uint8Array): (...args: string[]) => Promise<Ran> {
  const folder = scratch('portable');
  copyFileSync(SCRIPT, join(folder, 'lazarus-check.js'));
  writeFileSync(join(folder, 'proof.json'), proof);
  return (...args) =>
    new Promise((resolve) => {
      execFile(process.execPath, ['lazarus-check.js', ...args], { cwd: folder, env: {} }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      });
    });
}

describe('lazarus-check.js', () => {
  it('accepts a good proof and says what it proves and that nobody vouched for the genesis', async () => {
    const { code, stdout, stderr } = await prepared(bundleOf(missionMaterial(w, 4)))('proof.json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^unvouched event 4 of m-[0-9a-f]{12} is note\.recorded by ana, as signed\n/);
    expect(stdout).toContain('UNPINNED');
    expect(stdout).toContain('A proof does not show:');
  });

  it('holds it against a genesis that was given', async () => {
    const run = prepared(bundleOf(missionMaterial(w, 4)));
    const good = await run('proof.json', '--genesis', w.project.tip.state!.project_genesis, '--json');
    expect(good.code).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({ schema_version: 1, proof: 'unvouched' });
    expect(good.stdout).toContain('project_unconfirmed');
    const bad = await run('proof.json', '--genesis', `sha256:${'0'.repeat(64)}`);
    expect(bad).toMatchObject({ code: 6, stdout: expect.stringContaining('genesis_mismatch') });
  });

  it('refuses forged proofs by name with exit code 6, newer ones with 9', async () => {
    const some = attacks().filter((_, i) => i % 9 === 0 && _.known === undefined);
    for (const { bytes, refusedFor } of some) {
      const { code, stdout } = await prepared(bytes)('proof.json');
      expect(code).toBe(refusedFor.endsWith('_newer') ? 9 : 6);
      expect(stdout).toContain(`${refusedFor}: `);
    }
  });

  it('does not let a proof drive the terminal', async () => {
    const text = new TextDecoder().decode(bundleOf(missionMaterial(w, 4)));
    const sneaky = text.replace(
      '\\"event_type\\":\\"note.recorded\\"',
      '\\"event_type\\":\\"\\\\u001b]0;owned\\\\u0007\\"',
    );
    const { code, stdout } = await prepared(new TextEncoder().encode(sneaky))('proof.json');
    expect(code).toBe(6);
    expect(stdout).toContain('\\x1b]0;owned');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('refuses a command line it does not understand whole, rather than check less', async () => {
    const run = prepared(bundleOf(missionMaterial(w, 4)));
    for (const args of [
      [],
      ['--genesis', 'x', 'proof.json'],
      ['proof.json', '--genesis'],
      ['proof.json', 'other.json'],
      ['--pin', 'proof.json'],
    ])
      expect(await run(...args)).toMatchObject({ code: 2, stdout: '' });
    expect(await run('nothing.json')).toMatchObject({ code: 7 });
  });

  it('runs where it was built, too: inside a package of modules', async () => {
    const proof = join(scratch('proof'), 'proof.json');
    writeFileSync(proof, bundleOf(missionMaterial(w, 4)));
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, proof]);
    expect(stdout).toMatch(/^unvouched event 4/);
  });

  it('is one classic script: no import, no eval, nothing fetched, and small', () => {
    const script = readFileSync(SCRIPT, 'utf8');
    expect(script).not.toMatch(
      /\bimport\s*\(|^\s*(?:import|export)\b|\bXMLHttpRequest\b|\bfetch\(|\bWebSocket\b|sendBeacon/m,
    );
    expect(statSync(SCRIPT).size).toBeLessThan(SCRIPT_BYTES_MAX);
  });
});
