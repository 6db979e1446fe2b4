// What a process knows and no cell may ever say: the values of variables that are named like secrets. Reads no environment
// of its own; whoever asks hands one in.

export function canariesIn(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) && value.length >= CANARY_CHARACTERS_MIN ? [value] : [],
  );
}

const SECRET_NAME = /TOKEN|KEY|SECRET|PASSW|PASSPHRASE/i;
/** Shorter ones stand in harmless text by chance. */
const CANARY_CHARACTERS_MIN = 8;
