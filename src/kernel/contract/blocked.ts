// blocked.json: a question handed sideways while the work goes on. Which blocks are legal, and which are preferences in
// disguise, refused by the name of the phrase. Answers nothing.
import { z } from 'zod';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { firstIssue } from './brief.ts';
import { parseClaim } from './claim.ts';

/** Of the whole file, before it is parsed. */
const BLOCKED_CHARACTERS_MAX = 64 * 1024;
const TEXT_CHARACTERS_MAX = 4000;

const Text = z.string().max(TEXT_CHARACTERS_MAX);

export const Blocked = z.lazy(() =>
  z.strictObject({
    session: z.string().min(1).max(200),
    blocked_at: z.iso.datetime({ offset: true }),
    question: Text.min(1),
    best_guess: Text,
    fallback_action: Text,
    can_resume_without_answer: z.boolean(),
    human_required_for: z.enum(['credential', 'destructive op', 'scope expansion']).nullable().default(null),
  }),
);
export type Blocked = z.infer<typeof Blocked>;

// Whoever wants a preference settled has to decide it. Bounded texts: the backtracking stays within a sentence.
const PREFERENCES: Readonly<Record<string, RegExp>> = {
  confirm_first: /\bconfirm\b[^.?!]*\bbefore\b/,
  validate_first: /\b(?:validate|approve|review|sign off)\b[^.?!]*\bbefore i\b/,
  which_option: /\bwhich\b[^.?!]*\b(?:prefer|should i|shall i|would you like|do you want)\b/,
  options_exist: /\b(?:two|three|four|several|multiple|\d{1,3}) (?:options|approaches|ways) (?:exist|are possible)\b/,
  should_i_proceed: /\b(?:should|shall|may|can) i (?:proceed|continue|go ahead|start|begin)\b/,
  awaiting_confirmation:
    /\b(?:await|awaiting|wait for|waiting for) (?:your |the |a )?(?:confirmation|approval|go-ahead)\b/,
};

/** From the file an agent left behind. */
export function parseBlocked(text: string): Verdict<Blocked> {
  const claim = parseClaim(text, BLOCKED_CHARACTERS_MAX);
  return claim.is === 'refused' ? refuse('blocked_malformed', claim.facts) : readBlocked(claim.value);
}

function readBlocked(value: unknown): Verdict<Blocked> {
  const blocked = Blocked.safeParse(value);
  return blocked.success ? accept(blocked.data) : refuse('blocked_malformed', firstIssue(blocked.error));
}

/** `fallbackRunning` is what the supervisor sees, not what the file says. */
export function judgeBlocked(blocked: Blocked, fallbackRunning: boolean): Verdict<Blocked> {
  if (blocked.fallback_action.trim() === '' || !fallbackRunning)
    return refuse('blocked_without_fallback', { stated: blocked.fallback_action.trim() !== '' });
  if (!blocked.can_resume_without_answer) return refuse('blocked_waiting');
  const phrase = preferenceIn(blocked.question);
  return phrase === undefined ? accept(blocked) : refuse('blocked_preference', { phrase });
}

/** The name of the first phrase by which a text asks for a preference. */
function preferenceIn(text: string): string | undefined {
  const plain = text.toLowerCase().replaceAll('’', "'").replaceAll(/\s+/g, ' ');
  return Object.entries(PREFERENCES).find(([, phrase]) => phrase.test(plain))?.[0];
}
