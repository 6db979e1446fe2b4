// The page in a real browser, opened from disk: it answers without asking any network for anything, and shows a stranger's
// proof as text.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleOf, missionMaterial, world, type World } from '../support/bundles.ts';
import { chromiumPath } from '../support/components.ts';
import { scratch } from '../support/repos.ts';

const PAGE = new URL('../../dist/portable/lazarus-check.html', import.meta.url).pathname;
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let browser: Browser;
let w: World;
beforeAll(async () => {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('no Chromium on the PATH');
  browser = await chromium.launch({ executablePath, args: QUIET });
  w = world();
});
afterAll(() => browser?.close());

type Opened = { readonly page: Page; readonly requests: string[]; readonly complaints: string[] };

async function opened(): Promise<Opened> {
  const file = join(scratch('page'), 'lazarus-check.html');
  copyFileSync(PAGE, file);
  const page = await browser.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('dialog', (dialog) => complaints.push(`dialog ${dialog.message()}`));
  await page.goto(pathToFileURL(file).href);
  return { page, requests, complaints };
}

async function choose(page: Page, bytes: Uint8Array): Promise<string> {
  await page.setInputFiles('#file', { name: 'proof.json', mimeType: 'application/json', buffer: Buffer.from(bytes) });
  await page.waitForSelector('#answer:not([hidden])');
  return page.innerText('#answer');
}

const proof = (): Uint8Array => bundleOf(missionMaterial(w, 4));

describe('the page', () => {
  it('proves a good proof with no network, no eval and no complaint of the browser', async () => {
    const { page, requests, complaints } = await opened();
    const text = await choose(page, proof());
    expect(await page.getAttribute('#answer', 'class')).toBe('unvouched');
    expect(text).toContain('Proved, if the project is the right one');
    expect(text).toContain('is note.recorded by ana, as signed');
    expect(text).toContain('UNPINNED');
    expect(text).toContain(w.mission.head.oid);
    // Only the page itself was ever asked for, and the policy stopped nothing because nothing was tried.
    expect(requests.filter((url) => !url.startsWith('file://'))).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it('refuses a tampered proof and takes the good word back', async () => {
    const { page } = await opened();
    await choose(page, proof());
    const tampered = new TextDecoder().decode(proof()).replace('\\"bytes\\":101', '\\"bytes\\":102');
    await choose(page, new TextEncoder().encode(tampered));
    await page.waitForSelector('#answer.refused');
    expect(await page.innerText('#answer')).toContain('inclusion_invalid');
    expect(await page.innerText('#answer')).not.toContain('Proved');
  });

  it('shows markup in a proof as text and runs none of it', async () => {
    const { page, requests, complaints } = await opened();
    const attack = '<img src=//evil.invalid/x onerror=alert(1)><script>alert(2)</script>';
    const type = JSON.stringify(JSON.stringify(attack).slice(1, -1)).slice(1, -1);
    const text = new TextDecoder()
      .decode(proof())
      .replace('\\"event_type\\":\\"note.recorded\\"', `\\"event_type\\":\\"${type}\\"`);
    const shown = await choose(page, new TextEncoder().encode(text));
    expect(shown).toContain('event_type_unknown');
    expect(shown).toContain('<img src=//evil.invalid/x');
    expect(await page.locator('#answer img, #answer script').count()).toBe(0);
    expect(requests).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it('forbids what it does not need: a script or a request that got in would do nothing', async () => {
    const { page, requests } = await opened();
    const ran = await page.evaluate(`(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.injected = true';
      document.body.append(script);
      const asked = await fetch('https://example.invalid/').then(() => 'sent', () => 'refused');
      return { injected: 'injected' in window, asked };
    })()`);
    expect(ran).toEqual({ injected: false, asked: 'refused' });
    expect(requests.filter((url) => !url.startsWith('file://'))).toEqual([]);
  });

  it('takes a pasted proof, holds it against a genesis, and does not take a mistyped one for none', async () => {
    const { page } = await opened();
    await page.click('#paste summary');
    await page.fill('#pasted', `  ${new TextDecoder().decode(proof())}\n\n`);
    await page.click('#check');
    await page.waitForSelector('#answer.unvouched');
    const genesis = w.project.tip.state!.project_genesis;
    await page.fill('#genesis', genesis);
    await page.press('#genesis', 'Enter');
    await page.waitForSelector('#answer >> text=project_unconfirmed');
    await page.fill('#genesis', genesis.slice(0, -1));
    await page.press('#genesis', 'Enter');
    await page.waitForSelector('#answer[hidden]', { state: 'attached' });
    await page.fill('#genesis', `sha256:${'0'.repeat(64)}`);
    await page.press('#genesis', 'Enter');
    await page.waitForSelector('#answer.refused');
    expect(await page.innerText('#answer')).toContain('genesis_mismatch');
  });

  it('takes a proof that is dropped on it, instead of leaving for the file', async () => {
    const { page, requests } = await opened();
    const transfer = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(new TextDecoder().decode(proof()))}], 'proof.json', { type: 'application/json' }));
      return data;
    })()`);
    await page.dispatchEvent('#drop', 'drop', { dataTransfer: transfer });
    await page.waitForSelector('#answer.unvouched');
    expect(requests).toHaveLength(1);
  });
});
