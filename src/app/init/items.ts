// Setting something up as a list of items, each of which can tell whether it is done. So that a rerun after any crash goes
// on where the last one stopped, and a dry run says the same as the real one. Knows no item.

export type Found =
  /** Nothing to do. */
  | { readonly is: 'there'; readonly says: string }
  /** To be done: what, in words. */
  | { readonly is: 'absent'; readonly says: string }
  | Differs;

/** Otherwise than lazarus would make it, and therefore a person's to settle: never overwritten. */
type Differs = {
  readonly is: 'differs';
  readonly says: string;
  readonly next?: string;
  /** As lines for a person: `-` before what is there, `+` before what lazarus would make. */
  readonly difference?: readonly string[];
};

type Named = {
  /** A word for programs. */
  readonly name: string;
  /** The same for people. */
  readonly title: string;
};

export type Item = Named &
  (
    | {
        look(): Promise<Found>;
        /** Only after `absent`. Answers with what there is now. */
        act(): Promise<string>;
      }
    /** For what can be made sure of in one go, and not looked at without. */
    | { readonly would: string | (() => Promise<Would>); ensure(): Promise<Ensured> }
  );

export type Ensured = { readonly is: 'already there' | 'done'; readonly says: string } | Differs;

/** What a dry run says of it, where it can look without doing anything. */
export type Would = { readonly is: 'already there' | 'would'; readonly says: string } | Differs;

export type ItemResult = {
  readonly item: string;
  readonly title: string;
  /** `would`: a dry run left it undone. */
  readonly is: 'already there' | 'done' | 'differs' | 'would';
  readonly says: string;
  readonly next?: string;
  readonly difference?: readonly string[];
};

export type Course = {
  readonly isDryRun: boolean;
  /** Told of each item as it ends. */
  readonly onResult?: (result: ItemResult) => void;
};

export async function setUp(items: readonly Item[], { isDryRun, onResult }: Course): Promise<ItemResult[]> {
  const results: ItemResult[] = [];
  for (const item of items) {
    const result = await take(item, isDryRun);
    results.push(result);
    onResult?.(result);
  }
  return results;
}

async function take(item: Item, isDryRun: boolean): Promise<ItemResult> {
  const { name, title } = item;
  const named = { item: name, title };
  if ('ensure' in item) {
    if (!isDryRun) return { ...named, ...(await item.ensure()) };
    const { would } = item;
    return { ...named, ...(typeof would === 'string' ? { is: 'would', says: would } : await would()) };
  }
  const found = await item.look();
  const { says } = found;
  if (found.is === 'differs') return { ...named, ...found };
  if (found.is === 'there') return { ...named, is: 'already there', says };
  return isDryRun ? { ...named, is: 'would', says } : { ...named, is: 'done', says: await item.act() };
}
