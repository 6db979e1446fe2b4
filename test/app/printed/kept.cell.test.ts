// What agents and checks print, as the repository keeps it: found in clear nowhere, opened by those it is for and by nobody
// else, and as a digest where that is all there may be.
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../src/app/mission/documents.ts';
import { parsePrinted, printedDigest, salted, type Printed } from '../../../src/app/printed/document.ts';
import { openPrinted } from '../../../src/app/printed/open.ts';
import { readEvents } from '../../../src/app/read-events.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { fromUtf8, utf8 } from '../../../src/format/bytes.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import type { KeyStore } from '../../../src/ports/keys.ts';
import { neverAsked, answer, keyHome, refusalOf } from '../../adapters/keys/homes.ts';
import { ANA, BEN, member } from '../../support/people.ts';
import { missionText } from '../../support/templates.ts';
import { run } from '../mission/running.ts';
import { approved, LAPTOP, site, viewOf, type Site } from '../mission/setting.ts';
import { reader } from './readers.ts';

const WORD = 'sesame-4711-word';
const LAPTOP_MEMBER = member(LAPTOP, {
  roles: ['gate', 'runner', 'writer'],
  principal_type: 'runner',
  person_id: null,
});

/** Whose agent prints the word, and whose check does. */
async function printing(at: Site, { fails = false } = {}) {
  const shellText = `sh tools/example-agent.sh; printf '%s\\n%s' ${WORD.slice(0, 6)}${WORD.slice(6)} agent`;
  const check = `verify_command: 'printf "%s-%s\\n" check ${WORD}; exit ${fails ? 1 : 0}'`;
  const { mission } = await approved(
    at,
    missionText({
      'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(shellText)}]`,
      'verify_command: sh test/greet.test.sh': check,
    }),
  );
  await run(at, mission);
  return mission;
}

/** Of the agent's cell, then of the checks'. */
async function keptOf(at: Site, mission: string): Promise<readonly Printed[]> {
  const ref = missionRef(mission);
  const digests: string[] = [];
  await readEvents(at.bench, ref, (event) => {
    if (event.event_type === 'cell.closed') digests.push(event.payload.output!);
  });
  return Promise.all(digests.map(async (digest) => parsePrinted(await readDocument(at.bench, ref, digest))!));
}

function opens(keys: KeyStore, printed: Printed, ask = neverAsked): Promise<string> {
  return openPrinted({ crypto: nodeCrypto, keys, ask }, printed).then(fromUtf8);
}

/** Every object that any reference of the repository reaches, and every loose or packed one beside. */
function everything(folder: string): string {
  const git = (args: readonly string[], input?: Buffer) =>
    execFileSync('git', args, { cwd: folder, maxBuffer: 1 << 28, ...(input && { input }) });
  const oids = git(['cat-file', '--batch-check=%(objectname)', '--batch-all-objects']);
  return git(['cat-file', '--batch'], oids).toString('latin1');
}

it('lies in the repository in clear nowhere; people of the roster open it, and nobody else', async () => {
  const ana = await reader(ANA, { roles: ['person', 'root'] }, { passphrase: 'long enough' });
  const ben = await reader(BEN, { roles: ['person'] });
  const at = await site({ members: [ana.member, ben.member, LAPTOP_MEMBER] });
  const mission = await printing(at);
  const [agent, check] = await keptOf(at, mission);

  const objects = everything(at.folder);
  // The agent's and the check's command hold the word: that people wrote. What they made of it is nowhere.
  expect(objects).not.toContain(`${WORD}\nagent`);
  expect(objects).not.toContain(`check-${WORD}`);
  // Control: the objects are what was looked through, and what is kept does hold it.
  expect(objects).toContain(agent!.message!.split('\n')[3]);
  expect(await opens(ben.keys, agent!)).toMatch(new RegExp(`${WORD}\nagent$`));
  expect(await opens(ben.keys, check!)).toBe(`check-${WORD}\n`);
  expect(await opens(ana.keys, agent!, answer('long enough'))).toContain(WORD);
  expect(await refusalOf(opens(ana.keys, agent!, answer('another')))).toBe('passphrase_wrong');

  const stranger = keyHome();
  expect(await refusalOf(opens(stranger.keys, agent!))).toBe('printed_not_for_you');
  stranger.remove();
  expect(new Set(agent!.encrypted_to)).toEqual(new Set([ana.fingerprint, ben.fingerprint]));
  expect(check).toMatchObject({ bytes: `check-${WORD}\n`.length, lines: 1, excerpt: null, salt: null, whole: true });
});

