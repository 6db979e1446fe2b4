// What can be the key of a route at all: one word that a header carries, long enough to be searched for. And what looks like
// one and is not: the login of a person's subscription. Never says what it looked at.
import { accept, refuse, type Verdict } from '../verdict.ts';

/** Shorter ones stand in honest text by chance. */
const SECRET_CHARACTERS_MIN = 8;
const SECRET_CHARACTERS_MAX = 4096;

/** How files end: with one line feed, or the two characters of another system. */
export function checkSecret(text: string, reference: string): Verdict<string> {
  const value = text.replace(/\r?\n$/, '');
  if (isLogin(value)) return refuse('login_not_a_key', { key: reference });
  const isOneWord = /^[\x21-\x7e]*$/.test(value);
  if (!isOneWord || value.length < SECRET_CHARACTERS_MIN || value.length > SECRET_CHARACTERS_MAX)
    return refuse('secret_unusable', {
      key: reference,
      characters_min: SECRET_CHARACTERS_MIN,
      characters_max: SECRET_CHARACTERS_MAX,
    });
  return accept(value);
}

/** Files in which programs keep who is logged in: whatever stands in them, it is a person's. */
export function isLoginFile(path: string): boolean {
  return /\/\.(?:codex|claude|gemini)(?:\/|$)|\/\.claude\.json$|\/opencode\/auth\.json$|\/\.config\/(?:gcloud|gh|github-copilot)\//.test(
    path,
  );
}

/** The files of logins are JSON, and no key is. Or a token that Anthropic gives to a subscription. */
function isLogin(value: string): boolean {
  return /^\s*[{[]/.test(value) || /"?refresh_token"?\s*[:=]/.test(value) || /^sk-ant-o[ar]t\d/.test(value);
}
