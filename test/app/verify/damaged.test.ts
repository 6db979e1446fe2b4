// Commits and trees that git itself cannot read, on the branch of a ledger: every way of verifying reports them with a code
// and an index, the other ledgers are reported beside them, and where the ledger lies below them a repair goes on.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import fs from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findDamage } from '../../../src/app/repair.ts';
import type { Report } from '../../../src/app/verify/report.ts';
import { ledgerName, PROJECT_REF } from '../../../src/ledger/names.ts';
import { verifyRepository } from '../../../src/verify.ts';
import type { Workbench } from '../../../src/app/workbench.ts';
import { aProject, note, people } from '../../support/project.ts';
import { git } from '../../support/repos.ts';
import { ANA, BO, CY } from '../../support/people.ts';
import { taken } from '../../support/taken.ts';
import { aMission } from '../../support/workbench.ts';

let at: { readonly bench: Workbench; readonly path: string; readonly ref: string; readonly good: string };

beforeEach(async () => {
  const { bench, path } = await aProject(people(ANA, BO, CY));
  const ref = await aMission(bench);
  for (const by of [ANA, BO]) taken(await note(bench, ref, by));
  const good = git(path, ['rev-parse', ref]);
  await bench.verify(ref, 'full', { project: await bench.project() });
  at = { bench, path, ref, good };
});

/** Stores bytes as they are, and shows them on the branch: `git update-ref` would look at them first. */
function show(body: Buffer, ref = at.ref): string {
  const args = ['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'];
  const oid = execFileSync('git', args, { cwd: at.path, input: body }).toString().trim();
  writeFileSync(join(at.path, '.git', ref), `${oid}\n`);
  return oid;
}

/** The next transaction of the ledger, good in everything, taken off the branch again. */
async function nextCommit(): Promise<string> {
  taken(await note(at.bench, at.ref, CY));
  const body = execFileSync('git', ['cat-file', 'commit', at.ref], { cwd: at.path }).toString('latin1');
  git(at.path, ['update-ref', at.ref, at.good]);
  return body;
}

/** As whoever did not see the good one. */
async function forgetPin(): Promise<void> {
  const pin = join(at.path, '.git/lazarus/pins', `${ledgerName(at.ref)}.json`);
  const text = readFileSync(pin, 'utf8');
  writeFileSync(pin, text.replace(/"head":\{[^}]*\}/, `"head":${JSON.stringify(goodHead)}`));
}
let goodHead: unknown;

const blobOf = (): string => git(at.path, ['hash-object', '-w', '--stdin'], Buffer.from('no tree'));

const BROKEN: readonly (readonly [string, string, (body: string) => string])[] = [
  ['a carriage return in a header', 'commit_malformed', (body) => body.replace('\nauthor', '\r\nauthor')],
  ['a tree of 39 digits', 'commit_malformed', (body) => body.replace(/^(tree .{39})./, '$1')],
  ['a tree of 64 digits', 'commit_malformed', (body) => body.replace(/^(tree .{40})/, `$1${'0'.repeat(24)}`)],
  [
    'the signature in front',
    'commit_second_signature',
    (body) => {
      const signature = /gpgsig [^]*?-----END PGP SIGNATURE-----\n/.exec(body)![0];
      return signature + body.replace(signature, '');
    },
  ],
  ['line ends of two characters', 'commit_malformed', (body) => body.replaceAll('\n', '\r\n')],
  ['a parent line cut short', 'commit_malformed', (body) => body.replace(/\n(parent .{40})\n/, '\n$1\n$1x\n')],
  ['another tree, which is a file', 'signature_invalid', (body) => body.replace(/^tree .{40}/, `tree ${blobOf()}`)],
  [
    'another tree, which is not here',
    'signature_invalid',
    (body) => body.replace(/^tree .{40}/, `tree ${'ab'.repeat(20)}`),
  ],
];

describe.each(BROKEN)('a commit with %s', (_, code, damage) => {
  it('is reported with its place in every way of verifying, and does not stop a repair', async () => {
    const { bench, path, ref } = at;
    goodHead = JSON.parse(readFileSync(join(path, '.git/lazarus/pins', `${ledgerName(ref)}.json`), 'utf8')).head;
    const tip = show(Buffer.from(damage(await nextCommit()), 'latin1'));
    await forgetPin();
    const broken = { integrity: { is: 'refused', code, index: 3, ledger: 'mission', oid: tip } };
    const project = await bench.project();
    for (const mode of ['full', 'since-pin'] as const)
      expect((await bench.verify(ref, mode, { project })).report).toMatchObject(broken);
    const { report } = await verifyRepository({ fs, dir: path, ledger: ledgerName(ref) });
    expect(report).toMatchObject(broken);
    expect((await bench.verifyHead(ref)).integrity).toMatchObject({ is: 'refused', oid: tip });
    const found = taken(await findDamage(bench, ref, project));
    expect(found).toMatchObject({ foreignTip: tip, foreignCount: 1, tip: { oid: at.good, size: 3 } });
  });
});

const LOST: readonly (readonly [string, string, (body: string) => string])[] = [
  [
    'a parent that is not here',
    'object_missing',
    (body) => body.replace(/\nparent .{40}/, `\nparent ${'ab'.repeat(20)}`),
  ],
  ['a parent that is no commit', 'commit_parents', (body) => body.replace(/\nparent .{40}/, `\nparent ${blobOf()}`)],
];

describe.each(LOST)('a commit with %s', (_, code, damage) => {
  it('is reported, by git and without it, beside the ledgers that are whole', async () => {
    const { bench, path, ref } = at;
    show(Buffer.from(damage(await nextCommit()), 'latin1'));
    const reports: Report[] = [];
    for (const one of await bench.ledgers()) reports.push((await bench.verify(one, 'full')).report);
    expect(reports.map(({ name, integrity }) => [name, integrity.is])).toEqual([
      ['project', 'ok'],
      [ledgerName(ref), 'refused'],
    ]);
    const { report } = await verifyRepository({ fs, dir: path, ledger: ledgerName(ref) });
    expect(report.integrity).toEqual(reports[1]!.integrity);
    if (code === 'object_missing') expect(report.integrity).toMatchObject({ code, index: 3 });
  });
});

it('a project ledger that is broken is reported, and its missions beside it', async () => {
  const { bench, path, ref } = at;
  const body = execFileSync('git', ['cat-file', 'commit', PROJECT_REF], { cwd: path }).toString('latin1');
  show(Buffer.from(body.replace('\nauthor', '\r\nauthor'), 'latin1'), PROJECT_REF);
  const { report: project } = await verifyRepository({ fs, dir: path });
  expect(project.integrity).toMatchObject({ is: 'refused', code: 'commit_malformed', index: 0 });
  const { report } = await verifyRepository({ fs, dir: path, ledger: ledgerName(ref) });
  expect(report).toMatchObject({ integrity: { is: 'ok' }, trust: { is: 'unpinned' } });
  expect((await bench.verify(PROJECT_REF, 'full')).report.integrity).toEqual(project.integrity);
});
