// The page around the check: takes a proof by file, drop or paste and shows the answer. Everything a proof says is put in
// as text, never as markup: a proof is a stranger's file.
import { BUNDLE_BYTES_MAX } from '../ledger/bundle-format.ts';
import type { ProofView } from '../surfaces/proof-view.ts';
import { checkAlone, GENESIS } from './check.ts';

const TITLES: Readonly<Record<ProofView['is'], string>> = {
  proved: 'Proved and confirmed',
  unvouched: 'Proved, if the project is the right one',
  disowned: 'Disowned',
  refused: 'Refused',
};

export function startPage(page: Document): void {
  const file = find(page, 'file', HTMLInputElement);
  const pasted = find(page, 'pasted', HTMLTextAreaElement);
  const genesis = find(page, 'genesis', HTMLInputElement);
  const drop = find(page, 'drop', HTMLElement);
  let last: Uint8Array | undefined;

  const check = (bytes: Uint8Array): void => {
    last = bytes;
    const expected = genesis.value.trim();
    genesis.setCustomValidity(expected === '' || GENESIS.test(expected) ? '' : 'sha256: and 64 hex digits');
    // A fingerprint that is mistyped must not silently count as none.
    if (!genesis.reportValidity()) return show(page, undefined);
    show(page, checkAlone(bytes, expected === '' ? undefined : expected));
  };
  const take = async (chosen: File | undefined): Promise<void> => {
    // One byte more than allowed is enough to refuse it by name.
    if (chosen === undefined) return;
    find(page, 'chosen', HTMLElement).textContent = chosen.name;
    check(new Uint8Array(await chosen.slice(0, BUNDLE_BYTES_MAX + 1).arrayBuffer()));
  };

  file.addEventListener('change', () => void take(file.files?.[0]));
  find(page, 'check', HTMLButtonElement).addEventListener('click', () => {
    const text = pasted.value.trim();
    if (text !== '') check(new TextEncoder().encode(`${text}\n`));
  });
  genesis.addEventListener('change', () => {
    if (last !== undefined) check(last);
  });
  for (const type of ['dragenter', 'dragover', 'dragleave', 'drop'])
    page.addEventListener(type, (event) => {
      // Else the browser would leave this page for the file.
      event.preventDefault();
      drop.classList.toggle('over', type === 'dragenter' || type === 'dragover');
    });
  page.addEventListener('drop', (event) => void take(event.dataTransfer?.files[0]));
}

function show(page: Document, view: ProofView | undefined): void {
  const answer = find(page, 'answer', HTMLElement);
  answer.hidden = view === undefined;
  if (view === undefined) return;
  answer.className = view.is;
  const table = element(page, 'dl');
  for (const [label, value] of view.rows) table.append(element(page, 'dt', label), element(page, 'dd', value));
  const trust = element(page, 'p', view.trust);
  trust.className = 'trust';
  trust.hidden = view.trust === undefined;
  const limits = element(page, 'details');
  limits.append(
    element(page, 'summary', 'What a proof does not show'),
    ...view.notShown.map((what) => element(page, 'p', what)),
  );
  limits.hidden = view.notShown.length === 0;
  answer.replaceChildren(element(page, 'h2', TITLES[view.is]), element(page, 'p', view.headline), trust, table, limits);
}

function element(page: Document, name: string, text = ''): HTMLElement {
  const made = page.createElement(name);
  made.textContent = text;
  return made;
}

function find<T extends HTMLElement>(page: Document, id: string, type: abstract new (...args: never) => T): T {
  const found = page.getElementById(id);
  if (!(found instanceof type)) throw new TypeError(`the page has no ${id}`);
  return found;
}
