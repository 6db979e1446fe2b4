// The arguments or options a person typed, read by name; what does not fit is quoted back. Knows no command.
import { Failure } from '../../failure.ts';

export class Values {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** These values and one more. */
  with(name: string, value: string): Values {
    return new Values({ ...this.#values, [name]: value });
  }

  /** A value that the table declares required or defaulted. */
  need(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new Failure('usage', { missing: name });
    return value;
  }

  list(name: string): readonly string[] {
    const value = this.#values[name];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  /** A whole number from `least` up. Only plain decimal digits: `1e3`, `0x10` and ` 7` are typing mistakes. */
  whole(name: string, least = 0): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= least))
      throw new Failure('usage', { option: name, expected: `a whole number from ${least} up`, found: text });
    return number;
  }
}
