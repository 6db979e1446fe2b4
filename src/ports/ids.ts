// What lazarus asks of a source of identifiers.
export interface Ids {
  /** A fresh UUID, version 4, lower case: unguessable and never given twice. */
  next(): string;
}
