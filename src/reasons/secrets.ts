// Reason codes about keys of others: those that routes add, and the vault that keeps them.
import type { Reason } from './reason.ts';

export const SECRETS = {
  secret_unusable: {
    exit: 2,
    says: 'What stands there is no key: it is empty, too long or not one line of printable characters.',
    next: 'get the key again from whoever gave it to you',
    inIssue: 'whoever keeps the runner puts the key there again; another attempt then begins by itself',
  },
} as const satisfies Record<string, Reason>;
