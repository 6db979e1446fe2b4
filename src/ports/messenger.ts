// What lazarus asks of whoever carries a message out of it: one at a time, within a bounded time. That one could not be
// delivered is an answer and never an exception: nobody's mission waits for it.

/** Without any secret by then. `fields` has the same in parts, for programs. */
type Message = {
  readonly text: string;
  readonly fields: Readonly<Record<string, string | number | null | readonly string[]>>;
};

/** In words of ours: what the other side said is not among them. */
export type Delivery = { readonly is: 'delivered' } | { readonly is: 'failed'; readonly why: string };

export interface Messenger {
  send(message: Message): Promise<Delivery>;
}

/** What people were told already, on this computer or for a whole forge. */
export interface ToldBefore {
  /** Undefined where nobody was ever told anything. */
  read(): Promise<ReadonlySet<string> | undefined>;
  keep(topics: ReadonlySet<string>): Promise<void>;
}
