// A repository in which missions are typed: the example project, ana who set it up, bo who may approve, and ana's machine.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { lazarus, type Ran, type RunSettings } from './cli.ts';
import { exampleProject, missionText } from './templates.ts';

export type Workshop = {
  readonly folder: string;
  /** Where the keys of all of them are. */
  readonly home: string;
  readonly run: (args: readonly string[], settings?: RunSettings) => Promise<Ran>;
  /** Writes a mission file with some of its text replaced, and answers its name. */
  readonly file: (edits?: Readonly<Record<string, string>>) => string;
  /** Proposes such a mission as ana; answers its name and the digest to type. */
  readonly propose: (edits?: Readonly<Record<string, string>>) => Promise<{ mission: string; digest: string }>;
  readonly approve: (one: { mission: string; digest: string }) => Promise<void>;
  readonly show: (mission: string) => Promise<Shown>;
  readonly remove: () => void;
};

export type Shown = {
  readonly mission: string;
  readonly state: string;
  readonly because: { readonly code: string } | null;
  readonly plan: { readonly digest: string } | null;
  readonly votes: readonly { readonly login: string; readonly choice: string; readonly is_self: boolean }[];
  readonly attempt: { readonly no: number } | null;
  readonly receipts: readonly { readonly id: string }[];
  readonly next: string | null;
  readonly took?: readonly string[];
};

export async function workshop({ people = ['bo'] }: { readonly people?: readonly string[] } = {}): Promise<Workshop> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lazarus-workshop-')));
  const [folder, home] = [join(root, 'project'), join(root, 'home')];
  for (const made of [folder, home]) mkdirSync(made);
  exampleProject(folder);
  const run = (args: readonly string[], settings: RunSettings = {}): Promise<Ran> =>
    lazarus(args, { cwd: folder, ...settings, env: { HOME: home, ...settings.env } });
  await ok(run(['init', '--name', 'ana', '--unprotected', '--commit']));
  for (const name of people) {
    await ok(run(['keys', 'new', name, '--unprotected']));
    const { stdout } = await ok(run(['keys', 'export', name]));
    const key = join(home, `${name}.asc`);
    writeFileSync(key, stdout);
    await ok(run(['roster', 'add', key, '--type', 'user', '--roles', 'person', '--key', 'ana']));
  }
  let files = 0;
  const file: Workshop['file'] = (edits = {}) => {
    const path = join(home, `mission-${files++}.yaml`);
    writeFileSync(path, missionText(edits));
    return path;
  };
  return {
    folder,
    home,
    remove: () => rmSync(root, { recursive: true, force: true }),
    run,
    file,
    async propose(edits) {
      const { mission, plan } = await json<Shown>(run(['propose', file(edits), '--as', 'ana', '--json']));
      return { mission, digest: plan!.digest.slice(0, 12) };
    },
    async approve({ mission, digest }) {
      await ok(run(['approve', mission, digest, '--as', 'bo']));
    },
    show: (mission) => json<Shown>(run(['status', mission, '--json'])),
  };
}

export async function ok(running: Promise<Ran>): Promise<Ran> {
  const ran = await running;
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: expect.any(String) });
  return ran;
}

export async function json<T>(running: Promise<Ran>): Promise<T> {
  return JSON.parse((await ok(running)).stdout) as T;
}
