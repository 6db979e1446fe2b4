// Settings under which git runs no hook: neither one that lies in a folder nor, since git 2.54 has them, one that a
// configuration names. Those are switched off by their event, for their names are the author's choice.

/** Of every command that is used here, and of the other end of a remote that is a path. */
const EVENTS = [
  'reference-transaction',
  'post-index-change',
  'pre-auto-gc',
  'pre-push',
  'pre-receive',
  'update',
  'post-receive',
  'post-update',
  'proc-receive',
  'push-to-checkout',
] as const;

export const NO_HOOKS: readonly string[] = [
  'core.hooksPath=/dev/null',
  ...EVENTS.map((event) => `hook.${event}.enabled=false`),
];