describe('only a digest is kept', () => {
  it.each([
    ['where nobody on the roster has a key to encrypt to', (text: string) => text, false],
    ['where policy says so', (text: string) => `${text}\noutput: {keep: digest}\n`, true],
  ])('%s', async (_, policy, hasReader) => {
    const ben = await reader(BEN, { roles: ['person'] });
    const benMember = hasReader ? ben.member : member(BEN, { roles: ['person'] });
    const members = [member(ANA, { roles: ['person', 'root'] }), benMember, LAPTOP_MEMBER];
    const at = await site({ members, policy });
    const mission = await printing(at);
    const [, check] = await keptOf(at, mission);
    expect(everything(at.folder)).not.toContain(`check-${WORD}`);
    expect(check).toMatchObject({ message: null, encrypted_to: [], excerpt: null });
    expect(await refusalOf(opens(ben.keys, check!))).toBe('printed_not_kept');
    // Whoever has the words from elsewhere can show that these are they.
    expect(check!.digest).toBe(printedDigest(nodeCrypto, salted(check!.salt!, utf8(`check-${WORD}\n`))));
  });
});

describe('the last lines of what failed', () => {
  it.each([
    ['of a check', '', [`check-${WORD}`]],
    ['of nobody', 'output: {excerpt: none}', null],
    ['of all that failed', 'output: {excerpt: all}', [`check-${WORD}`]],
  ])('stand in clear: %s', async (_, line, ofCheck) => {
    const ben = await reader(BEN, { roles: ['person'] });
    const members = [member(ANA, { roles: ['person', 'root'] }), ben.member, LAPTOP_MEMBER];
    const at = await site({ members, policy: (text) => `${text}\n${line}\n` });
    const mission = await printing(at, { fails: true });
    const [agent, check] = await keptOf(at, mission);
    expect(agent!.excerpt).toBeNull();
    expect(check!.excerpt).toEqual(ofCheck);
    const { attempt } = await viewOf(at, mission);
    expect(attempt!.failure!.printed?.lines ?? null).toEqual(ofCheck);
    expect(everything(at.folder).includes(`check-${WORD}`)).toBe(ofCheck !== null);
    expect(await opens(ben.keys, check!)).toBe(`check-${WORD}\n`);
  });

  it.each([
    ['checks', null],
    ['all', [WORD]],
  ])('of an agent that failed, with `excerpt: %s`', async (excerpt, lines) => {
    const at = await site({ policy: (text) => `${text}\noutput: {excerpt: ${excerpt}}\n` });
    const agent = `agent: [/bin/sh, -c, "echo ${WORD}; exit 3"]`;
    const { mission } = await approved(at, missionText({ 'agent: example': agent }));
    await run(at, mission);
    expect((await keptOf(at, mission))[0]!.excerpt).toEqual(lines);
    const { attempt } = await viewOf(at, mission);
    expect(attempt!.failure!.printed).toEqual(lines && { by: 'the agent', lines });
  });
});

describe('a document that lies', () => {
  const forged: readonly [string, (printed: Printed, other: Printed) => Printed][] = [
    ['about the digest', (one) => ({ ...one, digest: `sha256:${'0'.repeat(64)}` })],
    ['about how much there is', (one) => ({ ...one, bytes: one.bytes + 1 })],
    ['with the message of another cell', (one, other) => ({ ...one, message: other.message })],
    ['with a message that is none', (one) => ({ ...one, message: 'no message' })],
    ['about whom it is for', (one) => ({ ...one, message: one.message!.replace(/[a-z]{3}/, 'AAA') })],
  ];
  it('is not shown, and said to be one', async () => {
    const ben = await reader(BEN, { roles: ['person'] });
    const members = [member(ANA, { roles: ['person', 'root'] }), ben.member, LAPTOP_MEMBER];
    const at = await site({ members });
    const [agent, check] = await keptOf(at, await printing(at));
    expect(await opens(ben.keys, check!)).toBe(`check-${WORD}\n`);
    for (const [what, lie] of forged)
      expect(await refusalOf(opens(ben.keys, lie(check!, agent!))), what).toBe('printed_altered');
  });
});
