// Which known key somebody meant. Suggests, never assumes.
import { z } from 'zod';

/** Longer words are cut: a key of a megabyte costs no more than this. */
const WORD_CHARACTERS_MAX = 40;

export function nearest(word: string, known: readonly string[]): string | undefined {
  const slip = Math.max(1, Math.min(3, Math.floor(word.length / 3)));
  const ranked = known.map((key) => ({ key, distance: distance(word.slice(0, WORD_CHARACTERS_MAX), key) }));
  return ranked.filter((one) => one.distance <= slip).sort((a, b) => a.distance - b.distance)[0]?.key;
}

/** The keys that a schema knows where a path leads. */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const here = objectsIn(schema);
  const [step, ...rest] = path;
  if (step === undefined) return here.flatMap((object) => Object.keys(object.shape));
  return stepsFrom(schema, String(step)).flatMap((inner) => knownKeys(inner, rest));
}

function stepsFrom(schema: z.ZodType, step: string): z.ZodType[] {
  return alternatives(schema).flatMap((one) => {
    if (one instanceof z.ZodObject) return step in one.shape ? [one.shape[step] as z.ZodType] : [];
    if (one instanceof z.ZodArray) return [one.element as z.ZodType];
    return one instanceof z.ZodRecord ? [one.valueType as z.ZodType] : [];
  });
}

function objectsIn(schema: z.ZodType): z.ZodObject[] {
  return alternatives(schema).filter((one) => one instanceof z.ZodObject);
}

function alternatives(schema: z.ZodType): z.ZodType[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => alternatives(one as z.ZodType));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return alternatives(schema.unwrap() as z.ZodType);
  return [schema];
}

/** How many letters to put in, take out or change, or neighbours to swap. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = rows[i - 1]![j - 1]! + Number(a[i - 1] !== b[j - 1]);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? rows[i - 2]![j - 2]! + 1 : changed;
      row.push(Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, changed, swapped));
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
