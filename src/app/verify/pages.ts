// A long past in pages: of what was kept, a page is read when somebody asks for it, and what is new waits for pages that
// were not read yet. So neither a look nor an addition grows with the past. Knows neither what stands on a page nor where it lies.

export type PageKind<Page> = {
  readonly empty: () => Page;
  /** Undefined for what this version never writes. */
  readonly read: (kept: unknown) => Page | undefined;
  readonly write: (page: Page) => unknown;
};

/** What was kept under a name, if it is still what was kept then. */
export type ReadPage = (name: string, digest: string) => Promise<unknown>;
/** Answers the digest that the page is asked for by. */
export type WritePage = (name: string, page: unknown) => Promise<string>;
/** Digests of kept pages, by name. */
export type KeptPages = Record<string, string>;

/** A page that was kept is gone or is another one: what it said can only be had from the ledger. */
export class PageLost extends Error {}

export class Pages<Page> {
  readonly #kind: PageKind<Page>;
  readonly #kept: Map<string, string>;
  readonly #readPage: ReadPage;
  readonly #here = new Map<string, Page>();
  readonly #waiting = new Map<string, ((page: Page) => void)[]>();
  readonly #changed = new Set<string>();

  constructor(kind: PageKind<Page>, kept: KeptPages = {}, readPage: ReadPage = () => Promise.resolve(undefined)) {
    this.#kind = kind;
    this.#kept = new Map(Object.entries(kept));
    this.#readPage = readPage;
  }

  /** At once, or when the page is brought. */
  change(name: string, change: (page: Page) => void): void {
    this.#changed.add(name);
    if (!this.#here.has(name) && this.#kept.has(name)) {
      this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), change]);
      return;
    }
    const page = this.#here.get(name) ?? this.#kind.empty();
    this.#here.set(name, page);
    change(page);
  }

  /** Undefined where there never was one. What was kept must have been brought: no answer may come from half a past. */
  at(name: string): Page | undefined {
    const page = this.#here.get(name);
    if (page === undefined && this.#kept.has(name)) throw new TypeError(`the page ${name} was not brought`);
    return page;
  }

  names(): readonly string[] {
    return [...new Set([...this.#kept.keys(), ...this.#here.keys()])];
  }

  all(): readonly Page[] {
    return this.names().flatMap((name) => this.at(name) ?? []);
  }

  async bring(names: Iterable<string>): Promise<void> {
    await Promise.all([...names].map((name) => this.#bring(name)));
  }

  async #bring(name: string): Promise<void> {
    const digest = this.#kept.get(name);
    if (digest === undefined || this.#here.has(name)) return;
    const kept = await this.#readPage(name, digest);
    const page = kept === undefined ? undefined : this.#kind.read(kept);
    if (page === undefined) throw new PageLost(name);
    // Somebody else may have brought it meanwhile, and changed it.
    if (this.#here.has(name)) return;
    this.#here.set(name, page);
    for (const change of this.#waiting.get(name) ?? []) change(page);
    this.#waiting.delete(name);
  }

  /** Has what changed written, and answers what is to be asked for from then on. */
  async keep(writePage: WritePage): Promise<KeptPages> {
    await this.bring(this.#changed);
    for (const name of this.#changed) {
      this.#kept.set(name, await writePage(name, this.#kind.write(this.#here.get(name)!)));
      this.#changed.delete(name);
    }
    return Object.fromEntries([...this.#kept].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}
