// A document of a shelf with its schema: reads what is there, changes it as a value, refuses what does not have the form.
import type { ZodType } from 'zod';
import { Failure } from '../../../src/failure.ts';
import type { Shelf } from './records.ts';

export type Book<T> = {
  /** Undefined when there is no such document. */
  look(): Promise<T | undefined>;
  /** `change` works on a copy: what it throws leaves everything as it was. */
  write<R>(change: (copy: T) => R): Promise<R>;
};

export function openBook<T>(shelf: Shelf, name: string, schema: ZodType<T>, empty?: T): Book<T> {
  const parse = (found: unknown): T | undefined => {
    if (found === undefined) return empty;
    const result = schema.safeParse(found);
    if (result.success) return result.data;
    throw new Failure('forge_answer_unexpected', {
      document: name,
      field: result.error.issues[0]?.path.join('.') ?? '',
    });
  };
  return {
    look: async () => parse(await shelf.read(name)),
    write: async (change) =>
      shelf.change(name, (current) => {
        const next = structuredClone(parse(current));
        if (next === undefined) throw new Failure('forge_not_found', { repository: name });
        const result = change(next);
        return { next, result };
      }),
  };
}
