// A word as it may stand in a line that a person copies into their shell. Names of files, remotes and hosts come from a
// repository that somebody else may have prepared: without this, `; rm -rf ~` in one of them would be typed along.

export function word(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Nothing in it means anything to a shell, and no program takes it for an option. */
const PLAIN = /^[A-Za-z0-9_@+:,./][A-Za-z0-9_@%+=:,./-]*$/;
