// Setting something up as a list of steps, each of which can tell whether it is done. So that a rerun after any crash goes
// on where the last one stopped, and a dry run says the same as the real one. Knows no step.

export type Standing =
  /** Nothing to do. */
  | { readonly is: 'there'; readonly says: string }
  /** To be done: what, in words. */
  | { readonly is: 'absent'; readonly says: string }
  /** Otherwise than lazarus would make it, and therefore a person's to settle: never overwritten. */
  | { readonly is: 'differs'; readonly says: string; readonly next?: string };

type Named = {
  /** A word for programs. */
  readonly name: string;
  /** The same for people. */
  readonly title: string;
};

export type Step = Named &
  (
    | {
        look(): Promise<Standing>;
        /** Only after `absent`. Answers with what there is now. */
        act(): Promise<string>;
      }
    /** For what can be made sure of in one go, and not looked at without. */
    | { readonly would: string | (() => Promise<Would>); ensure(): Promise<Ensured> }
  );

export type Ensured =
  | { readonly is: 'already there' | 'done'; readonly says: string }
  | { readonly is: 'differs'; readonly says: string; readonly next?: string };

/** What a dry run says of it, where it can look without doing anything. */
export type Would =
  | { readonly is: 'already there' | 'would'; readonly says: string }
  | Extract<Ensured, { readonly is: 'differs' }>;

export type StepResult = {
  readonly step: string;
  readonly title: string;
  /** `would`: a dry run left it undone. */
  readonly is: 'already there' | 'done' | 'differs' | 'would';
  readonly says: string;
  readonly next?: string;
};

export type Course = {
  readonly isDryRun: boolean;
  /** Told of each step as it ends. */
  readonly onResult?: (result: StepResult) => void;
};

export async function takeSteps(steps: readonly Step[], { isDryRun, onResult }: Course): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) {
    const result = await take(step, isDryRun);
    results.push(result);
    onResult?.(result);
  }
  return results;
}

async function take(step: Step, isDryRun: boolean): Promise<StepResult> {
  const { name, title } = step;
  const named = { step: name, title };
  if ('ensure' in step) {
    if (!isDryRun) return { ...named, ...(await step.ensure()) };
    const { would } = step;
    return { ...named, ...(typeof would === 'string' ? { is: 'would', says: would } : await would()) };
  }
  const standing = await step.look();
  const { says } = standing;
  if (standing.is === 'differs') return { ...named, ...standing };
  if (standing.is === 'there') return { ...named, is: 'already there', says };
  return isDryRun ? { ...named, is: 'would', says } : { ...named, is: 'done', says: await step.act() };
}
