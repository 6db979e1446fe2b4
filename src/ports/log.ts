// Where a use case says what it is doing, for somebody who asked to be told. Never carries a secret.
export interface Log {
  debug(message: string): void;
}
