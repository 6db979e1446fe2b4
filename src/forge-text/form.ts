// Reads the body of an issue that was made with the mission-proposal form. Believes none of it beyond its shape: tier,
// paths and agent are what somebody asks for; policy and people decide. Knows nothing of the forge that carried it.
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { splitForm } from './form-split.ts';
import { readValues, type FormProposal } from './form-values.ts';

/** An issue without the form's schema field is no proposal and gets silence. */
export type FormReading = { readonly is: 'no_proposal' } | Verdict<FormProposal>;

/** Twice what the largest form within every other limit takes. */
const BODY_CHARACTERS_MAX = 40_000;
const MARKER = /^### lazarus-schema$/m;

export function readForm(body: string): FormReading {
  if (body.length > BODY_CHARACTERS_MAX)
    return MARKER.test(body.slice(0, BODY_CHARACTERS_MAX).replaceAll('\r\n', '\n'))
      ? refuse('form_invalid', { problems: [`The issue is longer than ${BODY_CHARACTERS_MAX} characters`] })
      : { is: 'no_proposal' };
  // A browser sends CRLF, and so does the forge's editor; a lone CR stays and is refused as a hidden character.
  const raw = splitForm(body.replaceAll('\r\n', '\n'));
  if (raw === null) return { is: 'no_proposal' };
  if (raw.is === 'refused') return raw;
  const { proposal, problems } = readValues(raw.value);
  return problems.length > 0 ? refuse('form_invalid', { problems }) : accept(proposal);
}
