// Reason codes about keys of others: those that routes add, and the vault that keeps them.
import { RUNNER, type Reason } from './reason.ts';

const RESET = 'lazarus vault set <name>';

export const SECRETS = {
  secret_missing: {
    exit: 4,
    says: 'The key that a route names is not to be had here.',
    next: 'put it where the policy says that it is; into the vault: lazarus vault set <name>',
    inIssue: RUNNER,
  },
  secret_exposed: {
    exit: 9,
    says: 'A file with a key is a link, or others may read it; it was not used.',
    next: 'chmod 600 <file>, or: lazarus vault set <name>',
    inIssue: RUNNER,
  },
  secret_unusable: {
    exit: 2,
    says: 'What stands there is no key: it is empty, too long or not one line of printable characters.',
    next: `get the key again from whoever gave it to you, then: ${RESET}`,
    inIssue: RUNNER,
  },
  login_not_a_key: {
    exit: 2,
    says: 'This is the login of a subscription, not an API key. A login belongs to one person and opens everything that they may do; lazarus takes API keys only.',
    next: `make an API key with the provider, then: ${RESET}`,
    inIssue: RUNNER,
  },
  secret_exists: {
    exit: 5,
    says: 'The vault has a key of this name already; it was not touched.',
    next: 'lazarus vault rotate <name>',
  },
  secret_needed: {
    exit: 2,
    says: 'The key itself was not given, and there is nobody to ask for it here.',
    next: 'the same command with --from-stdin, and the key on its standard input',
  },
  reader_unknown: {
    exit: 7,
    says: 'The roster has no key to encrypt to of this person.',
    next: 'lazarus roster show; they make one with: lazarus keys encrypt-to <name>',
  },
  printed_not_kept: {
    exit: 7,
    says: 'Of what was printed there only the digest was kept: policy says so, or nobody on the roster had a key to encrypt to.',
    next: 'for what is printed from now on: lazarus keys encrypt-to <name>; lazarus roster set --help',
    inIssue: 'whoever is on the roster makes a key to encrypt to, for what is printed from now on',
  },
  printed_not_for_you: {
    exit: 4,
    says: 'What was printed there is encrypted to other people’s keys than those that are here.',
    next: 'ask one of the people it names; your own keys: lazarus keys list',
    inIssue: 'ask one of the people it names',
  },
  printed_altered: {
    exit: 6,
    says: 'What is kept as printed there is not what its document says; it is not shown.',
    next: 'ask whoever runs the cells; the signer stands in: lazarus explain <mission>',
    inIssue: 'ask whoever keeps the runner',
  },
  vault_unreadable: {
    exit: 6,
    says: 'A file of the vault is broken, or was encrypted to another machine.',
    next: 'lazarus vault rotate <name>',
    inIssue: RUNNER,
  },
} as const satisfies Record<string, Reason>;
